package dev.pail.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server that a test may stop, break and configure. Where none can run, the test is skipped. */
public final class OwnServer implements AutoCloseable {
    private final Path folder;
    private EmbeddedPostgres server;

    /** @param folder where its data is, which is empty */
    public OwnServer(Path folder) {
        this.folder = folder;
        this.server = TestServer.started(builder());
    }

    private EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setDataDirectory(folder)
                .setCleanDataDirectory(false)
                .setServerConfig("fsync", "off")
                // An embedded server is set up to lose what it has acknowledged when it crashes.
                .setServerConfig("synchronous_commit", "on");
    }

    public TestServer server() {
        return TestServer.at("postgres@localhost:" + server.getPort());
    }

    /** Stops it in order; sessions end. */
    public void stop() throws IOException {
        server.close();
    }

    /** Ends it at once. What its processes have written to files stays. */
    public void crash() throws IOException, InterruptedException {
        String postmaster = Files.readAllLines(folder.resolve("postmaster.pid")).get(0);
        int unused = new ProcessBuilder("kill", "-QUIT", postmaster).start().waitFor();
        ProcessHandle.of(Long.parseLong(postmaster))
                .ifPresent(process -> process.onExit().join());
        // Gives the folder free.
        server.close();
    }

    /** Starts it again at the same port. */
    public void start() throws IOException {
        server = builder().setPort(server.getPort()).start();
    }

    /** Sets a parameter, and waits until new sessions have it. */
    public void set(String name, String value) {
        TestServer.execute(server().source("postgres"), "alter system set " + name + " = " + value);
        TestServer.execute(server().source("postgres"), "select pg_reload_conf()");
        while (!TestServer.queried(server().source("postgres"), "show " + name).equals(List.of(value))) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
