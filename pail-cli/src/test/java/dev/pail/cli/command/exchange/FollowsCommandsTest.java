package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code prove --follows} in a repository, and {@code check --follows} where there is none. */
class FollowsCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @TempDir(factory = MemoryTempDir.class)
    Path elsewhere;

    private Shell repository() {
        Shell shell = Shell.withRepository(folder, "--format", "v1");
        shell.put("a/1", 1, "a/2", 2, "b/1", 3);
        return shell;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private Answer check(String... arguments) {
        return Shell.in(elsewhere).run(Shell.concat("check", arguments));
    }

    private List<String> events(Shell shell) {
        return shell.run("log", "--json").done().json().stream()
                .map(entry -> entry.get("event").asText())
                .toList();
    }

    @Test
    void anEventFollowsAnother() {
        Shell shell = repository();
        List<String> events = events(shell);
        assertThat(events).hasSize(3);
        List<String> said =
                shell.run("prove", "--follows", "@{2}", "-o", "f.car").done().lines();
        assertThat(said.get(0)).matches("blocks: 2, bytes: \\d+");
        assertThat(said.subList(1, 3)).containsExactly(events.get(2), events.get(0));
        assertThat(check(file("f.car"), "--event", events.get(0), "--follows", events.get(2))
                        .done()
                        .line())
                .isEqualTo("follows\t" + events.get(2) + "\tby trees");
        // The event before is a parent.
        JsonNode made = shell.run("prove", "--follows", "@{2}", "--at", "@{1}", "-o", "g.car", "--json")
                .done()
                .json()
                .get(0);
        assertThat(made.get("follows").asText()).isEqualTo(events.get(2));
        assertThat(made.get("event").asText()).isEqualTo(events.get(1));
        assertThat(check(file("g.car"), "--event", events.get(1), "--follows", events.get(2), "--json")
                        .done()
                        .json()
                        .get(0)
                        .toString())
                .isEqualTo("{\"answer\":\"follows\",\"event\":\"" + events.get(2) + "\",\"by\":\"links\"}");
        assertThat(check(file("g.car"), "--event", events.get(1), "--follows", events.get(2), "-q")
                        .done()
                        .text())
                .isEmpty();
        assertThat(check(file("g.car"), "--event", events.get(0), "--follows", events.get(2))
                        .refused(Exit.DAMAGED))
                .contains("another newer event (PF16)", "other events, give those");
        shell.run("prove", "a/1", "-o", "one.car").done();
        assertThat(check(file("one.car"), "--event", events.get(0), "--follows", events.get(2))
                        .refused(Exit.DAMAGED))
                .contains("proves nothing");
        assertThat(check(file("f.car"), "--root", shell.root(), "--key", "a/1").refused(Exit.DAMAGED))
                .contains("PF10");
    }

    @Test
    void anEventDoesNotFollowAnother() {
        Shell shell = repository();
        List<String> events = events(shell);
        Answer same = shell.run("prove", "--follows", "HEAD", "-o", "f.car");
        assertThat(same.status()).isEqualTo(Exit.NO);
        assertThat(same.err()).contains(events.get(0) + " does not follow " + events.get(0));
        Answer later = shell.run("prove", "--follows", events.get(0), "--at", events.get(2), "-o", "f.car");
        assertThat(later.status()).isEqualTo(Exit.NO);
        assertThat(folder.resolve("f.car")).doesNotExist();
    }

    @Test
    void aProofOfEventsHasNoKeys() {
        Shell shell = repository();
        String event = events(shell).get(0);
        for (String[] wrong :
                new String[][] {{"a/1"}, {"--prefix", "a"}, {"--gt", "a"}, {"--from", "HEAD"}, {"--namespace", "n"}}) {
            assertThat(shell.run(Shell.concat("prove", Shell.concat("--follows", Shell.concat(event, wrong))))
                            .refused(Exit.USAGE))
                    .contains("--follows is of two events");
        }
        for (String[] wrong :
                new String[][] {{"--root", event}, {"--key", "a"}, {"--value", event}, {"--from", event}}) {
            String[] asked = Shell.concat("--event", Shell.concat(event, wrong));
            assertThat(check(Shell.concat("f.car", Shell.concat("--follows", Shell.concat(event, asked))))
                            .refused(Exit.USAGE))
                    .contains("--follows is of two events");
        }
        assertThat(check("f.car", "--follows", event).refused(Exit.USAGE)).contains("--event CID");
        assertThat(check("f.car", "--event", event, "--root", event, "--key", "a")
                        .refused(Exit.USAGE))
                .contains("--event is for --follows");
    }
}
