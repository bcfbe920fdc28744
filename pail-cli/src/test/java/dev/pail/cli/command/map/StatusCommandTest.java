package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the branch stands, and what a version is called. */
class StatusCommandTest {
    @TempDir
    Path folder;

    @Test
    void statusTellsHowFarTheRemoteIs() throws IOException {
        Shell there = Shell.withRepository(Files.createDirectory(folder.resolve("there")));
        there.run("put", "a", "x", "-q").done();
        Shell here = Shell.in(folder);
        here.run("clone", "there/.pail", "here.pail", "-q").done();
        Shell clone = Shell.in(folder.resolve("here.pail"));
        assertThat(clone.run("status").done().lines().subList(1, 2)).containsExactly("as origin/main");
        clone.run("put", "b", "y", "-q").done();
        clone.run("put", "c", "y", "-q").done();
        there.run("put", "d", "z", "-q").done();
        clone.run("fetch", "-q").done();

        List<String> lines = clone.run("status").done().lines();
        assertThat(lines.get(0)).startsWith("on branch main  bafyrei");
        assertThat(lines.get(1)).isEqualTo("origin/main: 2 ahead, 1 behind");
        assertThat(lines.get(2)).isEqualTo("repository " + clone.folder() + ", format v0, events described");
        assertThat(lines).hasSize(3);

        JsonNode json = clone.run("status", "--json").done().json().get(0);
        assertThat(json.get("branch").asText()).isEqualTo("main");
        assertThat(json.get("remotes").get(0).get("ahead").asLong()).isEqualTo(2);
        assertThat(json.get("remotes").get(0).get("behind").asLong()).isEqualTo(1);
        assertThat(json.get("openConflicts").asLong()).isZero();
        assertThat(json.get("unfinished")).isEmpty();
    }

    @Test
    void describeCountsFromTheNearestTag() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "x", "-q").done();
        Answer none = shell.run("describe");
        assertThat(none.status()).isEqualTo(3);
        assertThat(none.err()).contains("no tag leads to", "pail tag NAME");
        shell.run("tag", "old", "-q").done();
        shell.run("put", "b", "x", "-q").done();
        shell.run("tag", "v1", "-q").done();
        assertThat(shell.run("describe").done().text()).isEqualTo("v1\n");
        shell.run("put", "c", "x", "-q").done();
        shell.run("put", "d", "x", "-q").done();
        String event = shell.run("log", "-n", "1", "--oneline").done().text().substring(0, 15);
        assertThat(shell.run("describe").done().text()).isEqualTo("v1-2-g" + event + "\n");
        assertThat(shell.run("describe", "old").done().text()).isEqualTo("old\n");
        assertThat(shell.run("describe", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("changes")
                        .asLong())
                .isEqualTo(2);
    }
}
