package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pail.StoreIOException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.s3.S3Client;

/** What the bucket makes of the answers of a server over HTTP. */
class S3BucketTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final S3Counters counters = new S3Counters();
    private HttpServer server;
    private Bucket bucket;

    /**
     * What the server sends.
     *
     * @param length the length that it says; 0 for that of the body
     */
    private record Answer(int status, String body, long length) {}

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        S3Client client = S3Locator.client(
                new S3Locator.Place("b", "", endpoint, null, true),
                Duration.ofSeconds(20),
                counters,
                StaticCredentialsProvider.create(AwsBasicCredentials.create("AK", "secret")));
        bucket = new S3Bucket(client, client::close, "b", "r/");
    }

    @AfterEach
    void stop() {
        bucket.close();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] unused = exchange.getRequestBody().readAllBytes();
        Answer next;
        synchronized (answers) {
            // The last one is for all requests that follow.
            next = answers.size() > 1 ? answers.remove() : answers.element();
        }
        byte[] body = next.body.getBytes(StandardCharsets.UTF_8);
        boolean hasBody = body.length > 0 && !exchange.getRequestMethod().equals("HEAD");
        try (exchange) {
            exchange.sendResponseHeaders(next.status, !hasBody ? -1 : next.length != 0 ? next.length : body.length);
            if (hasBody) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private void answers(Answer... all) {
        synchronized (answers) {
            answers.clear();
            answers.addAll(List.of(all));
        }
    }

    private static Answer ok(String body) {
        return new Answer(200, body, 0);
    }

    private static Answer error(int status, String code) {
        return new Answer(status, "<?xml version=\"1.0\"?><Error><Code>" + code + "</Code></Error>", 0);
    }

    @Test
    void aBusyServerIsAskedAgain() {
        answers(error(503, "SlowDown"), error(500, "InternalError"), ok("content"));
        assertThat(bucket.get("k").map(String::new)).contains("content");
        assertThat(counters.now().retries()).isEqualTo(2);
        answers(error(503, "SlowDown"), ok(""));
        assertThat(bucket.create("k", new byte[] {1})).isTrue();
    }

    @Test
    void whatStaysBusyIsSaidWithItsReason() {
        answers(error(500, "InternalError"));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.get("k"))
                .withMessage("cannot read an object: s3://b/r/k: InternalError (status 500)");
        assertThatExceptionOfType(Bucket.UnansweredException.class)
                .isThrownBy(() -> bucket.create("k", new byte[] {1}))
                .satisfies(e -> assertThat(e.failure()).hasMessageContaining("InternalError (status 500)"));
        answers(error(409, "ConditionalRequestConflict"));
        assertThatExceptionOfType(Bucket.UnansweredException.class)
                .isThrownBy(() -> bucket.create("k", new byte[] {1}))
                .satisfies(e -> assertThat(e.failure()).hasMessageContaining("status 409"));
    }

    @Test
    void aRefusalIsSaidAtOnce() {
        answers(error(403, "AccessDenied"));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.create("k", new byte[] {1}))
                .withMessage("cannot create an object: s3://b/r/k: AccessDenied (status 403)");
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.exists("k"))
                .withMessageContaining("status 403");
        assertThat(counters.now().retries()).isZero();
    }

    @Test
    void absentAndTakenKeysAreNoErrors() {
        answers(error(404, "NoSuchKey"));
        assertThat(bucket.get("k")).isEmpty();
        assertThat(bucket.get("k", 3, 4)).isEmpty();
        assertThat(bucket.exists("k")).isFalse();
        answers(error(412, "PreconditionFailed"));
        assertThat(bucket.create("k", new byte[] {1})).isFalse();
        answers(error(416, "InvalidRange"));
        assertThat(bucket.get("k", 300, 4)).contains(new byte[0]);
    }

    @Test
    void anAnswerThatIsCutShortIsReadAgain() {
        answers(new Answer(200, "cont", 7), ok("content"));
        assertThat(bucket.get("k").map(String::new)).contains("content");
        answers(new Answer(200, "cont", 7));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.get("k"))
                .withMessageContaining("cannot read an object: s3://b/r/k");
    }

    @Test
    void anAnswerThatIsTooLongIsRefused() {
        answers(ok("content"));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.get("k", 0, 3))
                .withMessageContaining("it has more than 3 bytes");
    }
}
