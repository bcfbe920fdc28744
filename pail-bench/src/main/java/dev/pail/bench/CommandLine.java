package dev.pail.bench;

import dev.pail.Batch;
import dev.pail.ShardFormat;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commands as a shell starts them, from start to end, on the same entries. */
final class CommandLine {
    static final String OURS = "pail ";
    static final String NPM = "npm pail 0.6.2 ";
    static final String HELLO = "a Java that says hello";

    private final Processes processes;
    private final Results results;
    private final Entries entries;
    private final Path folder;

    CommandLine(Processes processes, Results results, Entries entries) throws IOException {
        this.processes = processes;
        this.results = results;
        this.entries = entries;
        this.folder = Files.createTempDirectory(processes.folder("commands"), "run");
    }

    /** {@code CommandLine}: says hello. */
    public static void main(String... arguments) {
        System.out.println("hello");
    }

    /** Makes the repository and, if there is Node.js, the CAR file of the other. */
    void prepare(Path keys, boolean node) throws IOException, Processes.FailedException {
        try (Repository repository = FileRepository.init(folder.resolve("store"), ShardFormat.v1())) {
            repository.update(Repository.MAIN, pail -> {
                Batch batch = pail.batch();
                for (int i = 0; i < entries.size(); i++) {
                    batch.put(entries.keys().get(i), entries.values().get(i));
                }
                return batch.commit();
            });
        }
        // The first start makes the launcher's archive of classes.
        processes.run(folder, ours("root").toArray(String[]::new));
        if (node) {
            processes.run(
                    folder,
                    "node",
                    processes.packages().resolve("write-car.js").toString(),
                    keys.toString(),
                    Integer.toString(entries.size()),
                    "pail.car");
        }
    }

    /** One start of each. */
    void round(boolean node) throws IOException, Processes.FailedException {
        String key = entries.keys().get(entries.size() / 2);
        String value = entries.values().get(entries.size() / 2) + "\n";
        // As pail is started, and with one JAR file to look into.
        List<String> hello = List.of(
                Processes.java(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseG1GC",
                "-Xshare:auto",
                "-cp",
                CommandLine.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath(),
                CommandLine.class.getName());
        check(HELLO, "hello\n", timed(HELLO, hello));
        check(OURS + "get", value, timed(OURS + "get", ours("get", key)));
        checkList(OURS + "ls", timed(OURS + "ls", ours("ls")));
        if (node) {
            check(NPM + "get", value, timed(NPM + "get", npm("get", key)));
            String list = timed(NPM + "ls", npm("ls"));
            checkList(NPM + "ls", list.substring(0, list.lastIndexOf("total ")));
        }
    }

    private List<String> ours(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(processes.project().resolve("bin/pail").toString());
        command.addAll(List.of("-C", folder.resolve("store").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> npm(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add("node");
        command.add(processes
                .packages()
                .resolve("node_modules/pail-0.6/dist/cli.js")
                .toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private String timed(String name, List<String> command) throws IOException, Processes.FailedException {
        long start = System.nanoTime();
        String said = processes.run(folder, command.toArray(String[]::new));
        results.add(name, (System.nanoTime() - start) / 1e6);
        return said;
    }

    private void checkList(String name, String list) {
        Entries.Digest digest = new Entries.Digest();
        list.lines().forEach(line -> {
            int tab = line.indexOf('\t');
            digest.add(line.substring(0, tab), Cid.parse(line.substring(tab + 1)));
        });
        check(name, entries.digest(), digest.toString());
    }

    private void check(String name, String wanted, String said) {
        if (!wanted.equals(said)) {
            results.fail(name + " gave " + said.strip() + " instead of " + wanted.strip());
        }
    }

    /** What was measured, as a table. */
    static String table(Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (String name : List.of(HELLO, OURS + "get", NPM + "get", OURS + "ls", NPM + "ls")) {
            results.figure(name).ifPresent(value -> rows.add(List.of(name, Report.number(value))));
        }
        return rows.isEmpty() ? "" : Report.table(List.of("command", "milliseconds"), rows);
    }
}
