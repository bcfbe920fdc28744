package dev.pail.repository;

import dev.pail.blockstore.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Programs in processes of their own, and what they say, line by line. All end with this. */
final class Programs implements AutoCloseable {
    private final List<Process> started = new ArrayList<>();
    private final BlockingQueue<Said> lines = new LinkedBlockingQueue<>();

    /**
     * A line of a process.
     *
     * @param text null, if the process has ended
     */
    record Said(Process by, String text) {
        boolean isEnd() {
            return text == null;
        }
    }

    Process start(Class<?> program, Object... arguments) throws IOException {
        Process process = JavaProcess.of(
                        List.of("-XX:TieredStopAtLevel=1", "-Xmx256m", "-Ddev.pail.log=off"), program, arguments)
                .start();
        started.add(process);
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader in = process.inputReader()) {
                        for (String line = in.readLine(); line != null; line = in.readLine()) {
                            lines.add(new Said(process, line));
                        }
                    } catch (IOException e) {
                        lines.add(new Said(process, "cannot be heard: " + e));
                    } finally {
                        lines.add(new Said(process, null));
                    }
                },
                "reader of a program");
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    /** Waits for the next line of any of them. */
    Said next() throws InterruptedException {
        return lines.take();
    }

    /** Sends a process a signal, to stop it or to let it continue. */
    static void signal(Process process, String name) throws IOException, InterruptedException {
        int unused = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        started.forEach(Process::destroyForcibly);
    }
}
