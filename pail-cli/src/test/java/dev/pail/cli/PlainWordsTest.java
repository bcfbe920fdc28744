package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;

/** Pages and help say who does what. */
class PlainWordsTest {
    /** Words that stand where a subject or a number should. */
    private static final Pattern UNCLEAR = Pattern.compile(
            "(?i)\\b(?:whoever|so many|of which|heeded|(?:is|are) told|somebody|of no account|for want of)\\b");

    private static void check(String where, String text) {
        assertThat(UNCLEAR.matcher(text).results().map(found -> found.group()).toList())
                .as(where)
                .isEmpty();
    }

    @Test
    void pagesHaveNone() throws IOException {
        Path project = Path.of(System.getProperty("pail.project", ".."));
        List<Path> pages = new ArrayList<>(List.of(project.resolve("README.md"), project.resolve("CHANGELOG.md")));
        try (Stream<Path> docs = Files.walk(project.resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        assertThat(pages).hasSizeGreaterThan(5);
        for (Path page : pages) {
            check(page.toString(), Files.readString(page));
        }
    }

    @Test
    void theLibraryNamesNoCommands() throws IOException {
        Path project = Path.of(System.getProperty("pail.project", ".."));
        Pattern command = Pattern.compile("\"[^\"\n]*\\bpail ("
                + String.join("|", Cli.specification().subcommands().keySet())
                + ")\\b");
        List<Path> sources = new ArrayList<>();
        for (String module :
                List.of("pail-core", "pail-hashes", "pail-blockstore", "pail-table", "pail-server", "pail-jdbc")) {
            try (Stream<Path> files = Files.walk(project.resolve(module).resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        assertThat(sources).hasSizeGreaterThan(200);
        for (Path source : sources) {
            assertThat(command.matcher(Files.readString(source)).results().map(found -> found.group()))
                    .as(source.toString())
                    .isEmpty();
        }
    }

    @Test
    void helpHasNone() {
        Deque<CommandSpec> due = new ArrayDeque<>(List.of(Cli.specification()));
        while (!due.isEmpty()) {
            CommandSpec spec = due.remove();
            check(spec.qualifiedName(" "), spec.commandLine().getUsageMessage().replaceAll("\\s+", " "));
            spec.subcommands().values().forEach(each -> due.add(each.getCommandSpec()));
        }
    }
}
