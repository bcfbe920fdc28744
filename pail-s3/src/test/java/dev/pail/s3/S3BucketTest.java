package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.pail.StoreIOException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        S3Client client = client(endpoint);
        bucket = new S3Bucket(client, client::close, "b", "r/");
    }

    private S3Client client(URI endpoint) {
        return S3Locator.client(
                new S3Locator.Place("b", "", endpoint, null, true),
                Duration.ofSeconds(20),
                counters,
                StaticCredentialsProvider.create(AwsBasicCredentials.create("AK", "secret")));
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
                .withMessage("cannot read an object: s3://b/r/k: the server failed: InternalError (status 500)");
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
                .withMessage("cannot create an object: s3://b/r/k: access denied: AccessDenied (status 403)");
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.exists("k"))
                .withMessageContaining("status 403");
        assertThat(counters.now().retries()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "404, NoSuchBucket, there is no such bucket, the endpoint and the region",
        "400, InvalidBucketName, no bucket can have this name, in the URL",
        "403, AllAccessDisabled, access denied, s3:PutObject",
        "403, Unknown, access denied, s3:ListBucket",
        "403, InvalidAccessKeyId, the server does not know the access key, AWS_ACCESS_KEY_ID",
        "403, SignatureDoesNotMatch, the secret key does not fit the access key, AWS_SECRET_ACCESS_KEY",
        "400, ExpiredToken, 'the session of the keys has ended, or is none', AWS_SESSION_TOKEN",
        "400, InvalidToken, 'the session of the keys has ended, or is none', AWS_SESSION_TOKEN",
        "403, RequestTimeTooSkewed, the clocks of this machine and the server differ too much, set the clock",
        "403, RequestExpired, the clocks of this machine and the server differ too much, set the clock",
        "400, AuthorizationHeaderMalformed, the bucket is in another region, ?region=REGION",
        "301, PermanentRedirect, the bucket is in another region, ?region=REGION",
        "403, QuotaExceeded, the quota of the bucket or the user is used up, free space",
        "503, SlowDown, the server is busy, try again later",
        "500, Unknown, the server failed, try again later",
        "501, NotImplemented, the server does not support this request, ''",
        "400, Unknown, the server refused the request, ''",
    })
    void anErrorIsSaidInPlainWordsAndThenInThoseOfTheServer(int status, String code, String words, String hint) {
        answers(new Answer(status, "<Error><Code>" + code + "</Code><Message>Their\nwords</Message></Error>", 0));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.put("k", new byte[] {1}))
                .withMessage("cannot write an object: s3://b/r/k: " + words + ": " + code + ": Their (status " + status
                        + ")")
                .satisfies(e -> assertThat(e.hint().orElse("")).contains(hint))
                .satisfies(e -> assertThat(e.hint().isPresent()).isEqualTo(!hint.isEmpty()));
    }

    /** A server may be hostile. */
    @Test
    void anErrorIsOneLineThatATerminalCanShow() {
        answers(new Answer(
                400, "<Error><Code>a&#x202e;b</Code><Message>" + "x".repeat(9_000) + "</Message></Error>", 0));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> bucket.put("k", new byte[] {1}))
                .withMessageContaining("the server refused the request: a\\u{202e}b: xxx")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }

    @Test
    void aServerThatCannotBeReachedIsNamed() {
        refused(
                "http://127.0.0.1:1",
                "the connection was refused: no server listens at 127.0.0.1:1",
                "the endpoint in the URL");
        refused("http://pail.invalid", "no such host: \"pail.invalid\"", "check the endpoint");
    }

    @Test
    void aConnectionThatFailsIsSaidInPlainWords() {
        StoreIOException tls = unanswered(new SSLHandshakeException("PKIX path building failed"));
        assertThat(tls).hasMessage("cannot read an object: s3://b/k: no secure connection to h:1: The\\u{1b}words");
        assertThat(tls.hint().orElseThrow()).contains("http://", "trustStore");
        StoreIOException late = unanswered(new SocketTimeoutException("Read timed out"));
        assertThat(late).hasMessageContaining("no answer from h:1 in time: The");
        assertThat(late.hint().orElseThrow()).contains("firewall");
        assertThat(unanswered(null)).hasMessageContaining("s3://b/k: no answer from h:1: The");
        StoreIOException keys =
                S3Failure.unanswered("w", "p", "h", new IOException("Unable to load credentials from a, b"));
        assertThat(keys).hasMessage("w: p: there are no keys");
        assertThat(keys.hint().orElseThrow()).contains("AWS_PROFILE");
    }

    private static StoreIOException unanswered(@Nullable Throwable cause) {
        Throwable failure = new IOException("The\u001bwords\nof theirs", new IOException(cause));
        return S3Failure.unanswered("cannot read an object", "s3://b/k", "h:1", failure);
    }

    private void refused(String endpoint, String reason, String hint) {
        answers(ok(""));
        try (S3Client client = client(URI.create(endpoint))) {
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> new S3Bucket(client, () -> {}, "b", "").get("k"))
                    .withMessageStartingWith("cannot read an object: s3://b/k: " + reason)
                    .satisfies(e -> assertThat(e.hint().orElseThrow()).contains(hint));
        }
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
