package dev.pail.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns of files to leave out. */
class IgnoreRulesTest {
    private static final String[] PIECES = {
        "a", "b", "ab", "*", "?", "[ab]", "[!a]", "[^b]", "[a-c]", "[[:alpha:]]", "[]a]", "\\a", "\\*",
        "a*", "*b", "a*b*", "[\\]]", "]", "!a", "#a", " ", "a ", "a\\ ", "-", "[--0]", "A"
    };

    private static final String[] NAMES = {"a", "b", "ab", "c", "abab", "a b", "]", "[", "-", "*", "a ", "#a", "!a", "A"
    };

    @ParameterizedTest
    @CsvSource({
        "*.log, x/y.log, FILE, LEFT_OUT",
        "*.log, y.txt, FILE, NOTHING",
        "/a, a, FILE, LEFT_OUT",
        "/a, b/a, FILE, NOTHING",
        "a/, a, FILE, NOTHING",
        "a/, x/a, FOLDER, LEFT_OUT",
        "a/b, x/a/b, FILE, NOTHING",
        "a/**, a, FOLDER, NOTHING",
        "a/**, a/b/c, FILE, LEFT_OUT",
        "**/a, x/y/a, FILE, LEFT_OUT",
        "a/**/b, a/b, FILE, LEFT_OUT",
        "a/**/b, a/x/y/b, FILE, LEFT_OUT",
        "!a, a, FILE, TAKEN",
        "\\!a, !a, FILE, LEFT_OUT",
        "#a, #a, FILE, NOTHING",
        "[a, [a, FILE, NOTHING",
        "é?, é𝄞, FILE, LEFT_OUT",
    })
    void patterns(String pattern, String path, IgnoreRules.Kind kind, IgnoreRules.Verdict verdict) {
        assertThat(IgnoreRules.of(List.of(pattern)).verdict(path, kind)).isEqualTo(verdict);
    }

    @Test
    void theLastPatternThatMatchesDecides() {
        IgnoreRules rules = IgnoreRules.parse("\ufeff*.log\r\n!keep.log\r\n\r\n");
        assertThat(rules.verdict("a.log", IgnoreRules.Kind.FILE)).isEqualTo(IgnoreRules.Verdict.LEFT_OUT);
        assertThat(rules.verdict("keep.log", IgnoreRules.Kind.FILE)).isEqualTo(IgnoreRules.Verdict.TAKEN);
    }

    @Test
    @Timeout(20)
    void aPatternThatIsMadeToTakeLongDoesNot() {
        IgnoreRules rules = IgnoreRules.of(List.of("a*".repeat(2000) + "b", "**/a/".repeat(1000) + "b"));
        assertThat(rules.verdict("a".repeat(4000), IgnoreRules.Kind.FILE)).isEqualTo(IgnoreRules.Verdict.NOTHING);
        assertThat(rules.verdict("a/".repeat(2000) + "a", IgnoreRules.Kind.FILE))
                .isEqualTo(IgnoreRules.Verdict.NOTHING);
    }

    /** Compared with git, for random patterns and paths. Git compares bytes, so they have none beyond ASCII. */
    @Test
    void isAsGitSays(@TempDir Path folder) throws Exception {
        assumeTrue(git(folder, "", "init", "-q") == 0, "git is not here");
        long seed = Long.getLong("pail.seed", System.nanoTime());
        System.out.println("IgnoreRulesTest: -Dpail.seed=" + seed);
        Random random = new Random(seed);
        List<String> patterns = new ArrayList<>();
        int rounds = "nightly".equals(System.getProperty("pail.stress")) ? 5_000 : 60;
        int leftOut = 0;
        for (int round = 0; round < rounds; round++) {
            patterns.clear();
            for (int i = random.nextInt(4); i >= 0; i--) {
                patterns.add(pattern(random));
            }
            Files.writeString(folder.resolve(".gitignore"), String.join("\n", patterns) + "\n");
            TreeSet<String> paths = new TreeSet<>();
            for (int i = 0; i < 100; i++) {
                paths.add(path(random));
            }
            git(folder, String.join("\0", paths) + "\0", "check-ignore", "-z", "--stdin", "--no-index");
            List<String> expected =
                    List.of(Files.readString(folder.resolve(".git/out")).split("\0"));
            IgnoreRules rules = IgnoreRules.of(patterns);
            for (String path : paths) {
                boolean ours = isLeftOut(rules, path);
                leftOut += ours ? 1 : 0;
                assertThat(ours).as("%s by %s", path, patterns).isEqualTo(expected.contains(path));
            }
        }
        assertThat(leftOut).isPositive();
    }

    /** As files are found: what is in a folder that is left out is not looked at. */
    private static boolean isLeftOut(IgnoreRules rules, String path) {
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            if (rules.verdict(path.substring(0, slash), IgnoreRules.Kind.FOLDER) == IgnoreRules.Verdict.LEFT_OUT) {
                return true;
            }
        }
        return rules.verdict(path, IgnoreRules.Kind.FILE) == IgnoreRules.Verdict.LEFT_OUT;
    }

    private static String pattern(Random random) {
        StringBuilder pattern = new StringBuilder(random.nextInt(5) == 0 ? "!" : "");
        pattern.append(random.nextInt(5) == 0 ? "/" : "");
        for (int i = random.nextInt(3); i >= 0; i--) {
            pattern.append(random.nextInt(5) == 0 ? "**" : name(random));
            pattern.append(i > 0 ? "/" : "");
        }
        return pattern.append(random.nextInt(5) == 0 ? "/" : "").toString();
    }

    private static String name(Random random) {
        String name = PIECES[random.nextInt(PIECES.length)];
        // Two stars behind text that has none are folders for git, even as a part of a name: "a**/b" leaves out "ab".
        return random.nextInt(3) == 0 ? (name + PIECES[random.nextInt(PIECES.length)]).replace("**", "*") : name;
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            path.append(NAMES[random.nextInt(NAMES.length)]).append(i > 0 ? "/" : "");
        }
        return path.toString();
    }

    private static int git(Path folder, String in, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString(), "-c", "core.excludesFile="));
        command.addAll(List.of(arguments));
        Path out = Files.isDirectory(folder.resolve(".git")) ? folder.resolve(".git/out") : folder.resolve("out");
        Path input =
                Files.write(folder.resolveSibling("in-" + folder.getFileName()), in.getBytes(StandardCharsets.UTF_8));
        try {
            return new ProcessBuilder(command)
                    .redirectInput(input.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        } finally {
            Files.delete(input);
        }
    }
}
