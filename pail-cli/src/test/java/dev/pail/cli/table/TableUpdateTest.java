package dev.pail.cli.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of fields, and conditions of rows. */
class TableUpdateTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeTable() {
        shell = Shell.withRepository(folder);
        shell.run("table", "create", "people", "-q").done();
        shell.run("table", "index", "people", "age", "-q").done();
        shell.feed(
                        "{\"id\":\"ada\",\"age\":36,\"address\":{\"city\":\"Oslo\"}}\n{\"id\":\"bo\",\"age\":9}\n{\"id\":\"cy\",\"age\":52}",
                        "table",
                        "load",
                        "people",
                        "-q")
                .done();
    }

    private String row(String id) {
        return shell.run("table", "get", "people", id).done().line();
    }

    @Test
    void fieldsOfMatchingRowsChange() {
        assertThat(shell.run("table", "update", "people", "age > 30", "--set", "address.city=Rome", "--set", "age=40")
                        .err())
                .isEqualTo("changed 2 rows\n");
        assertThat(row("ada")).isEqualTo("{\"id\":\"ada\",\"age\":40,\"address\":{\"city\":\"Rome\"}}");
        assertThat(row("cy")).isEqualTo("{\"id\":\"cy\",\"age\":40,\"address\":{\"city\":\"Rome\"}}");
        assertThat(row("bo")).isEqualTo("{\"id\":\"bo\",\"age\":9}");
        assertThat(shell.run("table", "find", "people", "age", "40", "--json")
                        .done()
                        .json())
                .hasSize(2);
        assertThat(shell.run("verify").done().text()).contains("sound");
        assertThat(shell.run("table", "update", "people", "age > 30", "--set", "age=40", "--json")
                        .done()
                        .line())
                .contains("\"changed\":0");
        shell.run(
                        "table",
                        "update",
                        "people",
                        "--all",
                        "--set",
                        "zip=\"0150\"",
                        "--set",
                        "n=null",
                        "--unset",
                        "age",
                        "-q")
                .done();
        assertThat(row("bo")).isEqualTo("{\"n\":null,\"id\":\"bo\",\"zip\":\"0150\"}");
        assertThat(shell.run("table", "find", "people", "age", "--json").done().text())
                .isEmpty();
        shell.run("table", "update", "people", "--all", "--set", "n.inner=[1]", "-q")
                .done();
        assertThat(row("bo")).isEqualTo("{\"n\":{\"inner\":[1]},\"id\":\"bo\",\"zip\":\"0150\"}");
    }

    @Test
    void wrongUpdatesChangeNothing() {
        String root = shell.root();
        shell.run("table", "update", "people", "--set", "a=1").refused(Exit.USAGE);
        shell.run("table", "update", "people", "age > 1", "--all", "--set", "a=1")
                .refused(Exit.USAGE);
        shell.run("table", "update", "people", "--all").refused(Exit.USAGE);
        shell.run("table", "update", "people", "--all", "--set", "a").refused(Exit.USAGE);
        shell.run("table", "update", "people", "--all", "--set", "a..b=1").refused(Exit.FAILED);
        shell.run("table", "update", "none", "--all", "--set", "a=1").refused(Exit.FAILED);
        assertThat(shell.run("table", "update", "people", "--all", "--set", "age=[1]")
                        .refused(Exit.FAILED))
                .contains("age");
        assertThat(shell.root()).isEqualTo(root);
    }

    @Test
    void aRowIsMerged() {
        shell.run("table", "put", "people", "ada", "{\"address\":{\"zip\":\"0150\"},\"age\":null}", "--merge", "-q")
                .done();
        assertThat(row("ada")).isEqualTo("{\"id\":\"ada\",\"address\":{\"zip\":\"0150\",\"city\":\"Oslo\"}}");
        shell.run("table", "put", "people", "dee", "{\"age\":1,\"name\":null}", "--merge", "-q")
                .done();
        assertThat(row("dee")).isEqualTo("{\"age\":1}");
        shell.run("table", "put", "people", "ada", "{}", "--merge", "--insert").refused(Exit.USAGE);
    }

    @Test
    void aRowIsChangedIfItIsAsInAVersion() {
        String seen = shell.root();
        shell.run("table", "put", "people", "bo", "{\"age\":10}", "-q").done();
        shell.run("table", "put", "people", "ada", "{\"age\":37}", "--merge", "--if", seen, "-q")
                .done();
        String root = shell.root();
        assertThat(shell.run("table", "put", "people", "bo", "{\"age\":11}", "--if", seen)
                        .refused(Exit.CONFLICT))
                .contains("the row \"bo\" is not as in " + seen);
        assertThat(shell.run("table", "rm", "people", "cy", "bo", "--if", seen).refused(Exit.CONFLICT))
                .contains("bo");
        shell.run("table", "put", "people", "new", "{}", "--if-absent", "--if", seen)
                .refused(Exit.USAGE);
        assertThat(shell.root()).isEqualTo(root);
        shell.run("table", "rm", "people", "cy", "--if", "@{1}", "-q").done();
        shell.run("table", "put", "people", "bo", "{}", "--if-absent").refused(Exit.FAILED);
    }
}
