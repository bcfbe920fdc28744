package dev.pail.bench;

import dev.pail.bench.Entries.Order;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The same entries through this project and through others, in alternation: each work in a process of its own, each
 * round one process of each. All must agree on the entries. Prints tables in Markdown.
 */
public final class Compare {
    private static final String MEMORY = "memory";
    private static final String COMMANDS = "commands";

    private final Settings settings;
    private final Processes processes;
    private final Results results = new Results();
    private final Map<String, String> digests = new HashMap<>();
    private final PrintStream progress;
    private String missingPeers = "";

    private Compare(Settings settings, Processes processes, PrintStream progress) {
        this.settings = settings;
        this.processes = processes;
        this.progress = progress;
    }

    /** What was asked for on the command line. */
    record Settings(int rounds, boolean quick, boolean plot, Pattern only, Optional<Path> json) {
        static Settings parse(List<String> arguments) {
            boolean quick = arguments.contains("--quick");
            int rounds = quick ? 1 : 5;
            Pattern only = Pattern.compile("");
            Optional<Path> json = Optional.empty();
            for (int i = 0; i < arguments.size(); i++) {
                switch (arguments.get(i)) {
                    case "--quick", "--plot" -> {}
                    case "--rounds" -> rounds = Integer.parseInt(value(arguments, ++i));
                    case "--only" -> only = Pattern.compile(value(arguments, ++i));
                    case "--json" -> json = Optional.of(Path.of(value(arguments, ++i)));
                    default -> throw new IllegalArgumentException("no such option: " + arguments.get(i));
                }
            }
            if (rounds < 1) {
                throw new IllegalArgumentException("--rounds takes a number from 1");
            }
            return new Settings(rounds, quick, arguments.contains("--plot"), only, json);
        }

        private static String value(List<String> arguments, int at) {
            if (at >= arguments.size()) {
                throw new IllegalArgumentException(arguments.get(at - 1) + " takes a value");
            }
            return arguments.get(at);
        }

        /** Writes the figures, if a file is named. */
        void write(Results results) throws IOException {
            if (json.isPresent()) {
                results.write(json.get());
            }
        }

        /** Whether something with this name is to be measured. */
        boolean wants(String name) {
            return only.matcher(name).find();
        }
    }

    /** {@code Compare MODULE-FOLDER [--quick] [--rounds N] [--only REGEX] [--json FILE] [--plot]}. Exit status 1 if anything disagrees. */
    public static void main(String... arguments) throws IOException {
        Settings settings;
        try {
            settings = Settings.parse(List.of(arguments).subList(1, arguments.length));
        } catch (IllegalArgumentException e) {
            System.err.println("error: " + e.getMessage());
            System.err.println(
                    "usage: pail-bench/compare [--quick] [--rounds N] [--only REGEX] [--json FILE] [--plot]");
            System.exit(2);
            return;
        }
        Path module = Path.of(arguments[0]).toAbsolutePath().normalize();
        Compare compare = new Compare(settings, new Processes(module), System.err);
        String report = settings.plot() ? compare.growth(module) : compare.everything();
        System.out.print(report);
        settings.write(compare.results);
        if (!compare.results.failures().isEmpty()) {
            compare.results.failures().forEach(failure -> System.err.println("FAILED: " + failure));
            System.exit(1);
        }
    }

    private String growth(Path module) throws IOException {
        Growth growth = new Growth(this::trial, processes.folder("keys"), settings.quick());
        growth.measure(progress);
        Files.writeString(
                settings.quick()
                        ? processes.folder("runs").resolve("growth.svg")
                        : module.resolve("results/map-growth.svg"),
                growth.plot().svg());
        return growth.table();
    }

    private String everything() throws IOException {
        try {
            processes.installPeers();
        } catch (Processes.FailedException e) {
            missingPeers = "**Without the peers of Node.js: " + e.sentence() + "**\n\n";
            progress.print(missingPeers);
        }
        List<Work> works = (settings.quick() ? Work.quick() : Work.all())
                .stream().filter(work -> settings.wants(work.id())).toList();
        for (Work work : works) {
            measure(work);
        }
        if (settings.wants(MEMORY) && !settings.quick()) {
            progress.println(MEMORY);
            MemoryTrial.measure(processes, keyFile(KeySet.W2, 1_000_000, Order.SORTED), results);
        }
        if (settings.wants(COMMANDS)) {
            progress.println(COMMANDS);
            measureCommands(settings.quick() ? 200 : 10_000, settings.quick() ? 1 : 2 * settings.rounds());
        }
        return report(works);
    }

    private void measure(Work work) throws IOException {
        Path file = keyFile(work.set(), work.keys(), work.order());
        for (int round = 1; round <= settings.rounds(); round++) {
            for (Work.Entrant entrant : work.entrants()) {
                boolean left = entrant.contestant().isNode() && !missingPeers.isEmpty();
                if (round > entrant.rounds() || left) {
                    continue;
                }
                Trial.Options options = work.options(entrant, settings.quick());
                Trial.Outcome outcome = trial(entrant.contestant(), work.operation(), file, options);
                if (outcome.nanos() > 0) {
                    results.add(work, entrant.contestant(), outcome);
                    progress.printf(
                            Locale.ROOT,
                            "%s, round %d, %s: %s a second%n",
                            work.id(),
                            round,
                            entrant.contestant().id(),
                            Report.number(outcome.perSecond()));
                }
            }
        }
    }

    /** Runs a trial and checks what it says is there. What fails has no nanoseconds. */
    private Trial.Outcome trial(Contestant contestant, Operation operation, Path file, Trial.Options options)
            throws IOException {
        try {
            Trial.Outcome outcome = processes.trial(contestant, operation, file, options);
            String wanted = digest(file, options.keys());
            if (!outcome.digest().equals(wanted)) {
                results.fail(contestant.id() + " " + operation.id() + " " + file.getFileName() + ": it has "
                        + outcome.count() + " entries with another digest than the key file's");
            }
            return outcome;
        } catch (Processes.FailedException e) {
            results.fail(contestant.id() + " " + operation.id() + " " + file.getFileName() + ": " + e.sentence());
            return new Trial.Outcome(0, 0, 0, 0, 0, "");
        }
    }

    /** The digest of the first entries of a key file, found out without any map. */
    private String digest(Path file, int keys) throws IOException {
        String name = file.getFileName() + " " + keys;
        String known = digests.get(name);
        if (known == null) {
            known = Entries.read(file, keys).digest();
            digests.put(name, known);
        }
        return known;
    }

    /** Written once: the keys are always the same. */
    private Path keyFile(KeySet set, int keys, Order order) throws IOException {
        return Growth.keyFile(processes.folder("keys"), set, keys, order);
    }

    private void measureCommands(int keys, int rounds) throws IOException {
        Path file = keyFile(KeySet.W2, keys, Order.GIVEN);
        boolean node = missingPeers.isEmpty();
        try {
            CommandLine commands = new CommandLine(processes, results, Entries.read(file, keys));
            commands.prepare(file, node);
            for (int round = 0; round < rounds; round++) {
                commands.round(node);
            }
        } catch (Processes.FailedException e) {
            results.fail(e.sentence());
        }
    }

    private String report(List<Work> works) {
        String machine = String.format(
                Locale.ROOT,
                "%d processors, Java %s, %s. Medians, rounds: %d; in parentheses how often it goes into ours.",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                settings.rounds());
        String warning = settings.quick()
                ? "A quick run shows only that all work: nothing is warm, and its figures mean nothing."
                : "";
        // The targets are for the full sizes.
        String targets = settings.quick() ? "" : Report.targets(Target.all(), results);
        return Stream.of(
                                missingPeers.strip(),
                                machine,
                                warning,
                                Report.works(works, results).strip(),
                                CommandLine.table(results).strip(),
                                targets.strip(),
                                results.failures().isEmpty()
                                        ? "All agree on the entries."
                                        : "**Not all worked, or agreed.**")
                        .filter(part -> !part.isEmpty())
                        .reduce("", (all, part) -> all + part + "\n\n")
                        .stripTrailing()
                + "\n";
    }
}
