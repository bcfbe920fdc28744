package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.JApiChangeStatus;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiField;
import japicmp.model.JApiMethod;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What breaks programs that were compiled with the last release is named in the changelog. The folder with its jars is
 * {@code -Dpail.baseline}.
 */
class BaselineTest {
    @TempDir
    Path folder;

    private static List<Path> jars(Path baseline) throws IOException {
        try (Stream<Path> files = Files.list(baseline)) {
            return files.filter(each -> each.toString()
                            .matches(".*/pail-(core|blockstore|repository|table|server|jdbc|s3)-[0-9.]+\\.jar"))
                    .sorted()
                    .toList();
        }
    }

    /** The packages that modules of the baseline export to all. */
    private static Set<String> exported(List<Path> jars) {
        Set<String> packages = new TreeSet<>();
        ModuleFinder.of(jars.toArray(Path[]::new))
                .findAll()
                .forEach(module -> module.descriptor().exports().stream()
                        .filter(each -> !each.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .forEach(packages::add));
        return packages;
    }

    /** The classes of all modules here, in one jar. */
    private Path present() throws IOException {
        Path jar = folder.resolve("present.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (Path module : Modules.published()) {
                Path classes = module.resolve("target/classes");
                if (!Files.isDirectory(classes)) {
                    continue;
                }
                try (Stream<Path> files = Files.walk(classes.resolve("dev"))) {
                    for (Path each : files.filter(Files::isRegularFile).toList()) {
                        out.putNextEntry(
                                new JarEntry(classes.relativize(each).toString().replace('\\', '/')));
                        Files.copy(each, out);
                    }
                }
            }
        }
        return jar;
    }

    private static boolean isBroken(JApiCompatibility member) {
        return !member.isBinaryCompatible() || !member.isSourceCompatible();
    }

    private static String simple(JApiClass type) {
        return simple(type.getFullyQualifiedName());
    }

    /** A type without its package: types that were moved are named by themselves. */
    private static String simple(String type) {
        return type.replaceAll("^[a-z.0-9]*\\.(?=[A-Z])", "").replace('$', '.');
    }

    private static String signature(JApiMethod method, String result) {
        return method.getParameters().stream()
                .map(each -> simple(each.getType()))
                .collect(Collectors.joining(", ", simple(result) + " " + method.getName() + "(", ")"));
    }

    @Test
    void theChangelogNamesWhatBreaksPrograms() throws IOException {
        String given = System.getProperty("pail.baseline", "");
        assumeTrue(!given.isEmpty(), "no -Dpail.baseline: a folder with the jars of the last release");
        List<Path> before = jars(Path.of(given));
        assertThat(before).isNotEmpty();
        Set<String> exported = exported(before);
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
        List<JApiClass> types = new JarArchiveComparator(options)
                .compare(
                        before.stream()
                                .map(each -> new JApiCmpArchive(each.toFile(), "before"))
                                .toList(),
                        List.of(new JApiCmpArchive(present().toFile(), "now")));
        Set<String> found = new TreeSet<>();
        for (JApiClass type : types) {
            if (!exported.contains(type.getFullyQualifiedName().replaceAll("\\.[A-Z].*", ""))) {
                continue;
            }
            if (type.getChangeStatus() == JApiChangeStatus.REMOVED) {
                found.add(simple(type));
            } else {
                Set<String> present = type.getMethods().stream()
                        .filter(each -> each.getNewMethod().isPresent())
                        .map(each -> signature(each, each.getReturnType().getNewReturnType()))
                        .collect(Collectors.toSet());
                type.getMethods().stream()
                        .filter(BaselineTest::isBroken)
                        .filter(each -> each.getOldMethod().isPresent())
                        .filter(each -> !present.contains(
                                signature(each, each.getReturnType().getOldReturnType())))
                        .forEach(each -> found.add(simple(type) + "." + each.getName()));
                type.getFields().stream()
                        .filter(BaselineTest::isBroken)
                        .map(JApiField::getName)
                        .forEach(name -> found.add(simple(type) + "." + name));
            }
        }
        // A type is moved with those in it.
        found.removeIf(each -> each.contains(".") && found.contains(each.substring(0, each.indexOf('.'))));
        String page = Files.readString(Modules.PROJECT.resolve("CHANGELOG.md"));
        int start = page.indexOf("## Unreleased");
        int end = page.indexOf("\n## ", start + 1);
        String unreleased = page.substring(start, end < 0 ? page.length() : end);
        assertThat(found)
                .as("changes that break programs, and that the changelog does not name")
                .filteredOn(each -> !isNamed(unreleased, each))
                .isEmpty();
    }

    /** Whether the type or the member is named. */
    private static boolean isNamed(String page, String name) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        return Pattern.compile("`[^`\n]*\\b" + last + "\\b[^`\n]*`")
                .matcher(page)
                .find();
    }
}
