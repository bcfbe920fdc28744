package dev.pail.bench;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.ipld.Cid;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whether a large pail can be made and read with little memory. */
final class MemoryTrial {
    static final String LOAD = "load of 1,000,000 keys into a directory";
    static final String GET = "get on it";

    private MemoryTrial() {}

    /**
     * {@code MemoryTrial load FOLDER KEY-FILE} puts all entries of a file in one batch and prints the root;
     * {@code MemoryTrial get FOLDER KEY-FILE ROOT} looks up every thousandth.
     */
    public static void main(String... arguments) throws IOException {
        Path keys = Path.of(arguments[2]);
        try (DirectoryBlockStore blocks = DirectoryBlockStore.open(Path.of(arguments[1]))) {
            if (arguments[0].equals("load")) {
                System.out.println(load(blocks, keys));
            } else {
                get(Pail.open(blocks, Cid.parse(arguments[3])), keys);
            }
        }
    }

    /** Line by line: the keys that are not put yet take no memory. */
    private static Cid load(DirectoryBlockStore blocks, Path keys) throws IOException {
        Batch batch = Pail.create(blocks).batch();
        try (BufferedReader in = Files.newBufferedReader(keys)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int tab = line.indexOf('\t');
                batch.put(line.substring(0, tab), Cid.parse(line.substring(tab + 1)));
            }
        }
        return batch.commit().root();
    }

    private static void get(Pail pail, Path keys) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(keys)) {
            long number = 0;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int tab = line.indexOf('\t');
                if (number++ % 1000 == 0
                        && !pail.get(line.substring(0, tab))
                                .orElseThrow()
                                .toString()
                                .equals(line.substring(tab + 1))) {
                    throw new IllegalStateException("another value: " + line);
                }
            }
        }
    }

    /** Does both, each in a process of its own. */
    static void measure(Processes processes, Path keys, Results results) throws IOException {
        String folder =
                Files.createTempDirectory(processes.folder("memory"), "blocks").toString();
        try {
            String root = limited(processes, "-Xmx512m", "load", folder, keys.toString());
            results.add(LOAD, 1);
            limited(processes, "-Xmx64m", "get", folder, keys.toString(), root.strip());
            results.add(GET, 1);
        } catch (Processes.FailedException e) {
            results.add(results.figure(LOAD).isPresent() ? GET : LOAD, 0);
            results.fail(e.sentence());
        }
    }

    private static String limited(Processes processes, String limit, String... arguments)
            throws IOException, Processes.FailedException {
        List<String> command = Processes.java(limit);
        command.add(MemoryTrial.class.getName());
        command.addAll(List.of(arguments));
        return processes.run(Path.of("."), command.toArray(String[]::new));
    }
}
