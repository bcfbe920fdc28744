package dev.pail.jdbc;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A pgbouncer of this machine, which pools by transactions. Where none is installed, the test is skipped, which is an error with {@code
 * -Dpail.pooler}.
 */
final class InstalledPooler implements AutoCloseable {
    private static final String PROGRAM = "pgbouncer";

    private final Process process;
    private final int port;

    /**
     * Starts it.
     *
     * @param folder where its files are
     * @param sessions how many sessions of the server it has for all clients
     */
    InstalledPooler(Path folder, TestServer server, int sessions) throws IOException {
        String program = program();
        this.port = freePort();
        Path settings = folder.resolve("settings");
        Files.writeString(settings, """
                [databases]
                * = host=%s port=%d user=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                """.formatted(
                        server.socketAddress().getHostString(),
                        server.socketAddress().getPort(),
                        server.user(),
                        port,
                        sessions));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString("rw-r--r--"));
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            // It refuses to run as root.
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.addAll(List.of(program, settings.toString()));
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        awaitStart(folder);
    }

    private void awaitStart(Path folder) throws IOException {
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException e) {
                if (!process.isAlive()) {
                    throw new IOException("it does not start: " + Files.readString(folder.resolve("log")), e);
                }
                Thread.onSpinWait();
            }
        }
    }

    private static String program() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, PROGRAM))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElseGet(() -> {
                    if (Boolean.getBoolean("pail.pooler")) {
                        throw new IllegalStateException("no pgbouncer is installed here");
                    }
                    return abort("no pgbouncer is installed here");
                });
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
