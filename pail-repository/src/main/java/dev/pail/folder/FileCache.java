package dev.pail.folder;

import dev.pail.Escapes;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.values.EscapedKey;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The CIDs of files of a folder as they were read last, so that a file that has not changed since is not read again (Rule REP28). The
 * file of it may be lost, stale or damaged: then files are read.
 */
final class FileCache {
    private static final String BEGIN = "files 1";
    private static final String END = "sum ";

    /** A file that was written in the moment before it was read may be written again without another mtime. */
    private static final Duration SETTLED = Duration.ofSeconds(2);

    private final @Nullable Path file;
    private final Map<String, Known> known = new HashMap<>();

    /** What was read. */
    private record Known(Cid cid, FolderScan.State state) {}

    private FileCache(@Nullable Path file) {
        this.file = file;
    }

    /**
     * The one of a folder.
     *
     * @param repository the own folder of the repository; a repository over another store has none, and no such file
     * @param isPreserved whether the files have their permissions and times in their blocks: then they have other CIDs
     */
    static FileCache of(Optional<Path> repository, Path folder, boolean isPreserved) {
        FileCache cache = new FileCache(repository
                .map(in -> in.resolve("derived").resolve("files-" + digest(folder, isPreserved)))
                .orElse(null));
        if (cache.file != null && Files.isRegularFile(cache.file)) {
            try (BufferedReader lines = Files.newBufferedReader(cache.file)) {
                cache.read(lines);
            } catch (IOException | RuntimeException e) {
                // Only what the file says can be wrong here: all files are read.
                cache.known.clear();
            }
        }
        return cache;
    }

    private static String digest(Path folder, boolean isPreserved) {
        byte[] name = (folder + (isPreserved ? "\0preserve" : "")).getBytes(StandardCharsets.UTF_8);
        return Block.of(Cid.RAW, name).cid().toString().substring(8, 24);
    }

    private void read(BufferedReader lines) throws IOException {
        CRC32C sum = new CRC32C();
        if (!BEGIN.equals(lines.readLine())) {
            return;
        }
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(END)) {
                if (Long.parseLong(line.substring(END.length())) == sum.getValue() && lines.readLine() == null) {
                    return;
                }
                break;
            }
            sum.update(line.getBytes(StandardCharsets.UTF_8));
            String[] fields = line.split("\t", 6);
            known.put(
                    EscapedKey.parse(fields[5]),
                    new Known(
                            Cid.parse(fields[0]),
                            new FolderScan.State(
                                    Long.parseLong(fields[1]),
                                    time(fields[2]),
                                    time(fields[3]),
                                    Long.parseLong(fields[4]))));
        }
        throw new MalformedDataException(0, "a list of files ends with its sum");
    }

    private static FileTime time(String text) {
        return FileTime.from(Instant.parse(text));
    }

    /** The CID that a file had when it was in this state; null if that is not known. */
    @Nullable
    Cid cid(FolderScan.Found found) {
        Known last = known.get(found.name());
        return last != null && last.state.equals(found.state()) ? last.cid : null;
    }

    /**
     * Replaces what is known by what was read now. It may fail without a word: the next time takes longer.
     *
     * @param files by their keys, as the values are
     */
    void save(Map<String, FolderScan.Found> files, Map<String, Cid> values, Instant begun) {
        if (file == null) {
            return;
        }
        Path temporary = file.resolveSibling(".tmp-" + UUID.randomUUID());
        CRC32C sum = new CRC32C();
        try {
            Files.createDirectories(file.getParent());
            try (BufferedWriter out = Files.newBufferedWriter(temporary)) {
                out.write(BEGIN + "\n");
                for (Map.Entry<String, FolderScan.Found> each : files.entrySet()) {
                    FolderScan.Found found = each.getValue();
                    FolderScan.State state = found.state();
                    if (state.mtime().toInstant().isAfter(begun.minus(SETTLED))) {
                        continue;
                    }
                    String line = String.join(
                            "\t",
                            String.valueOf(values.get(each.getKey())),
                            Long.toString(state.size()),
                            state.mtime().toInstant().toString(),
                            state.ctime().toInstant().toString(),
                            Long.toString(state.number()),
                            Escapes.escape(found.name()));
                    sum.update(line.getBytes(StandardCharsets.UTF_8));
                    out.write(line + "\n");
                }
                out.write(END + sum.getValue() + "\n");
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            delete(temporary);
        }
    }

    private static void delete(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The repository removes such files in the end.
            return;
        }
    }
}
