package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in Javadoc compile. Names that an example does not declare are these fields. */
class JavadocTest {
    private static final Path PROJECT = Path.of(System.getProperty("pail.project", ".."));
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?)\\n *\\* *}</pre>", Pattern.DOTALL);

    private static final String BEFORE = """
            import dev.pail.*; import dev.pail.blockstore.*; import dev.pail.car.*; import dev.pail.clock.*;
            import dev.pail.ipld.*; import dev.pail.keys.*; import dev.pail.repository.*; import dev.pail.repository.files.*;
            import dev.pail.table.*; import java.nio.charset.*; import java.nio.file.*; import java.time.*; import java.util.*;
            class %s {
                BlockStore blocks; Pail pail, base, ours, theirs; Cid cid; Repository repository; CarReader car;
                Path file, folder;
                void run() throws Exception {
            """;

    @TempDir
    Path folder;

    @Test
    void examplesCompile() throws IOException {
        List<JavaFileObject> sources = new ArrayList<>();
        Set<String> types = new TreeSet<>();
        for (String module : List.of("pail-core", "pail-blockstore", "pail-table")) {
            try (Stream<Path> files = Files.walk(PROJECT.resolve(module + "/src/main/java"))) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java"))
                        .sorted()
                        .toList()) {
                    String type = String.valueOf(file.getFileName()).replace(".java", "");
                    Matcher examples = EXAMPLE.matcher(Files.readString(file));
                    while (examples.find()) {
                        types.add(type);
                        String code = examples.group(1).replaceAll("(?m)^ *\\* ?", "");
                        sources.add(source("Example" + sources.size() + "Of" + type, code));
                    }
                }
            }
        }
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        null,
                        null,
                        problems,
                        List.of("-proc:none", "-d", folder.toString(), "-cp", System.getProperty("java.class.path")),
                        null,
                        sources)
                .call();
        assertThat(problems.getDiagnostics())
                .filteredOn(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .isEmpty();
        assertThat(compiled).isTrue();
        assertThat(types)
                .contains(
                        "Conflict",
                        "ImportException",
                        "ImportOptions",
                        "ImportResult",
                        "MergeOptions",
                        "MergeResult",
                        "MergeRules",
                        "Repository",
                        "TableConflict",
                        "Tables");
    }

    private static JavaFileObject source(String name, String body) {
        String text = String.format(BEFORE, name) + body + "\n}}\n";
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
