package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.checks.Modules;
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

/** Pages, help and sources say who does what. */
class PlainWordsTest {
    /** Phrases in the place of a subject, a condition or a number, and idioms of other languages. */
    private static final String PHRASES =
            "whoever|whatever|so many|so much|of which|of whom|heeded|made safe|(?:is|are|was|were) told|told (?:that|of|so)"
                    + "|somebody|nobody|of no account|for want of|as it comes|as a rule|needs a look|goes on|go on|went on|in vain"
                    + "|where it stands|comes to nothing|no longer heeds?";

    /** Calls are no prose: a method may be {@code noBody()}. */
    private static final Pattern UNCLEAR = Pattern.compile("(?i)\\b(?:" + PHRASES + ")\\b(?!\\()");

    /** The ends of lines in Java: a comment may continue in the next line, and a text in the next literal. */
    private static final Pattern LINE_ENDS = Pattern.compile("\"\\s*[+,]\\s*\"|\\s*\\n\\s*(?:\\*(?!/)|//)?\\s*");

    private static void check(String where, String text) {
        assertThat(UNCLEAR.matcher(text).results().map(found -> found.group()).toList())
                .as(where)
                .isEmpty();
    }

    @Test
    void sourcesHaveNone() throws IOException {
        Path project = Modules.PROJECT;
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(project)) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        assertThat(sources).hasSizeGreaterThan(500);
        for (Path source : sources) {
            String text =
                    LINE_ENDS.matcher(Files.readString(source)).replaceAll(" ").replaceAll(" +", " ");
            check(source.toString(), text);
        }
    }

    @Test
    void pagesHaveNone() throws IOException {
        Path project = Modules.PROJECT;
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
        Pattern command = Pattern.compile("\"[^\"\n]*\\bpail ("
                + String.join("|", Cli.specification().subcommands().keySet())
                + ")\\b");
        List<Path> sources = new ArrayList<>();
        for (Path module : Modules.published()) {
            if (module.endsWith("pail-cli")) {
                continue;
            }
            try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
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
