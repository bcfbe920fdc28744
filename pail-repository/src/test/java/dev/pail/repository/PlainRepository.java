package dev.pail.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** Reads the files of a repository as {@code spec/repository.md} says, line by line and with no care for time or memory. */
record PlainRepository(Path folder) {
    private static final String CIDS = "[a-z2-7]+(?: [a-z2-7]+)*|-";
    private static final Pattern LINE = Pattern.compile("(([1-9][0-9]*)\t([0-9TZ:.-]+)\t(" + CIDS + ")\t(" + CIDS
            + ")\t((?:[ -\\[\\]-~]|\\\\u[0-9a-f]{4})*))\t([0-9a-f]{8})");

    /** A move as the log has it, each head as it stands there. */
    record Move(long generation, String time, String from, String to, String reason) {}

    /** @param head the CIDs with a space between them, or a dash */
    record State(long generation, String head, List<Move> newestFirst) {}

    /** Rule REP1: the names of all branches or tags. */
    List<String> names(String kind) throws IOException {
        if (!Files.isDirectory(folder.resolve(kind))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder.resolve(kind))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}"))
                    .sorted()
                    .toList();
        }
    }

    /** Rules REP4 and REP5. */
    String head(String kind, String name) throws IOException {
        String text = Files.readString(folder.resolve(kind).resolve(name), StandardCharsets.US_ASCII);
        return text.isEmpty() ? "-" : String.join(" ", text.split("\n"));
    }

    /** Rule REP6. */
    String current() throws IOException {
        Path file = folder.resolve("branch");
        return Files.exists(file)
                ? Files.readString(file, StandardCharsets.US_ASCII).stripTrailing()
                : "main";
    }

    /** Rules REP9 and REP10: the whole lines of a log, the first one first. */
    private List<Move> moves(String branch) throws IOException {
        String text = Files.readString(folder.resolve("logs").resolve(branch), StandardCharsets.ISO_8859_1);
        List<Optional<Move>> lines = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            lines.add(end < 0 ? Optional.empty() : move(text.substring(from, end)));
            from = end < 0 ? text.length() : end + 1;
        }
        while (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        return lines.stream().map(Optional::orElseThrow).toList();
    }

    private static Optional<Move> move(String line) {
        Matcher fields = LINE.matcher(line);
        if (!fields.matches()) {
            return Optional.empty();
        }
        CRC32C checksum = new CRC32C();
        checksum.update(fields.group(1).getBytes(StandardCharsets.US_ASCII));
        if (Long.parseLong(fields.group(7), 16) != checksum.getValue()) {
            return Optional.empty();
        }
        String reason = Pattern.compile("\\\\u(....)")
                .matcher(fields.group(6))
                .replaceAll(
                        unit -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(unit.group(1), 16))));
        return Optional.of(
                new Move(Long.parseLong(fields.group(2)), fields.group(3), fields.group(4), fields.group(5), reason));
    }

    /** Rules REP11 and REP12. */
    State branch(String branch) throws IOException {
        String head = head("heads", branch);
        List<Move> lines = moves(branch);
        if (lines.isEmpty()) {
            return new State(0, head, List.of());
        }
        Move last = lines.get(lines.size() - 1);
        long generation = head.equals(last.to) ? last.generation : last.generation - 1;
        List<Move> counted = new ArrayList<>();
        String at = head;
        for (int i = lines.size() - 1; i >= 0; i--) {
            Move move = lines.get(i);
            if (move.generation == generation - counted.size() && move.to.equals(at)) {
                counted.add(move);
                at = move.from;
            }
        }
        return new State(generation, head, counted);
    }
}
