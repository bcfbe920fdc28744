package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the README and the pages in docs/ and spec/ show is what happens: console sessions are run, Java is compiled and run. With {@code -Dpail.write}, the
 * sessions are written as they ran.
 */
class DocumentsTest {
    /** The time of all events: pages show their CIDs. */
    private static final Map<String, String> TIME = Map.of("SOURCE_DATE_EPOCH", "1795918480");

    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(?:#[^)]*)?\\)");
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMAND =
            Pattern.compile("\\$ (?:echo (?:\"([^\"]*)\"|'([^']*)') \\| )?pail ((?:'[^']*'|[^'\"|;&<>$])*)");
    private static final String PROMPT = "$ ";

    /** What stands above a block of commands that no test runs. */
    private static final String NOT_RUN = "<!-- not run: [^<>]+ -->\n";

    private static final String SHELL = "```sh\n";

    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)((?:[.]\\w+)*)[`(]");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    Path folder;

    // A system may run no programs from a folder in memory.
    @TempDir(factory = TempDirFactory.Standard.class)
    static Path bin;

    /** Other commands than pail alone are for the shell, which finds pail on its path. */
    @BeforeAll
    static void pailOnThePath() throws IOException {
        Path pail = bin.resolve("pail");
        Files.writeString(
                pail,
                "#!/bin/sh\nexec '" + ProcessHandle.current().info().command().orElseThrow() + "' -cp '"
                        + System.getProperty("java.class.path") + "' dev.pail.cli.Main \"$@\"\n");
        assertThat(pail.toFile().setExecutable(true)).isTrue();
    }

    private static Path project() {
        return Path.of(System.getProperty("pail.project", ".."));
    }

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(
                project().resolve("README.md"),
                project().resolve("ARCHITECTURE.md"),
                project().resolve("CONTRIBUTING.md")));
        try (Stream<Path> docs = Files.walk(project().resolve("docs"))) {
            docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    static List<Path> pagesAndSpecification() throws IOException {
        List<Path> pages = new ArrayList<>(pages());
        pages.add(project().resolve("pail-bench/README.md"));
        pages.add(project().resolve("examples/README.md"));
        for (String folder : List.of("spec", "pail-bench/results")) {
            try (Stream<Path> more = Files.list(project().resolve(folder))) {
                more.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        return pages;
    }

    private static List<String> blocks(Path page, String kind) throws IOException {
        List<String> found = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(Files.readString(page));
        while (matcher.find()) {
            if (matcher.group(1).equals(kind)) {
                found.add(matcher.group(2));
            }
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("pagesAndSpecification")
    void consoleSessions(Path page) throws Exception {
        String text = Files.readString(page);
        try (PageShell shell = new PageShell(folder, bin, TIME)) {
            for (String session : blocks(page, "console")) {
                String shown = replayed(shell, session);
                boolean same = withoutTimes(shown).equals(withoutTimes(session));
                if (System.getProperty("pail.write") == null) {
                    assertThat(withoutTimes(shown)).isEqualTo(withoutTimes(session));
                } else if (!same) {
                    text = text.replace(session, shown);
                }
            }
        }
        if (System.getProperty("pail.write") != null) {
            Files.writeString(page, text);
        }
    }

    private static String replayed(PageShell shell, String session) throws IOException {
        StringBuilder replayed = new StringBuilder();
        for (String line :
                session.lines().filter(each -> each.startsWith(PROMPT)).toList()) {
            Matcher command = COMMAND.matcher(line);
            String printed = command.matches()
                    ? run(shell, input(command), command.group(3))
                    : shell.run(line.substring(PROMPT.length()));
            replayed.append(line).append('\n').append(ended(shell.shown(printed)));
        }
        return replayed.toString();
    }

    /** A block of a page is a session that runs, or says what it needs. The pages of commands are made of their help. */
    @ParameterizedTest
    @MethodSource("pagesAndSpecification")
    void saysWhyABlockDoesNotRun(Path page) throws IOException {
        String text = Files.readString(page);
        if (!page.getParent().endsWith("reference")) {
            assertThat(text.replaceAll(NOT_RUN + SHELL, "")).doesNotContain(SHELL);
        }
        assertThat(text.replaceAll(NOT_RUN + SHELL, "")).doesNotContain("<!-- not run");
    }

    /** What a command printed, as a page shows it: the next prompt is on a line of its own. */
    private static String ended(String out) {
        return out.isEmpty() || out.endsWith("\n") ? out : out + "\n";
    }

    @Test
    void pagesHaveSessionsAndExamples() throws IOException {
        int sessions = 0;
        int examples = 0;
        for (Path page : pages()) {
            sessions += blocks(page, "console").size();
            examples += blocks(page, "java").size();
        }
        assertThat(sessions).isGreaterThan(4);
        assertThat(examples).isGreaterThan(2);
    }

    @ParameterizedTest
    @MethodSource("pagesAndSpecification")
    void linksLeadToFiles(Path page) throws IOException {
        Matcher matcher = LINK.matcher(Files.readString(page));
        while (matcher.find()) {
            String target = matcher.group(1);
            Path file = page.resolveSibling(target);
            Path named = Files.exists(file) ? file : page.resolveSibling(target + ".md");
            assertThat(named).as("%s in %s", target, page).exists();
        }
    }

    /** Each class that the page names is in the sources, and each member in its file. */
    @Test
    void theArchitectureNamesWhatThereIs() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (String module : List.of(
                "core",
                "blockstore",
                "repository",
                "table",
                "content",
                "server",
                "jdbc",
                "s3",
                "spark",
                "sql",
                "cli",
                "testkit")) {
            try (Stream<Path> files =
                    Files.walk(project().resolve("pail-" + module).resolve("src"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    sources.merge(
                            name.substring(0, name.length() - ".java".length()),
                            Files.readString(file),
                            String::concat);
                }
            }
        }
        List<String> missing = new ArrayList<>();
        Matcher names = NAME.matcher(Files.readString(project().resolve("ARCHITECTURE.md")));
        int found = 0;
        for (; names.find(); found++) {
            String source = sources.getOrDefault(names.group(1), "");
            boolean isThere = Pattern.compile("\\.")
                    .splitAsStream(names.group(1) + names.group(2))
                    .allMatch(part -> Pattern.compile("\\b" + part + "\\b")
                            .matcher(source)
                            .find());
            if (!isThere) {
                missing.add(names.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(found).isGreaterThan(100);
    }

    private static String input(Matcher command) {
        return command.group(1) == null ? command.group(2) : command.group(1);
    }

    /** The words of a line, as a shell takes them apart: what is between single quotes is one. */
    private static String[] words(String line) {
        return WORD.matcher(line)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toArray(String[]::new);
    }

    /** Times, and what pack makes of 430 KB: it takes blocks in the order of their mtimes, which have ticks. */
    private static String withoutTimes(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:]+Z", "TIME").replaceAll("bytes 18\\d{4}\\b", "bytes 18....");
    }

    private static String run(PageShell shell, String input, String arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] in = input == null ? new byte[0] : (input + "\n").getBytes(StandardCharsets.UTF_8);
        Terminal.Streams streams = new Terminal.Streams(new ByteArrayInputStream(in), out, out);
        Cli.run(new Terminal(streams, shell.environment(), shell.folder()), words(shell.here(arguments)));
        return out.toString(StandardCharsets.UTF_8).replaceAll("made .*\n", "");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void javaExamples(Path page) throws Exception {
        List<String> examples = blocks(page, "java");
        List<String> outputs = blocks(page, "text");
        assertThat(examples).hasSameSizeAs(outputs);
        for (int i = 0; i < examples.size(); i++) {
            assertThat(compileAndRun("Example" + i, examples.get(i))).isEqualTo(outputs.get(i));
        }
    }

    private String compileAndRun(String name, String body) throws Exception {
        String source =
                "import dev.pail.*; import dev.pail.car.*; import dev.pail.folder.*; import dev.pail.ipld.*; import dev.pail.blockstore.*;"
                        + " import dev.pail.clock.*; import dev.pail.clock.proof.*; import dev.pail.keys.*; import dev.pail.proof.*; import dev.pail.remote.*; import dev.pail.repository.*; import dev.pail.repository.files.*; import dev.pail.repository.model.*; import dev.pail.sign.*; import dev.pail.table.*; import dev.pail.unixfs.*; import java.io.*;"
                        + " import java.nio.charset.*; import java.nio.file.*; import java.util.*; import java.util.stream.*;\n"
                        + "public class " + name + " { public static void main(String[] args) throws Exception {\n"
                        + body + "}}\n";
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        null,
                        List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path")),
                        null,
                        List.of(file))
                .call();
        assertThat(compiled).isTrue();
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
            System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object)
                    new String[] {folder.resolve("of" + name).toString()});
        } finally {
            System.setOut(before);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
