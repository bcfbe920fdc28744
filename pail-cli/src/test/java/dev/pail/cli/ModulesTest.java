package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.Pail;
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
    private static final List<Class<?>> PUBLISHED =
            List.of(Pail.class, Repository.class, Tables.class, Caffeine.class, JsonFactory.class);

    @TempDir
    Path folder;

    private static String modulePath() throws URISyntaxException {
        List<String> places = new ArrayList<>();
        for (Class<?> each : PUBLISHED) {
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
                "module-info.java", "module other {", "requires dev.pail.blockstore;", "requires dev.pail.table;", "}");
        Path use = source(
                "Use.java",
                "package other;",
                "class Use {",
                "    static Object change(java.nio.file.Path folder, dev.pail.ipld.Cid value) {",
                "        try (var repository = dev.pail.repository.Repository.open(folder)) {",
                "            var pail = repository.update(\"main\", before -> before.put(\"a\", value));",
                "            return dev.pail.table.Tables.of(pail).equals(pail.namespace(\"b\"));",
                "        } catch (dev.pail.repository.RepositoryException e) {",
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
                modulePath(),
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
}
