package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each public type that a module exports has an example in its Javadoc, and each example compiles. An example is a code tag
 * within {@code <pre>}. It may use the variables of {@link #GIVEN} without declaring them.
 */
class JavadocExamplesTest {
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?)\\}</pre>", Pattern.DOTALL);

    private static final String GIVEN = """
            abstract class Given {
                static BlockStore blocks;
                static Pail pail, base, ours, theirs;
                static Repository repository;
                static Cid value;
                static Path folder, file;
                static CarReader car;
                static Remote remote;
                static Exchange exchange;
                static String token;
                static int port;
                static S3Client client;
                static DataSource source;
            }
            """;

    private static final String IMPORTS = Stream.of(
                    "java.io",
                    "java.net",
                    "java.nio.charset",
                    "java.nio.file",
                    "java.security",
                    "java.time",
                    "java.util",
                    "java.util.concurrent.atomic",
                    "java.util.function",
                    "java.util.stream",
                    "javax.sql",
                    "software.amazon.awssdk.services.s3",
                    "org.junit.jupiter.api",
                    "org.junit.jupiter.api.io")
            .map(name -> "import " + name + ".*; ")
            .reduce("", String::concat);

    @TempDir
    Path folder;

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    @Test
    void everyExportedTypeHasAnExampleThatCompiles() throws IOException {
        Map<String, List<Path>> sources = exportedSources();
        Map<String, List<String>> examples = examples(sources);
        assertThat(examples).hasSizeGreaterThan(100);
        String imports = IMPORTS
                + sources.keySet().stream()
                        .map(name -> "import " + name + ".*; ")
                        .reduce("", String::concat);
        assertThat(errors(imports, examples)).isEmpty();
        assertThat(examples.entrySet())
                .as("exported types without an example")
                .filteredOn(type -> type.getValue().isEmpty())
                .extracting(Map.Entry::getKey)
                .isEmpty();
    }

    /** The source files of each exported package. */
    private static Map<String, List<Path>> exportedSources() throws IOException {
        Map<String, List<Path>> sources = new TreeMap<>();
        for (Set<String> exported : Modules.exported().values()) {
            for (String name : exported) {
                sources.put(name, sources(name));
            }
        }
        return sources;
    }

    private static List<Path> sources(String exported) throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Modules.PROJECT)) {
            for (Path module : modules.toList()) {
                Path sourceFolder = module.resolve("src/main/java").resolve(exported.replace('.', '/'));
                if (Files.isDirectory(sourceFolder)) {
                    try (Stream<Path> files = Files.list(sourceFolder)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }

    /** The examples in the Javadoc of each public type, and beside them those of its members. */
    private Map<String, List<String>> examples(Map<String, List<Path>> sources) throws IOException {
        Map<String, List<String>> examples = new TreeMap<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> all = sources.values().stream().flatMap(List::stream).toList();
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(all));
            DocTrees comments = DocTrees.instance(task);
            for (CompilationUnitTree file : task.parse()) {
                for (Tree type : file.getTypeDecls()) {
                    ClassTree declared = (ClassTree) type;
                    if (declared.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                        String name = file.getPackageName() + "." + declared.getSimpleName();
                        examples.put(name, examplesOf(TreePath.getPath(file, declared), comments));
                        for (Tree member : declared.getMembers()) {
                            List<String> more = examplesOf(TreePath.getPath(file, member), comments);
                            if (!more.isEmpty()) {
                                examples.merge(name + ", members", more, JavadocExamplesTest::joined);
                            }
                        }
                    }
                }
            }
        }
        return examples;
    }

    private static List<String> examplesOf(TreePath declared, DocTrees comments) {
        String comment = comments.getDocComment(declared);
        return EXAMPLE.matcher(comment == null ? "" : comment)
                .results()
                .map((MatchResult example) -> example.group(1))
                .toList();
    }

    private static List<String> joined(List<String> some, List<String> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    private List<String> errors(String imports, Map<String, List<String>> examples) throws IOException {
        List<JavaFileObject> classes = new ArrayList<>(List.of(source("Given", imports + GIVEN)));
        examples.forEach((type, bodies) -> {
            for (String body : bodies) {
                String name = type.replaceAll("\\W+", "_") + "_" + classes.size();
                classes.add(source(
                        name,
                        imports + "class " + name + " extends Given { void example() throws Exception {\n" + body
                                + "}}\n"));
            }
        });
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        // Class files name annotations that are not here.
        List<String> options = List.of(
                "-Xlint:all,-classfile,-path,-processing",
                "-Werror",
                "-Xmaxerrs",
                "1000",
                "-Xmaxwarns",
                "1000",
                "-proc:none",
                "-d",
                folder.toString(),
                "-cp",
                System.getProperty("java.class.path"));
        compiler.getTask(null, null, said, options, null, classes).call();
        return said.getDiagnostics().stream()
                .filter(each -> each.getKind() != Diagnostic.Kind.NOTE)
                .map(JavadocExamplesTest::message)
                .toList();
    }

    private static String message(Diagnostic<? extends JavaFileObject> said) {
        String place =
                said.getSource() == null ? "" : said.getSource().getName() + ", line " + (said.getLineNumber() - 1);
        return place + " of the example: " + said.getMessage(Locale.ROOT);
    }

    private static JavaFileObject source(String name, String text) {
        return new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }
}
