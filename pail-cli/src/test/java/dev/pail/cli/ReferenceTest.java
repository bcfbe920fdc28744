package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages of {@code docs/reference/} say what {@code pail help} says. With {@code -Dpail.write}, they are written. */
class ReferenceTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("pail.project", "..")).resolve("docs/reference");

    @Test
    void thePagesAreThoseOfTheCommands() throws IOException {
        Map<String, String> pages = ReferencePages.all();
        if (System.getProperty("pail.write") != null) {
            Files.createDirectories(FOLDER);
            for (Map.Entry<String, String> page : pages.entrySet()) {
                Files.writeString(FOLDER.resolve(page.getKey()), page.getValue());
            }
        }
        Map<String, String> there = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path file : files.toList()) {
                there.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        assertThat(there).as("write them with -Dpail.write").isEqualTo(pages);
    }
}
