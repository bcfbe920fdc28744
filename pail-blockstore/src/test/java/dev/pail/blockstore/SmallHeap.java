package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs a class in a process of its own, with a heap of 64 MiB and stacks of 256 KiB. */
public final class SmallHeap {
    private SmallHeap() {}

    /** The lines that it prints. It must end well. */
    public static List<String> run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-Xss256k",
                // The collector that a small machine has; which one it is must not depend on the machine.
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
        Process process = builder.redirectErrorStream(true).start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> lines = out.lines().toList();
            assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
            return lines;
        }
    }
}
