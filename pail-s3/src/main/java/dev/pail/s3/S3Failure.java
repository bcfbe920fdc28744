package dev.pail.s3;

import static java.util.Map.entry;

import dev.pail.Escapes;
import dev.pail.StoreIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What an error of a bucket means, by its code or its status, and how to say it. */
final class S3Failure {
    private static final int MOVED = 301;
    private static final int FORBIDDEN = 403;
    private static final int SERVER = 500;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int LONGEST_REASON = 300;
    private static final int MOST_CAUSES = 16;

    static final String NO_BUCKET = "NoSuchBucket";

    /**
     * What an error means to people, and what to do about it.
     *
     * @param isWhole whether the words say all that the JDK says
     */
    private record Meaning(String words, @Nullable String hint, boolean isWhole) {
        Meaning(String words, @Nullable String hint) {
            this(words, hint, false);
        }
    }

    private static final Meaning DENIED = new Meaning(
            "access denied",
            "the keys need s3:ListBucket on the bucket, s3:GetObject and, to write, s3:PutObject on its objects; the collector s3:DeleteObject");

    private static final Meaning ELSEWHERE =
            new Meaning("the bucket is in another region", "name it in the URL: ?region=REGION");

    private static final Meaning CLOCK =
            new Meaning("the clocks of this machine and the server differ too much", "set the clock of this machine");

    private static final Meaning EXPIRED = new Meaning(
            "the session of the keys has ended, or is none", "get new keys, and set AWS_SESSION_TOKEN with them");

    private static final Meaning BUSY = new Meaning("the server is busy", "try again later");

    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            entry(
                    NO_BUCKET,
                    new Meaning(
                            "there is no such bucket",
                            "make it, or check its name, the endpoint and the region in the URL")),
            entry("InvalidBucketName", new Meaning("no bucket can have this name", "check its name in the URL")),
            entry("AccessDenied", DENIED),
            entry("AllAccessDisabled", DENIED),
            entry(
                    "InvalidAccessKeyId",
                    new Meaning(
                            "the server does not know the access key",
                            "check AWS_ACCESS_KEY_ID or AWS_PROFILE, and whether the endpoint is the one that the key is for")),
            entry(
                    "SignatureDoesNotMatch",
                    new Meaning(
                            "the secret key does not fit the access key",
                            "check AWS_SECRET_ACCESS_KEY or AWS_PROFILE")),
            entry("ExpiredToken", EXPIRED),
            entry("InvalidToken", EXPIRED),
            entry("TokenRefreshRequired", EXPIRED),
            entry("RequestTimeTooSkewed", CLOCK),
            entry("RequestExpired", CLOCK),
            entry("AuthorizationHeaderMalformed", ELSEWHERE),
            entry("PermanentRedirect", ELSEWHERE),
            entry("TemporaryRedirect", ELSEWHERE),
            entry("SlowDown", BUSY),
            entry("ServiceUnavailable", BUSY),
            entry("QuotaExceeded", new Meaning("the quota of the bucket or the user is used up", "free space there")));

    private S3Failure() {}

    /**
     * Why the server refused a request, in plain words, and then in its own.
     *
     * @param status the status of its answer
     * @param code the code in its answer, or null
     * @param message the message in its answer, or null
     */
    static StoreIOException answered(
            String what, String place, int status, @Nullable String code, @Nullable String message, Throwable cause) {
        Meaning meaning = meaning(status, code);
        String theirs = code == null ? "" : brief(message == null ? code : code + ": " + message) + " ";
        return new StoreIOException(
                what, place, meaning.words + ": " + theirs + "(status " + status + ")", meaning.hint, cause);
    }

    /**
     * Why no answer came to a request, in plain words, and then in those of the JDK.
     *
     * @param server the host of the endpoint
     */
    static StoreIOException unanswered(String what, String place, String server, Throwable failure) {
        Meaning meaning = meaning(failure, Escapes.printable(server));
        String theirs = meaning.isWhole ? "" : ": " + brief(String.valueOf(failure.getMessage()));
        return new StoreIOException(what, place, meaning.words + theirs, meaning.hint, failure);
    }

    private static Meaning meaning(int status, @Nullable String code) {
        Meaning known = code == null ? null : MEANINGS.get(code);
        if (known != null) {
            return known;
        }
        return switch (status) {
            case MOVED -> ELSEWHERE;
            // An answer to HEAD has no code.
            case FORBIDDEN -> DENIED;
            case NOT_IMPLEMENTED -> new Meaning("the server does not support this request", null);
            default ->
                status >= SERVER
                        ? new Meaning("the server failed", "try again later")
                        : new Meaning("the server refused the request", null);
        };
    }

    private static Meaning meaning(Throwable failure, String server) {
        if (String.valueOf(failure.getMessage()).startsWith("Unable to load credentials")) {
            return new Meaning(
                    "there are no keys", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", true);
        }
        Throwable cause = failure;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
            Meaning known = ofCause(cause, server);
            if (known != null) {
                return known;
            }
            cause = cause.getCause();
        }
        return new Meaning("no answer from " + server, "see whether the server runs, and try again");
    }

    private static @Nullable Meaning ofCause(Throwable cause, String server) {
        if (cause instanceof UnknownHostException host) {
            String name = String.valueOf(host.getMessage()).replaceFirst(":.*", "");
            return new Meaning(
                    "no such host: " + Escapes.brief(name),
                    "check the endpoint and the region in the URL, and the network",
                    true);
        }
        if (cause instanceof ConnectException) {
            return new Meaning(
                    "the connection was refused: no server listens at " + server,
                    "see whether the server runs, and whether the endpoint in the URL is right",
                    true);
        }
        if (cause instanceof SocketTimeoutException) {
            return new Meaning(
                    "no answer from " + server + " in time",
                    "see whether the server runs, and whether a firewall is between");
        }
        return cause instanceof SSLException
                ? new Meaning(
                        "no secure connection to " + server,
                        "see whether the endpoint is one of http://; a certificate of your own authority comes from a trust store of Java:"
                                + " JDK_JAVA_OPTIONS=-Djavax.net.ssl.trustStore=FILE")
                : null;
    }

    /** One line for a terminal. */
    private static String brief(String text) {
        String line = text.lines().findFirst().orElse("");
        return Escapes.printable(line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "…" : line);
    }
}
