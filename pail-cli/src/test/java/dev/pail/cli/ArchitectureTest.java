package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The rooms of the command: a room uses those below it, and no files use each other in a circle. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // The import of the classes takes longer than all tests.
class ArchitectureTest {
    private static final String CLI = "dev.pail.cli";

    /** The rooms, the lowest first. */
    private static final List<String> ROOMS = List.of(
            ".terminal",
            ".text",
            ".command",
            ".table",
            ".command.folder",
            ".command.map",
            ".command.history",
            ".command.store",
            ".command.exchange",
            "");

    private static final int MOST_FILES = 30;

    /** The files that each file uses. */
    private final Map<String, Set<String>> uses = new TreeMap<>();

    ArchitectureTest() {
        for (JavaClass each : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(CLI)) {
            Set<String> used = uses.computeIfAbsent(file(each), any -> new TreeSet<>());
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                String target = file(dependency.getTargetClass().getBaseComponentType());
                if (target.startsWith(CLI + ".") && !target.equals(file(each))) {
                    used.add(target);
                }
            }
        }
    }

    private static String file(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    private static String room(String file) {
        return file.substring(CLI.length(), file.lastIndexOf('.'));
    }

    private static int floor(String file) {
        return ROOMS.indexOf(room(file));
    }

    @Test
    void aRoomUsesOnlyRoomsBelowIt() {
        List<String> up = new ArrayList<>();
        uses.forEach((file, used) -> used.stream()
                .filter(other -> floor(other) > floor(file))
                .forEach(other -> up.add(file + " -> " + other)));
        assertThat(uses.keySet()).allMatch(file -> floor(file) >= 0);
        assertThat(up).isEmpty();
    }

    @Test
    void noFilesUseEachOtherInACircle() {
        Set<String> left = new TreeSet<>(uses.keySet());
        // What uses nothing that is left is in no circle.
        boolean isLess = true;
        while (isLess) {
            isLess = left.removeIf(file -> uses.get(file).stream().noneMatch(left::contains));
        }
        assertThat(left).isEmpty();
    }

    @Test
    void noRoomHasTooManyFiles() {
        Map<String, Integer> files = new TreeMap<>();
        uses.keySet().forEach(file -> files.merge(room(file), 1, Integer::sum));
        assertThat(files).hasSameSizeAs(ROOMS);
        assertThat(files.values()).allMatch(count -> count <= MOST_FILES);
    }
}
