package dev.pail;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Runs {@link HostileMain}, in one process after the other, until there is a report on each input. */
final class HostileChild {
    /** The number of inputs that may kill their process before the test gives up. */
    private static final int MAX_DEATHS = 20;

    /** By the number of the input. */
    private final Map<Integer, HostileReport> reports = new TreeMap<>();

    /** What the process printed that is no report: why it died, perhaps. */
    private final StringBuilder otherOutput = new StringBuilder();

    /** The number of the input that was begun last. */
    private int begun;

    private HostileChild() {}

    /** A report on each input, by its number. */
    static Map<Integer, HostileReport> run() throws IOException, InterruptedException {
        HostileChild child = new HostileChild();
        int deaths = 0;
        while (!child.runOnce() && deaths < MAX_DEATHS) {
            deaths++;
        }
        return child.reports;
    }

    /** Says whether the process came to its end. */
    private boolean runOnce() throws IOException, InterruptedException {
        otherOutput.setLength(0);
        Process process = start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            out.lines().forEach(this::read);
        }
        int status = process.waitFor();
        if (status == 0) {
            return true;
        }
        String how = status == HostileMain.TOO_LONG ? "it did not end" : "status " + status + ": " + otherOutput;
        reports.put(begun, HostileReport.killed(HostileInputs.all().get(begun).name(), how));
        return false;
    }

    private Process start() throws IOException {
        String leftOut = reports.keySet().stream().map(String::valueOf).collect(Collectors.joining(","));
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-Xss256k",
                // The collector that a small machine has; which one it is must not depend on the machine.
                "-XX:+UseSerialGC",
                "-XX:-HeapDumpOnOutOfMemoryError",
                "-Dfile.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                HostileMain.class.getName(),
                leftOut);
        List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
        return builder.redirectErrorStream(true).start();
    }

    private void read(String line) {
        if (line.startsWith(HostileMain.BEGUN)) {
            begun = Integer.parseInt(line.substring(HostileMain.BEGUN.length()));
        } else if (HostileReport.isLine(line)) {
            reports.put(begun, HostileReport.parse(line));
        } else {
            otherOutput.append(line).append('\n');
        }
    }
}
