package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasAnnotations;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The public methods of the exported packages, as programs that are compiled against the library meet them. */
class PublicApiTest {
    private static final Set<String> EXPORTED = Modules.exportedForPrograms();

    @TempDir
    Path folder;

    private static List<JavaMethod> methods() {
        return new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.pail").stream()
                        .filter(type -> EXPORTED.contains(type.getPackageName()))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .flatMap(type -> type.getMethods().stream())
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .toList();
    }

    @Test
    void knowsAllModules() {
        assertThat(Modules.exported())
                .containsKeys(
                        "dev.pail.core",
                        "dev.pail.blockstore",
                        "dev.pail.repository",
                        "dev.pail.table",
                        "dev.pail.content",
                        "dev.pail.server",
                        "dev.pail.jdbc",
                        "dev.pail.s3",
                        Modules.TESTKIT);
        assertThat(Modules.exported().get("dev.pail.blockstore")).doesNotContain("dev.pail.segment");
        assertThat(Modules.exported().get("dev.pail.repository"))
                .contains("dev.pail.remote")
                .doesNotContain("dev.pail.remote.wire");
    }

    @Test
    void takesAndGivesExportedTypesOnly() {
        assertThat(methods())
                .filteredOn(method -> Stream.concat(
                                method.getRawParameterTypes().stream(), Stream.of(method.getRawReturnType()))
                        .map(JavaClass::getBaseComponentType)
                        .anyMatch(type -> type.getPackageName().startsWith("dev.pail")
                                && !EXPORTED.contains(type.getPackageName())))
                .isEmpty();
    }

    /** To ignore the result of a change is a mistake. Builders that return themselves declare that the result may be ignored. */
    @Test
    void whatGivesItsOwnTypeIsMarked() {
        List<JavaMethod> found = methods().stream()
                .filter(method -> !method.getModifiers().contains(JavaModifier.STATIC))
                .filter(method -> method.getRawReturnType().equals(method.getOwner()))
                .toList();
        assertThat(found)
                .extracting(method -> method.getOwner().getSimpleName())
                .contains("Pail", "Batch", "Namespace", "KeyRange", "ReplicatedPail", "Table");
        assertThat(found)
                .filteredOn(method -> !isMarked(method) && !isMarked(method.getOwner()))
                .isEmpty();
    }

    private static boolean isMarked(HasAnnotations<?> one) {
        return one.isAnnotatedWith(CheckReturnValue.class) || one.isAnnotatedWith(CanIgnoreReturnValue.class);
    }

    @Test
    void errorProneWarnsOfChangesThatAreThrownAway() throws Exception {
        List<String> discarded = List.of(
                "pail.put(\"a\", value)",
                "pail.delete(\"a\")",
                "Pail.merge(pail, pail, pail)",
                "pail.batch().put(\"a\", value).commit()",
                "pail.namespace(\"n\").put(\"a\", value)",
                "KeyRange.all().from(\"a\")",
                "replica.put(\"a\", value)",
                "replica.merge(replica.head())",
                "replica.batch().put(\"a\", value).commit()",
                "clock.merge(replica.head(), replica.head())",
                "Tables.of(pail).create(\"people\")",
                "Tables.of(pail).table(\"people\").put(\"1\", Document.parse(\"{}\"))",
                "Tables.of(pail).batch().commit()",
                "MergeOptions.DEFAULT.withDryRun()",
                "result.leftOut()",
                "collection.withGrace(Duration.ofDays(1))");
        List<String> used = List.of(
                "batch.put(\"a\", value)", "batch.delete(\"a\")", "collection.run()", "last = pail.put(\"a\", value)");
        assertThat(warnings(discarded)).containsExactlyElementsOf(numbered(discarded.size()));
        assertThat(warnings(used)).isEmpty();
    }

    private static List<Integer> numbered(int size) {
        return Stream.iterate(0, i -> i + 1).limit(size).toList();
    }

    /** The numbers of the statements that Error Prone warns of. The annotations are not on the class path of the program. */
    private List<Integer> warnings(List<String> statements) throws IOException, InterruptedException {
        String source = """
                import dev.pail.*; import dev.pail.clock.*; import dev.pail.ipld.*; import dev.pail.repository.*;
                import dev.pail.repository.model.*; import dev.pail.table.*; import java.time.*;
                class Program {
                    Pail last;
                    void run(Pail pail, Batch batch, ReplicatedPail replica, MerkleClock clock, GarbageCollection collection,
                            MergeResult result, Cid value) {
                """ + statements.stream().map(each -> each + ";\n").collect(Collectors.joining()) + "}}\n";
        Files.writeString(folder.resolve("Program.java"), source);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
        for (String part : List.of("api", "file", "main", "model", "parser", "processing", "tree", "util")) {
            command.add("-J--add-exports=jdk.compiler/com.sun.tools.javac." + part + "=ALL-UNNAMED");
        }
        for (String part : List.of("code", "comp")) {
            command.add("-J--add-opens=jdk.compiler/com.sun.tools.javac." + part + "=ALL-UNNAMED");
        }
        command.addAll(List.of("-XDcompilePolicy=simple", "--should-stop=ifError=FLOW", "-proc:none"));
        command.addAll(List.of("-Xplugin:ErrorProne -XepDisableAllChecks -Xep:CheckReturnValue:WARN"));
        command.addAll(List.of("-processorpath", errorProne(), "-cp", classPath(), "-d", folder.toString()));
        command.add("Program.java");
        Path output = folder.resolve("output");
        int status = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(status).as(said).isZero();
        int first = (int) source.substring(0, source.indexOf(statements.get(0)))
                        .lines()
                        .count()
                + 1;
        return Pattern.compile("Program\\.java:(\\d+): warning: \\[CheckReturnValue]")
                .matcher(said)
                .results()
                .map(found -> Integer.parseInt(found.group(1)) - first)
                .toList();
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("error_prone"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The class path of Error Prone: that of the build, unless {@code -Dpail.errorprone} names another. */
    private static String errorProne() {
        String path = System.getProperty("pail.errorprone", System.getProperty("java.class.path"));
        assumeTrue(
                path.contains("error_prone_core"), "the build has no Error Prone: -Dpail.errorprone is its class path");
        return path;
    }
}
