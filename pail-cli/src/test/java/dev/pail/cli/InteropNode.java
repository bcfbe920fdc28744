package dev.pail.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Node.js with the npm packages that {@code src/test/interop/package-lock.json} names. They are installed into
 * {@code target/interop}, once for each lock file, and the scripts are copied there, because Node looks for packages around
 * the script.
 */
final class InteropNode {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final Path MODULE = Path.of(System.getProperty("pail.project", ".."))
            .resolve("pail-cli")
            .toAbsolutePath();
    private static final Path SOURCES = MODULE.resolve("src/test/interop");
    private static final Path EXAMPLES = MODULE.resolve("../examples/js");
    private static final Path FOLDER = MODULE.resolve("target/interop");

    /** What npm says where the packages and the lock file do not match: not the fault of the machine. */
    private static final List<String> OUR_FAULT = List.of("EUSAGE", "EINTEGRITY", "EJSONPARSE");

    private static final Pattern NPM_ERROR = Pattern.compile("^npm (ERR!|error) ");

    private static final AtomicInteger RUNS = new AtomicInteger();

    private InteropNode() {}

    /**
     * Node, ready to run; if it cannot be had on this machine, the test is skipped. With {@code -Dpail.complete} it fails where Node
     * is there, but its packages are not.
     */
    static InteropNode required() {
        if (!Installation.MISSING.isEmpty()) {
            String missing = "no comparison with npm packages: " + Installation.MISSING;
            if (Boolean.getBoolean("pail.complete") && isOnPath("node")) {
                throw new AssertionError(missing);
            }
            Assumptions.abort(missing);
        }
        return new InteropNode();
    }

    /** Tried once, when first asked for. */
    private static final class Installation {
        /** Why there is none; empty, if there is one. */
        static final String MISSING = install();

        private static String install() {
            try {
                for (String program : List.of("node", "npm")) {
                    if (!isOnPath(program)) {
                        return announced(program + " is not on the PATH");
                    }
                }
                Files.createDirectories(FOLDER.resolve("runs"));
                // Tests run in several processes. The lock ends with the channel.
                try (FileChannel channel =
                        FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    FileLock lock = channel.lock();
                    copySources();
                    String missing = installPackages();
                    lock.release();
                    return announced(missing);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String announced(String missing) {
            if (!missing.isEmpty()) {
                System.out.println("SKIPPED: no comparison with npm packages: " + missing);
            }
            return missing;
        }
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, program))
                .anyMatch(Files::isExecutable);
    }

    private static void copySources() throws IOException {
        for (Path folder : List.of(SOURCES, EXAMPLES)) {
            try (Stream<Path> sources = Files.list(folder)) {
                for (Path source : sources.toList()) {
                    Path copy = FOLDER.resolve(source.getFileName());
                    // Another process may be reading a copy that is there.
                    if (!Files.exists(copy) || Files.mismatch(source, copy) >= 0) {
                        Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
    }

    /** Returns why it did not work; nothing, if it did. */
    private static String installPackages() throws IOException {
        Path wanted = SOURCES.resolve("package-lock.json");
        Path installed = FOLDER.resolve("installed-lock.json");
        if (Files.exists(installed) && Files.mismatch(wanted, installed) < 0) {
            return "";
        }
        Files.deleteIfExists(installed);
        Path log = FOLDER.resolve("npm-ci.log");
        Process npm = new ProcessBuilder(
                        "npm",
                        "ci",
                        "--ignore-scripts",
                        "--no-audit",
                        "--no-fund",
                        "--prefer-offline",
                        "--fetch-retries=1")
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (exit(npm) == 0) {
            Files.copy(wanted, installed);
            return "";
        }
        String said = Files.readString(log);
        if (OUR_FAULT.stream().anyMatch(said::contains)) {
            throw new IllegalStateException("npm ci: " + said);
        }
        return "npm ci failed: "
                + said.lines()
                        .filter(line -> NPM_ERROR.matcher(line).find())
                        .limit(3)
                        .collect(Collectors.joining("; "));
    }

    private static int exit(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            process.destroy();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a script to its end, with these lines of JSON to read, and returns those that it wrote. */
    List<JsonNode> run(String script, List<?> input, Object... arguments) {
        Path files = FOLDER.resolve("runs")
                .resolve(ProcessHandle.current().pid() + "-" + RUNS.incrementAndGet() + "-" + script);
        Path in = files.resolveSibling(files.getFileName() + ".in");
        Path out = files.resolveSibling(files.getFileName() + ".out");
        Path err = files.resolveSibling(files.getFileName() + ".err");
        try {
            StringBuilder lines = new StringBuilder();
            for (Object line : input) {
                lines.append(JSON.writeValueAsString(line)).append('\n');
            }
            Files.writeString(in, lines);
            Process node = command(script, arguments)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            int exit = exit(node);
            if (exit != 0) {
                throw new AssertionError(script + " " + Arrays.toString(arguments) + ": exit status " + exit + "\n"
                        + Files.readString(err));
            }
            return parse(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a script that answers line by line. What it says on standard error goes to the standard error of the test. */
    Process start(String script) {
        try {
            return command(script)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProcessBuilder command(String script, Object... arguments) {
        List<String> command = new ArrayList<>(List.of("node", script));
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        return new ProcessBuilder(command).directory(FOLDER.toFile());
    }

    private static List<JsonNode> parse(Path file) throws IOException {
        List<JsonNode> values = new ArrayList<>();
        for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n", -1)) {
            if (!line.isEmpty()) {
                values.add(JSON.readTree(line));
            }
        }
        return values;
    }
}
