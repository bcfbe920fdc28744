package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.cli.table.TableCommandsTest;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No command prints control sequences on a terminal, for any data, files and arguments. */
class HostileOutputTest {
    private static final String BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    private static final String PROGRESS = "\r(?:[\\d,]+ \\w+, [\\w ,./]*)?\u001b\\[K";

    /** Runs the words behind it on a pseudo-terminal and copies what they print there. */
    static final String PSEUDO_TERMINAL =
            "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

    /** As {@code bin/pail} does, tells Java which streams are terminals. */
    private static final String SHELL =
            "t=; [ -t 0 ] && t=in; [ -t 1 ] && t=$t,out; [ -t 2 ] && t=$t,err; java=$1; shift; exec \"$java\" -Dpail.terminals=\"$t\" \"$@\"";

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static long seed() {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println("HostileOutputTest: -Dpail.seed=" + seed);
        return seed;
    }

    private static boolean isHostile(int c) {
        return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0) || BIDI.indexOf(c) >= 0 || c == 0xfffd;
    }

    private static void assertHarmless(String printed) {
        String command = "";
        Set<String> commands = new TreeSet<>();
        for (String line : printed.split("\n", -1)) {
            if (line.startsWith(HostileSession.MARK)) {
                command = line.substring(HostileSession.MARK.length());
                commands.add(command);
            }
            assertThat(line.codePoints().filter(HostileOutputTest::isHostile).mapToObj(Integer::toHexString))
                    .as("%s: %s", command, line)
                    .isEmpty();
            assertThat(line).doesNotContain("a defect in pail");
        }
        Set<String> all = new TreeSet<>(Cli.specification().subcommands().keySet());
        all.addAll(TableCommandsTest.ACTIONS.stream()
                .map(action -> "table " + action)
                .collect(Collectors.toSet()));
        all.remove("table");
        assertThat(commands).containsAll(all);
        // What is checked is there: escapes of what was in the strings.
        assertThat(printed).contains("\\u{1b}[2J", "\\u001b[2J", "\\u{9b}", "\\u009b", "\\u{202e}", "\\u202e");
    }

    @Test
    void everyCommandEscapesHostileStrings() throws IOException {
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        HostileSession.run(terminal, folder, seed());
        String color = "\u001b\\[(?:2m|0m|31m(?=error:))";
        assertHarmless(
                terminal.toString(StandardCharsets.UTF_8).replaceAll(color, "").replaceAll(PROGRESS, ""));
    }

    @Test
    void everyCommandEscapesHostileStringsOnAPseudoTerminal() {
        assumePseudoTerminal(folder);
        List<String> java = Launched.command(HostileSession.class, folder.toString(), Long.toString(seed()));
        List<String> words = new ArrayList<>(List.of("python3", "-c", PSEUDO_TERMINAL, "sh", "-c", SHELL, "sh"));
        words.addAll(java);
        Answer answer = Launched.start(Launched.builder(folder, words)).feed(new byte[0]);
        String printed = answer.text().replace("\r\n", "\n");
        assertThat(answer.status())
                .as(printed.substring(Math.max(0, printed.length() - 1000)))
                .isZero();
        assertThat(printed).endsWith("# end\n");
        assertHarmless(printed.replaceAll(PROGRESS, ""));
    }

    static void assumePseudoTerminal(Path folder) {
        assumeTrue(isThere(folder, "python3", "-c", "import pty, os; os.waitstatus_to_exitcode"), "python3 with pty");
    }

    static boolean isThere(Path folder, String... words) {
        try {
            return Launched.builder(folder, List.of(words)).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
