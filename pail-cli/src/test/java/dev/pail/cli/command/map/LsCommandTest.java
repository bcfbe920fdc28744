package dev.pail.cli.command.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.pail.cli.Answer;
import dev.pail.cli.Line;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Listing: every combination of bounds, and the ways to write keys. */
class LsCommandTest {
    private static final List<String> BOUNDS = List.of("--gt", "--gte", "--lt", "--lte");

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static Shell filled(Shell shell, List<String> keys) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < keys.size(); i++) {
            lines.append(Line.put(keys.get(i), i));
        }
        shell.feed(lines.toString(), "apply").done();
        return shell;
    }

    /** Filters and sorts without knowing of shards. */
    private static List<String> expected(SortedMap<String, Integer> entries, List<String> arguments) {
        Predicate<String> wanted = key -> true;
        boolean reverse = false;
        int limit = Integer.MAX_VALUE;
        for (int i = 1; i < arguments.size(); i++) {
            String bound = arguments.get(Math.min(i + 1, arguments.size() - 1));
            switch (arguments.get(i)) {
                case "--gt" -> wanted = wanted.and(key -> key.compareTo(bound) > 0);
                case "--gte" -> wanted = wanted.and(key -> key.compareTo(bound) >= 0);
                case "--lt" -> wanted = wanted.and(key -> key.compareTo(bound) < 0);
                case "--lte" -> wanted = wanted.and(key -> key.compareTo(bound) <= 0);
                case "--limit" -> limit = Integer.parseInt(bound);
                case "--reverse" -> reverse = true;
                default -> throw new IllegalArgumentException(arguments.get(i));
            }
            i += arguments.get(i).equals("--reverse") ? 0 : 1;
        }
        List<String> keys =
                new ArrayList<>(entries.keySet().stream().filter(wanted).toList());
        if (reverse) {
            Collections.reverse(keys);
        }
        return keys.stream()
                .limit(limit)
                .map(key -> key + "\t" + Shell.cid(entries.get(key)))
                .toList();
    }

    /** Every command line with each option absent or there, and with what is special alone. */
    private static List<List<String>> combinations() {
        List<List<String>> lines = List.of(List.of("ls"));
        for (String bound : BOUNDS) {
            lines = with(lines, List.of(), List.of(bound, "ab"), List.of(bound, "b"));
        }
        List<List<String>> special = with(List.of(List.of("ls")), List.of("--limit", "0"), List.of("--limit", "2"));
        for (String bound : BOUNDS) {
            special.addAll(with(List.of(List.of("ls")), List.of(bound, ""), List.of(bound, "a")));
        }
        lines = with(lines, List.of(), List.of("--limit", "1"));
        lines.addAll(special);
        return with(lines, List.of(), List.of("--reverse"));
    }

    @SafeVarargs
    private static List<List<String>> with(List<List<String>> lines, List<String>... choices) {
        List<List<String>> more = new ArrayList<>();
        for (List<String> line : lines) {
            for (List<String> choice : choices) {
                List<String> longer = new ArrayList<>(line);
                longer.addAll(choice);
                more.add(longer);
            }
        }
        return more;
    }

    @Test
    void everyCombinationOfBoundsGivesWhatFilteringWould() {
        List<String> keys = List.of("", "a", "ab", "aba", "abb", "ac", "b", "ba", "c");
        Shell shell = filled(Shell.withRepository(folder, "--max-size", "300"), keys);
        assertThat(shell.shards()).hasSizeGreaterThan(1);
        SortedMap<String, Integer> entries = new TreeMap<>();
        keys.forEach(key -> entries.put(key, keys.indexOf(key)));

        for (String prefix : new String[] {null, "a"}) {
            SortedMap<String, Integer> within = new TreeMap<>(entries);
            within.keySet().removeIf(key -> prefix != null && !key.startsWith(prefix));
            for (List<String> line : combinations()) {
                List<String> arguments = new ArrayList<>(line);
                if (prefix != null) {
                    arguments.add(prefix);
                }
                assertThat(shell.run(arguments.toArray(String[]::new)).done().lines())
                        .as("%s", arguments)
                        .isEqualTo(expected(within, line));
            }
        }
    }

    @Test
    void aLargeLimitIsNoLimit() {
        Shell shell = filled(Shell.withRepository(folder), List.of("a", "b"));

        assertThat(shell.run("ls", "--limit", Long.toString(Long.MAX_VALUE))
                        .done()
                        .lines())
                .hasSize(2);
    }

    @Test
    void jsonIsOneExactObjectALine() {
        List<String> keys =
                List.of("", "\t", "\n", "\"", "\\", "a\u0000b", "\u001b[31m", "é", "\u2028", "😀", "\uffff");
        Shell shell = filled(Shell.withRepository(folder), keys);
        Answer listed = shell.run("ls", "--json").done();

        assertThat(listed.lines()).hasSameSizeAs(keys);
        assertThat(listed.json())
                .allSatisfy(entry -> assertThat(entry.fieldNames()).toIterable().containsExactly("key", "value"));
        assertThat(listed.json())
                .extracting(
                        entry -> entry.get("key").asText(),
                        entry -> entry.get("value").asText())
                .containsExactlyElementsOf(keys.stream()
                        .sorted()
                        .map(key -> tuple(key, Shell.cid(keys.indexOf(key))))
                        .toList());
        assertThat(listed.lines()).contains("{\"key\":\"\\\"\",\"value\":\"" + Shell.cid(3) + "\"}");
    }

    @Test
    void zeroEndsEachEntryAndNothingIsEscaped() {
        List<String> keys = List.of("", "\t", "\n", "\\", "\u001b[31m", "\u0085", "\u202e", "é", "😀");
        Shell shell = filled(Shell.withRepository(folder), keys);
        StringBuilder expected = new StringBuilder();
        keys.stream()
                .sorted()
                .forEach(key -> expected.append(key)
                        .append('\t')
                        .append(Shell.cid(keys.indexOf(key)))
                        .append('\0'));

        assertThat(shell.run("ls", "-0").done().bytes())
                .isEqualTo(expected.toString().getBytes(UTF_8));
        shell.run("ls", "-0", "--json").refusedInJson(Exit.USAGE);
    }
}
