package dev.pail.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.repository.Repository;
import dev.pail.server.Served;
import dev.pail.server.ServerLimits;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a proxy and this server could take apart at different places, and clients that are slow on purpose. */
@Timeout(120)
class SmugglingTest {
    private static final String SECOND = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static final String BODY = String.join(
            "\r\n",
            "PUT /v1/value?branch=main&key=a HTTP/1.1",
            "Host: localhost",
            "Content-Length: 1000000",
            "If-None-Match: *",
            "",
            "");

    /** LF and CRLF as they are written in the cases. */
    private static String bytes(String text) {
        return text.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Two lengths.
                "Content-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n",
                "Transfer-Encoding: chunked\\r\\nContent-Length: 4\\r\\n",
                "Content-Length: 0\\r\\nContent-Length: 4\\r\\n",
                "Content-Length: 4\\r\\nContent-Length: 4\\r\\n",
                "Content-Length: 0, 4\\r\\n",
                "Content-Length: +4\\r\\n",
                "Content-Length: -4\\r\\n",
                "Content-Length: 0x4\\r\\n",
                "Content-Length: 99999999999999999999\\r\\n",
                "Content-Length:\\r\\n",
                // Encodings that are none, or not the last one.
                "Transfer-Encoding: chunked, identity\\r\\n",
                "Transfer-Encoding: xchunked\\r\\n",
                "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: identity\\r\\n",
                // Ends of lines.
                "X: a\\n",
                "X: a\\nContent-Length: 4\\r\\n",
                "X: a\\rContent-Length: 4\\r\\n",
                "X: a\\r\\n folded\\r\\n",
                "X: a\\r\\n\tfolded\\r\\n",
                " X: a\\r\\n",
                // Names and values.
                "Content-Length : 4\\r\\n",
                "Content-Length\t: 4\\r\\n",
                "Transfer-Encoding : chunked\\r\\n",
                "X\\0: a\\r\\n",
                "X: a\\0b\\r\\n",
                "no colon\\r\\n",
                ": empty\\r\\n",
                "Host: localhost\\r\\n"
            })
    void ambiguousHeadersAreRefused_GW20(String header) throws IOException {
        try (Served served = new Served()) {
            String answer =
                    served.send("POST /v1/info HTTP/1.1\r\nHost: localhost\r\n" + bytes(header) + "\r\n" + SECOND);
            // One answer, and then the end: what is behind the header is no request of its own.
            assertThat(answer).matches("(?s)HTTP/1\\.1 (400|501) .*").doesNotContain("ok\n");
            assertThat(answer.split("HTTP/1.1 ", -1)).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /healthz HTTP/1.1\\nHost: localhost\\n\\n",
                "GET /healthz\\r\\nHost: localhost\\r\\n\\r\\n",
                "GET /healthz HTTP/1.10\\r\\nHost: localhost\\r\\n\\r\\n",
                "GET /healthz HTTP/3.0\\r\\nHost: localhost\\r\\n\\r\\n",
                "G\\0T /healthz HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n",
                "GET http://localhost/healthz HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n",
                "GET /healthz HTTP/1.1\\r\\nHost: localhost, evil.example\\r\\n\\r\\n",
                "GET /healthz HTTP/1.1\\r\\nHost: localhost@evil.example\\r\\n\\r\\n"
            })
    void ambiguousLinesAreRefused_GW20(String request) throws IOException {
        try (Served served = new Served()) {
            String answer = served.send(bytes(request) + SECOND.replace("Host", "Connection: close\r\nHost"));
            assertThat(answer).matches("(?s)HTTP/1\\.1 (400|403|505) .*");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4\\nGET \\r\\n0\\r\\n\\r\\n",
                "+4\\r\\nGET \\r\\n0\\r\\n\\r\\n",
                "0x4\\r\\nGET \\r\\n0\\r\\n\\r\\n",
                "4\\r\\nGET GET\\r\\n0\\r\\n\\r\\n",
                "fffffffffffffffff\\r\\nGET \\r\\n0\\r\\n\\r\\n",
                "-1\\r\\n\\r\\n",
                "g\\r\\n\\r\\n"
            })
    void chunksThatAreNoneEndTheConnection_GW20(String body) throws IOException {
        try (Served served = new Served()) {
            String answer = served.send(
                    "PUT /v1/value?branch=main&key=a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + bytes(body) + SECOND);
            assertThat(answer).doesNotContain("ok\n");
        }
    }

    /** More slow sockets than the server has places, each a byte now and then: they are all ended, and the server answers again. */
    @Test
    void slowSocketsAreEnded_GW13() throws IOException {
        // Long enough for a whole request on a busy machine.
        ServerLimits few =
                new ServerLimits(64, Duration.ofSeconds(2), Duration.ofSeconds(1), 64 << 20, Duration.ofHours(1));
        try (Served served = new Served(Repository.inMemory(), few)) {
            List<Socket> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 500; i++) {
                    Socket socket = new Socket(
                            served.server.address().getAddress(),
                            served.server.address().getPort());
                    slow.add(socket);
                    drip(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ");
                }
                assertThat(served.send(SECOND.replace("Host", "Connection: close\r\nHost")))
                        .startsWith("HTTP/1.1 200")
                        .endsWith("ok\n");
                for (Socket socket : slow) {
                    while (drip(socket, "x")) {
                        Thread.onSpinWait();
                    }
                }
            } finally {
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
    }

    /** Whether the server still takes bytes. */
    private static boolean drip(Socket socket, String text) throws IOException {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (SocketException ended) {
            return false;
        }
    }

    /** A body that drips does not hold its thread, though each byte comes in time. */
    @Test
    void aBodyThatDripsIsEnded_GW13() throws IOException {
        try (Served served = new Served(Repository.inMemory(), Served.IMPATIENT);
                Socket socket = new Socket(
                        served.server.address().getAddress(),
                        served.server.address().getPort())) {
            drip(socket, BODY);
            while (drip(socket, "x")) {
                Thread.onSpinWait();
            }
            while (served.activeRequests() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    /** Each part comes in time, and the whole does not. */
    @Test
    void aRequestHasATimeInAll_GW13() throws IOException {
        ServerLimits brief =
                new ServerLimits(16, Duration.ofSeconds(60), Duration.ofSeconds(1), 64 << 20, Duration.ofMillis(300));
        try (Served served = new Served(Repository.inMemory(), brief);
                Socket socket = new Socket(
                        served.server.address().getAddress(),
                        served.server.address().getPort())) {
            drip(socket, BODY);
            assertThat(Served.rest(socket.getInputStream())).doesNotContain("200");
        }
    }
}
