package dev.pail.checks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The modules of this project: those on the class path with what they export to all, and the folders of their sources. */
public final class Modules {
    public static final Path PROJECT = Path.of(System.getProperty("pail.project", ".."));

    /** The module of contracts and simulated disks, which is for tests. */
    static final String TESTKIT = "dev.pail.testkit";

    private Modules() {}

    /** The packages that each module exports to all, by the name of the module. */
    static Map<String, Set<String>> exported() {
        Map<String, Set<String>> exported = new TreeMap<>();
        try {
            for (URL file : Collections.list(Modules.class.getClassLoader().getResources("module-info.class"))) {
                try (InputStream in = file.openStream()) {
                    ModuleDescriptor module = ModuleDescriptor.read(in);
                    if (module.name().startsWith("dev.pail")) {
                        exported.put(module.name(), exported(module));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return exported;
    }

    private static Set<String> exported(ModuleDescriptor module) {
        return module.exports().stream()
                .filter(export -> !export.isQualified())
                .map(ModuleDescriptor.Exports::source)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The packages that all modules but that of the test kit export to all. */
    static Set<String> exportedForPrograms() {
        Map<String, Set<String>> exported = exported();
        exported.remove(TESTKIT);
        return exported.values().stream().flatMap(Collection::stream).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The folders of modules that are published: they have sources in {@code src/main/java} and are not for benchmarks or tests. */
    public static List<Path> published() {
        try (Stream<Path> folders = Files.list(PROJECT)) {
            return folders.filter(each -> String.valueOf(each.getFileName()).startsWith("pail-"))
                    .filter(each -> Files.isDirectory(each.resolve("src/main/java")))
                    .filter(each -> !each.endsWith("pail-bench") && !each.endsWith("pail-testkit"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
