package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a class in a process of its own, with a heap of 64 MiB and stacks of 256 KiB. */
public final class SmallHeap {
    private SmallHeap() {}

    /** The lines that it prints. It must end well. */
    public static List<String> run(Class<?> main, List<String> arguments) throws IOException, InterruptedException {
        Process process = JavaProcess.of(List.of("-Xmx64m", "-Xss256k"), main, arguments.toArray())
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> lines = out.lines().toList();
            assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
            return lines;
        }
    }
}
