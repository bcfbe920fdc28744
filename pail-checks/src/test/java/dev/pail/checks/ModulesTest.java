package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.repository.Repository;
import dev.pail.table.Tables;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The modules as those of others use them, who have what is published with them, and nothing else. */
class ModulesTest {
    private static final List<Class<?>> PUBLISHED = List.of(
            Pail.class, MemoryBlockStore.class, Repository.class, Tables.class, Caffeine.class, JsonFactory.class);

    @TempDir
    Path folder;

    private static String modulePath(List<Class<?>> published) throws URISyntaxException {
        List<String> places = new ArrayList<>();
        for (Class<?> each : published) {
            places.add(Path.of(each.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        return String.join(File.pathSeparator, places);
    }

    private Path source(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("\n", lines));
    }

    @Test
    void aModuleOfSomebodyElseIsCompiledWithoutTheAnnotationsForNull() throws IOException, URISyntaxException {
        Path module = source(
                "module-info.java", "module other {", "requires dev.pail.repository;", "requires dev.pail.table;", "}");
        Path use = source(
                "Use.java",
                "package other;",
                "class Use {",
                "    static Object change(java.nio.file.Path folder, dev.pail.ipld.Cid value) {",
                "        try (var repository = dev.pail.repository.files.FileRepository.open(folder)) {",
                "            var pail = repository.update(\"main\", before -> before.put(\"a\", value)).pail();",
                "            return dev.pail.table.Tables.of(pail).equals(pail.namespace(\"b\"));",
                "        } catch (dev.pail.repository.model.RepositoryException e) {",
                "            throw new dev.pail.StoreIOException(\"a\", \"b\", \"c\", e);",
                "        }",
                "    }",
                "}");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        List<String> options = List.of(
                "-Xlint:all",
                "-Werror",
                "-proc:none",
                "--module-path",
                modulePath(PUBLISHED),
                "-d",
                folder.resolve("out").toString());
        boolean compiled = compiler.getTask(
                        said,
                        null,
                        null,
                        options,
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(module, use))
                .call();
        assertThat(compiled).as(said.toString()).isTrue();
    }

    /** Merges two branches of a table by a program that names only the module of repositories. Gives what it prints. */
    private String merged(List<Class<?>> published) throws IOException, URISyntaxException, InterruptedException {
        Path use = source(
                "Merge.java",
                "import dev.pail.*; import dev.pail.ipld.*; import dev.pail.repository.*; import dev.pail.repository.model.*;",
                "class Merge {",
                "    static Pail put(Pail pail, String key, Block block) {",
                "        pail.blocks().put(block);",
                "        return pail.put(key, block.cid());",
                "    }",
                "    static Block map(String text) {",
                "        DagCborWriter writer = new DagCborWriter().map(2).text(\"number\").integer(25023);",
                "        writer.text(\"indexes\").array(text.isEmpty() ? 0 : 1);",
                "        return Block.of(Cid.DAG_CBOR, (text.isEmpty() ? writer : writer.text(text)).toByteArray());",
                "    }",
                "    public static void main(String... none) {",
                "        try (Repository repository = Repository.inMemory()) {",
                "            repository.update(\"main\", pail -> put(pail, \"Tpeople\", map(\"\")));",
                "            repository.branches().create(\"side\", repository.head(\"main\"));",
                "            repository.update(\"main\", pail -> put(pail, \"Tpeople\", map(\"age\")));",
                "            repository.update(\"side\", pail -> put(pail, \"Tpeople\", map(\"city\")));",
                "            try {",
                "                Pail both = repository.merge(\"main\", \"side\", MergeOptions.DEFAULT).pail();",
                "                System.out.println(new String(both.getBytes(\"Tpeople\").get()).contains(\"age\")",
                "                        && new String(both.getBytes(\"Tpeople\").get()).contains(\"city\"));",
                "            } catch (NoMergeRulesException e) {",
                "                System.out.println(e.code());",
                "            }",
                "        }",
                "    }",
                "}");
        Path said = folder.resolve("said");
        Process run = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath(published),
                        "--add-modules",
                        "dev.pail.repository",
                        use.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        run.waitFor();
        return Files.readString(said).strip();
    }

    @Test
    void aProgramMergesTablesIfTheirModuleIsOnTheModulePath_R10() throws Exception {
        assertThat(merged(PUBLISHED)).isEqualTo("true");
        List<Class<?>> without =
                PUBLISHED.stream().filter(each -> each != Tables.class).toList();
        assertThat(merged(without)).isEqualTo("no-merge-rules");
    }
}
