package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.text.Codecs;
import dev.pail.cli.text.KeyPattern;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people do every day: patterns, several keys, sizes, short texts. */
class EverydayCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
        for (String key :
                List.of("etc/a.conf", "etc/b.conf", "etc/deep/c.conf", "etc/b.txt", "top", "tmp/x", "tmp/y/z")) {
            shell.run("put", key, "--text", "text of " + key, "-q").done();
        }
    }

    private List<String> listed(String pattern) {
        return shell.run("ls", pattern, "--json").done().json().stream()
                .map(entry -> entry.get("key").asText())
                .toList();
    }

    @Test
    void aTextIsAValue() {
        assertThat(shell.run("cat", "top").done().text()).isEqualTo("text of top");
        assertThat(shell.run("get", "top").done().line())
                .isEqualTo(Shell.cid("text of top".getBytes(StandardCharsets.UTF_8)));
        assertThat(shell.run("put", "a", "--text", "x", "--file", "-").refused(Exit.USAGE))
                .contains("--text");
        shell.run("put", "empty", "--text", "").done();
        assertThat(shell.run("cat", "empty").done().text()).isEmpty();
    }

    @Test
    void conditionsOfAKey() {
        shell.run("put", "leader", "ann", "--if-absent", "-q").done();
        assertThat(shell.run("put", "leader", "bob", "--if-absent").refused(Exit.CONFLICT))
                .contains("the key \"leader\" should have no value, and has the value "
                        + Shell.cid("ann".getBytes(StandardCharsets.UTF_8)));
        String ann = shell.run("get", "leader").done().line();
        shell.run("put", "leader", "bob", "--if", ann, "-q").done();
        String bob = shell.run("get", "leader").done().line();
        shell.run("put", "leader", "cy", "--if", ann).refused(Exit.CONFLICT);
        shell.run("rm", "leader", "--if", ann).refused(Exit.CONFLICT);
        shell.run("rm", "leader", "top", "--if", bob).refused(Exit.USAGE);
        shell.run("put", "leader", "cy", "--if", bob, "--if-absent").refused(Exit.USAGE);
        assertThat(shell.run("get", "leader").done().line()).isEqualTo(bob);
        shell.run("rm", "leader", "--if", bob, "-q").done();
        shell.run("rm", "leader", "--if", bob).refused(Exit.CONFLICT);
        String operations = "{\"op\":\"del\",\"key\":\"top\"}\n"
                + "{\"op\":\"put\",\"key\":\"top\",\"text\":\"1\",\"ifAbsent\":true}\n"
                + "{\"op\":\"put\",\"key\":\"tmp/x\",\"text\":\"1\",\"if\":\"" + bob + "\"}\n";
        assertThat(shell.feed(operations, "apply").refused(Exit.CONFLICT))
                .contains("line 3: the key \"tmp/x\" should have the value");
        assertThat(shell.run("cat", "top").done().text()).isEqualTo("text of top");
        Answer each = shell.feed(operations, "apply", "--each");
        assertThat(each.text()).contains("\"code\":\"condition-failed\"");
        assertThat(shell.run("cat", "top").done().text()).isEqualTo("1");
    }

    @Test
    void lsTakesPatterns() {
        assertThat(listed("etc/*.conf")).containsExactly("etc/a.conf", "etc/b.conf");
        assertThat(listed("etc/**.conf")).containsExactly("etc/a.conf", "etc/b.conf", "etc/deep/c.conf");
        assertThat(listed("etc/?.txt")).containsExactly("etc/b.txt");
        assertThat(listed("**")).hasSize(7);
        assertThat(listed("*")).containsExactly("top");
        assertThat(listed("etc/")).hasSize(4);
    }

    /** No block is stored, and each command reads the value all the same. */
    @Test
    void aValueIsInTheMapItself() {
        shell.run("rm", "--prefix", "", "-q").done();
        shell.run("put", "a/short", "milk", "--inline", "-q").done();
        shell.feed("x".repeat(128), "put", "a/long", "--file", "-", "--inline", "-q")
                .done();
        assertThat(shell.run("get", "a/short").done().line()).isEqualTo("bafkqabdnnfwgw");
        assertThat(shell.run("cat", "a/short").done().text()).isEqualTo("milk");
        assertThat(shell.run("cat", "a/long").done().text()).isEqualTo("x".repeat(128));
        assertThat(shell.run("ls", "-l", "a/short").done().text())
                .contains("4 B")
                .contains("milk");
        assertThat(shell.run("du", "a/").done().text()).contains("132");
        shell.run("restore", "a", "--to", "out", "-q").done();
        assertThat(folder.resolve("out/short")).hasContent("milk");
        assertThat(shell.run("diff", "-p", "@{1}", "HEAD").done().text()).contains("x".repeat(128));
        assertThat(shell.run("verify", "--values").done().text()).startsWith("sound");
        assertThat(shell.run("put", "b", "x".repeat(129), "--inline").refused(Exit.FAILED))
                .contains("the value has more than 128 bytes");
        shell.feed("x".repeat(129), "put", "b", "--file", "-", "--inline").refused(Exit.FAILED);
        shell.run("put", "b", "bafkqaaa", "--inline").refused(Exit.USAGE);
        shell.run("put", "b", "--cid", "bafkqaaa", "--inline").refused(Exit.USAGE);
    }

    @Test
    void lsCountsAndSkips() {
        assertThat(shell.run("ls", "--count").done().line()).isEqualTo("7");
        assertThat(shell.run("ls", "--count", "etc/", "--json").done().line()).isEqualTo("{\"count\":4}");
        assertThat(shell.run("ls", "--count", "etc/*.conf").done().line()).isEqualTo("2");
        List<String> all = shell.keys();
        List<String> reversed = all.stream().sorted(Comparator.reverseOrder()).toList();
        for (int skipped = 0; skipped <= 8; skipped++) {
            String count = Integer.toString(skipped);
            assertThat(shell.run("ls", "--skip", count, "--json").done().json().stream()
                            .map(entry -> entry.get("key").asText())
                            .toList())
                    .isEqualTo(all.stream().skip(skipped).toList());
            assertThat(shell.run("ls", "--skip", count, "--reverse", "--limit", "2", "--json").done().json().stream()
                            .map(entry -> entry.get("key").asText())
                            .toList())
                    .isEqualTo(reversed.stream().skip(skipped).limit(2).toList());
        }
        assertThat(shell.run("ls", "etc/**.conf", "--skip", "1", "--json")
                        .done()
                        .json())
                .hasSize(2);
        shell.run("ls", "--skip", "-1").refused(Exit.USAGE);
        shell.run("ls", "--count", "--limit", "1").refused(Exit.USAGE);
    }

    @ParameterizedTest
    @CsvSource({
        "a*c, abc, true", "a*c, a/c, false", "a**c, a/b/c, true", "a?c, abc, true", "a?c, a/c, false",
        "a\\*c, a*c, true", "a\\*c, abc, false", "*, '', true", "?, '', false", "**, a/b, true",
        "a*b*c, aXbXc, true", "a*b*c, aXbX, false", "?, 😀, true", "a\\, a\\, true"
    })
    void patternsMatch(String pattern, String key, boolean matches) {
        assertThat(KeyPattern.of(pattern).matches(key)).isEqualTo(matches);
    }

    /** The slow twin: the same pattern as a regular expression. */
    @Test
    void randomPatternsMatchLikeRegularExpressions() {
        Random random = new Random(Randomness.seed("EverydayCommandsTest.randomPatternsMatchLikeRegularExpressions"));
        for (int i = 0; i < 20_000; i++) {
            String pattern = text(random, "ab/*?", 7);
            String key = text(random, "ab/", 7);
            String regex = pattern.replace("**", "\0")
                    .replace("*", "[^/]*")
                    .replace("\0", ".*")
                    .replace("?", "[^/]");
            assertThat(KeyPattern.of(pattern).matches(key))
                    .as("%s on %s", pattern, key)
                    .isEqualTo(Pattern.matches(regex, key));
            assertThat(key.startsWith(KeyPattern.of(pattern).prefix())
                            || !KeyPattern.of(pattern).matches(key))
                    .isTrue();
        }
    }

    private static String text(Random random, String characters, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
        return text.toString();
    }

    @Test
    void rmTakesPatternsAndPrefixes() {
        shell.run("rm", "etc/*.conf").done();
        assertThat(shell.keys()).containsExactly("etc/b.txt", "etc/deep/c.conf", "tmp/x", "tmp/y/z", "top");
        shell.run("rm", "--prefix", "tmp/").done();
        assertThat(shell.keys()).containsExactly("etc/b.txt", "etc/deep/c.conf", "top");
        String root = shell.root();
        Answer none = shell.run("rm", "none*");
        assertThat(none.status()).isEqualTo(Exit.NO);
        assertThat(none.err()).contains("no such key: \"none*\"");
        assertThat(shell.root()).isEqualTo(root);
        assertThat(shell.run("rm").refused(Exit.USAGE)).contains("--prefix");
        assertThat(shell.run("rm", "top", "--prefix", "e").refused(Exit.USAGE)).contains("--prefix");
    }

    @Test
    void aKeyThatLooksLikeAPatternIsRemovedAlone() {
        shell.put("t*", 1);
        shell.run("rm", "t*").done();
        assertThat(shell.keys()).hasSize(7);
    }

    @Test
    void getAndCatTakeSeveralKeys() {
        assertThat(shell.run("get", "top", "tmp/x").done().text().lines())
                .containsExactly(
                        Shell.cid("text of top".getBytes(StandardCharsets.UTF_8)),
                        Shell.cid("text of tmp/x".getBytes(StandardCharsets.UTF_8)));
        assertThat(shell.run("cat", "top", "tmp/x").done().text()).isEqualTo("text of toptext of tmp/x");
        Answer partly = shell.run("get", "top", "no", "neither");
        assertThat(partly.status()).isEqualTo(Exit.NO);
        assertThat(partly.text()).isEqualTo(Shell.cid("text of top".getBytes(StandardCharsets.UTF_8)) + "\n");
        assertThat(partly.err()).contains("no such key: \"no\", \"neither\"");
        Answer cat = shell.run("cat", "top", "no");
        assertThat(cat.status()).isEqualTo(Exit.NO);
        assertThat(cat.text()).isEmpty();
    }

    @Test
    void lsShowsSizesAndCodecs() {
        shell.run("put", "absent", "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy")
                .done();
        assertThat(shell.run("ls", "-l", "top").done().line())
                .matches(" *11 B  raw       bafk\\w+  top\t\"text of top\"");
        assertThat(shell.run("ls", "-l", "absent").done().line()).matches(" *-  raw       bafk\\w+  absent");
        assertThat(shell.run("ls", "-l", "top", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("size")
                        .asInt())
                .isEqualTo(11);
        assertThat(shell.run("ls", "-l", "-0").refused(Exit.USAGE)).contains("-l");
    }

    @Test
    void duAddsUpByTheNextSlash() {
        shell.run("put", "tmp/absent", "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy")
                .done();
        List<String> lines =
                shell.run("du").done().text().lines().map(String::strip).toList();

        assertThat(lines)
                .containsExactly(
                        "76 B         4  etc/",
                        "28 B         3  tmp/  (1 not here)",
                        "11 B         1  top",
                        "115 B         8  total  (1 not here)");
        assertThat(shell.run("du", "etc/").done().text().lines()).hasSize(5);
        assertThat(shell.run("du", "none").done().text().lines()).hasSize(1);
        assertThat(shell.run("du", "tmp/", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("bytes")
                        .asInt())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1024, 1.0 KiB", "1536, 1.5 KiB", "10240, 10 KiB", "5242880, 5.0 MiB"})
    void sizesHaveUnits(long bytes, String shown) {
        assertThat(Codecs.human(bytes)).isEqualTo(shown);
    }
}
