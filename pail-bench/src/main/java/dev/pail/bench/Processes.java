package dev.pail.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Starts the processes that are measured: one for each contestant, work and round. */
final class Processes {
    private static final long MOST_MINUTES = 20;

    /** With fewer keys it is over before the second compiler has begun. */
    private static final int FEW_KEYS = 1000;

    private static final TypeReference<Map<String, Double>> FIGURES = new TypeReference<>() {};

    private final Path module;
    private final Path target;

    /** @param module the folder of this module, with its scripts for Node.js */
    Processes(Path module) {
        this.module = module;
        this.target = module.resolve("target");
    }

    /** A folder below target that is there. */
    Path folder(String name) throws IOException {
        return Files.createDirectories(target.resolve(name));
    }

    /** The folder with the project. */
    Path project() {
        return module.resolve("..").normalize();
    }

    /** Where the packages of Node.js are. */
    Path packages() {
        return target.resolve("node");
    }

    /** A process that ended badly. */
    static final class FailedException extends Exception {
        private static final long serialVersionUID = 1;

        private final String sentence;

        FailedException(String sentence) {
            super(sentence);
            this.sentence = sentence;
        }

        /** What happened. */
        String sentence() {
            return sentence;
        }
    }

    /**
     * Installs the packages of the peers, as the lock file has them.
     *
     * @throws FailedException if Node.js or the registry is not there
     */
    void installPeers() throws IOException, FailedException {
        for (String program : List.of("node", "npm")) {
            if (!isOnPath(program)) {
                throw new FailedException(program + " is not on the PATH");
            }
        }
        Path folder = Files.createDirectories(packages());
        try (Stream<Path> sources = Files.list(module.resolve("node"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                Files.copy(source, folder.resolve(source.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Path lock = folder.resolve("package-lock.json");
        Path installed = folder.resolve("installed-lock.json");
        if (Files.exists(installed) && Files.mismatch(lock, installed) < 0) {
            return;
        }
        run(
                folder,
                "npm",
                "ci",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--prefer-offline",
                "--fetch-retries=1");
        Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Runs a trial in a process of its own. */
    Trial.Outcome trial(Contestant contestant, Operation operation, Path keys, Trial.Options options)
            throws IOException, FailedException {
        List<String> program = contestant.isNode()
                ? List.of(
                        "node",
                        "--max-old-space-size=4096",
                        packages().resolve("trial.js").toString())
                : java(Trial.class, options);
        return trial(program, options, contestant.id(), operation.id(), keys.toString());
    }

    /** Runs a trial of a table in a process of its own. */
    Trial.Outcome trial(PeopleTable.Contestant contestant, TablesTrial.Work work, Trial.Options options)
            throws IOException, FailedException {
        return trial(java(TablesTrial.class, options), options, contestant.name(), work.name());
    }

    /** Runs a trial of a store in a process of its own, and gives its figures. */
    Map<String, Double> trial(SegmentsTrial.Task task, Trial.Options options) throws IOException, FailedException {
        List<String> command = java(SegmentsTrial.class, options);
        // LMDB takes the addresses of buffers.
        command.addAll(
                1,
                List.of("--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"));
        // A run of puts fits into the young generation, so that nothing is moved meanwhile.
        command.add(1, "-Xmn6g");
        // What this user has set for git does not count, and nothing is set.
        command.add(1, "-Duser.home=" + folder("home"));
        if (options.keys() < FEW_KEYS) {
            command.add(1, "-XX:TieredStopAtLevel=1");
        }
        command.add(Trial.JSON.writeValueAsString(task));
        command.add(Trial.JSON.writeValueAsString(options));
        return figures(run(target, command.toArray(String[]::new)));
    }

    /** The figures that a process printed. */
    static Map<String, Double> figures(String out) throws IOException {
        return Trial.JSON.readValue(out, FIGURES);
    }

    private static List<String> java(Class<?> main, Trial.Options options) {
        String heap = options.keys() > 2_000_000 ? "14g" : "8g";
        // In measured runs the process takes all of its heap at the start, so that no measurement waits for the system
        // to allocate it.
        List<String> command = options.warmSeconds() > 0
                ? java("-Xmx" + heap, "-Xms" + heap, "-XX:+AlwaysPreTouch", "-XX:+UseParallelGC")
                : java("-Xmx" + heap, "-XX:+UseParallelGC");
        command.add(main.getName());
        return command;
    }

    private Trial.Outcome trial(List<String> program, Trial.Options options, String... arguments)
            throws IOException, FailedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        command.add(Trial.JSON.writeValueAsString(options));
        return Trial.JSON.readValue(run(target, command.toArray(String[]::new)), Trial.Outcome.class);
    }

    /** The command of this Java. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The command of a Java with what this one has on its class path. */
    static List<String> java(String... options) {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(List.of(options));
        command.add("-cp");
        // Absolute, since processes are started in folders of their own.
        command.add(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator)));
        return command;
    }

    /**
     * What a process took.
     *
     * @param out what it wrote to standard output
     * @param seconds from its start to its end
     * @param cpuSeconds the processor time of all of its threads
     * @param peakBytes the most resident memory, with the pages of mapped files; 0 where the system does not tell
     */
    record Run(String out, double seconds, double cpuSeconds, long peakBytes) {}

    /** Runs a command to its end and returns what it wrote to standard output. */
    String run(Path folder, String... command) throws IOException, FailedException {
        return measured(folder, MOST_MINUTES, command).out();
    }

    /** Runs a command to its end. Processor time and memory are read every 20 ms, so what the last 20 ms took is not in them. */
    Run measured(Path folder, long mostMinutes, String... command) throws IOException, FailedException {
        Path out = Files.createTempFile(folder("runs"), "out", ".txt");
        Path err = Files.createTempFile(folder("runs"), "err", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        long start = System.nanoTime();
        long peak = 0;
        Duration cpu = Duration.ZERO;
        try {
            while (!process.waitFor(20, TimeUnit.MILLISECONDS)) {
                cpu = process.info().totalCpuDuration().orElse(cpu);
                peak = Math.max(peak, peak(process.pid()));
                if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(mostMinutes)) {
                    process.destroyForcibly();
                    throw new FailedException(command[0] + " took more than " + mostMinutes + " minutes");
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            if (process.exitValue() != 0) {
                throw new FailedException("exit status " + process.exitValue() + ": "
                        + Files.readString(err)
                                .lines()
                                .filter(line -> !line.isBlank())
                                .limit(6)
                                .toList());
            }
            return new Run(Files.readString(out), seconds, cpu.toNanos() / 1e9, peak);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }

    /** The most resident memory of a process so far, in bytes; 0 if it has ended, or where this is no Linux. */
    private static long peak(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException | UncheckedIOException e) {
            return 0;
        }
    }
}
