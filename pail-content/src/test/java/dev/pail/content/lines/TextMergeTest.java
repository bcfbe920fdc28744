package dev.pail.content.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextMergeTest {
    private static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        for (String line : text.split("(?<=\n)", -1)) {
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static TextMerge merge(String base, String ours, String theirs) {
        return TextMerge.of(lines(base), lines(ours), lines(theirs));
    }

    @Test
    void takesTheChangesOfBothSides_VM15() {
        assertThat(merge("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\nf\n")
                        .merged())
                .contains(List.of("A\n", "b\n", "c\n", "d\n", "E\n", "f\n"));
        // Both made one change: it is there once.
        assertThat(merge("a\nb\n", "a\nx\nb\n", "a\nx\nb\n").merged()).contains(List.of("a\n", "x\n", "b\n"));
    }

    @Test
    void aConflictHasTheLinesOfBothSides_VM16() {
        TextMerge merge = merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n");
        assertThat(merge.merged()).isEmpty();
        assertThat(merge.conflicts()).isOne();
        assertThat(merge.parts())
                .containsExactly(
                        new TextMerge.Part(false, List.of("a\n"), List.of("a\n")),
                        new TextMerge.Part(true, List.of("x\n"), List.of("y\n")),
                        new TextMerge.Part(false, List.of("c\n"), List.of("c\n")));
    }

    @Test
    void changesOfOneSideAreItsText() {
        Random random = Randomness.random("TextMergeTest");
        for (int i = 0; i < Randomness.times(2000, 100_000); i++) {
            List<String> base = letters(random);
            List<String> changed = letters(random);
            assertThat(TextMerge.of(base, changed, base).merged()).contains(changed);
            assertThat(TextMerge.of(base, base, changed).merged()).contains(changed);
            assertThat(TextMerge.of(base, changed, changed).merged()).contains(changed);
        }
    }

    private static List<String> letters(Random random) {
        return random.ints(random.nextInt(20), 'a', 'd')
                .mapToObj(c -> (char) c + "\n")
                .toList();
    }

    /** Versions of the documents of this project, with edits of both sides, against the program. */
    @Test
    void mergesAsGitDoes_VM11_VM12_VM13_VM14_VM15_VM16(@TempDir Path folder) throws Exception {
        Path root = Path.of("").toAbsolutePath().getParent();
        List<List<String>> documents = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root.resolve("docs"));
                Stream<Path> more = Files.walk(root.resolve("spec"))) {
            for (Path file : Stream.concat(files, more)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                documents.add(lines(Files.readString(file)));
            }
        }
        assertThat(documents).hasSizeGreaterThan(10);
        Random random = Randomness.random("TextMergeTest");
        int clean = 0;
        int merges = Randomness.times(60, 2000);
        for (int i = 0; i < merges; i++) {
            // A search of many differences ends early.
            boolean isLarge = i % 10 == 0;
            List<String> base = isLarge
                    ? documents.stream().flatMap(List::stream).toList()
                    : documents.get(random.nextInt(documents.size()));
            int edits = isLarge ? 200 + random.nextInt(1000) : 1 + random.nextInt(12);
            List<String> ours = edited(base, edits, documents, random);
            List<String> theirs = edited(base, edits, documents, random);
            TextMerge merge = TextMerge.of(base, ours, theirs);
            assertThat(withMarkers(merge)).isEqualTo(git(folder, base, ours, theirs));
            clean += merge.conflicts() == 0 ? 1 : 0;
        }
        assertThat(clean).isBetween(1, merges - 1);
    }

    private static List<String> edited(List<String> base, int edits, List<List<String>> documents, Random random) {
        List<String> text = new ArrayList<>(base);
        for (int i = 0; i < edits; i++) {
            int from = random.nextInt(text.size() + 1);
            List<String> run = text.subList(from, Math.min(text.size(), from + random.nextInt(8)));
            List<String> other = documents.get(random.nextInt(documents.size()));
            int at = random.nextInt(other.size());
            switch (random.nextInt(4)) {
                case 0 -> run.clear();
                case 1 -> text.addAll(from, List.copyOf(run));
                case 2 -> text.addAll(from, other.subList(at, Math.min(other.size(), at + random.nextInt(5))));
                default -> run.replaceAll(line -> random.nextBoolean() ? line : line.replace('e', 'E'));
            }
        }
        int last = text.size() - 1;
        if (last >= 0 && random.nextInt(4) == 0) {
            text.set(last, text.get(last).stripTrailing() + "!");
        }
        return text;
    }

    private static String withMarkers(TextMerge merge) {
        StringBuilder text = new StringBuilder();
        for (TextMerge.Part part : merge.parts()) {
            if (part.isConflict()) {
                text.append("<<<<<<< ours\n").append(whole(part.ours()));
                text.append("=======\n").append(whole(part.theirs())).append(">>>>>>> theirs\n");
            } else {
                text.append(String.join("", part.ours()));
            }
        }
        return text.toString();
    }

    private static String whole(List<String> lines) {
        String text = String.join("", lines);
        return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
    }

    private static String git(Path folder, List<String> base, List<String> ours, List<String> theirs)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("base"), String.join("", base));
        Files.writeString(folder.resolve("ours"), String.join("", ours));
        Files.writeString(folder.resolve("theirs"), String.join("", theirs));
        Process git;
        try {
            git = new ProcessBuilder(
                            "git",
                            "merge-file",
                            "-p",
                            "-L",
                            "ours",
                            "-L",
                            "base",
                            "-L",
                            "theirs",
                            "ours",
                            "base",
                            "theirs")
                    .directory(folder.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return Assumptions.abort("there is no git here to compare with");
        }
        String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        git.waitFor();
        return text;
    }
}
