package dev.pail.server;

import dev.pail.BlockException;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.ipld.UnsupportedHashException;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** The answer to a request that is not served: a status, a code for programs and a sentence. Rule GW14. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final @Nullable String allowed;

    private Refusal(int status, String code, String message, @Nullable Throwable cause, @Nullable String allowed) {
        super(message, cause);
        this.status = status;
        this.code = code;
        this.allowed = allowed;
    }

    private Refusal(int status, String code, String message, @Nullable Throwable cause) {
        this(status, code, message, cause, null);
    }

    private Refusal(int status, String code, String message) {
        this(status, code, message, null);
    }

    /** The request breaks a rule. */
    static Refusal malformed(String message) {
        return new Refusal(HttpStatus.BAD_REQUEST_400, "bad-request", message);
    }

    /** The sender may not ask at all. */
    static Refusal forbidden(String message) {
        return new Refusal(HttpStatus.FORBIDDEN_403, "forbidden", message);
    }

    /** The request needs a token that the server knows. */
    static Refusal unauthorized(String message) {
        return new Refusal(HttpStatus.UNAUTHORIZED_401, "unauthorized", message);
    }

    /** The server cannot answer any request now. */
    static Refusal unavailable(String message, Throwable cause) {
        return new Refusal(HttpStatus.SERVICE_UNAVAILABLE_503, "unavailable", message, cause);
    }

    /** There is nothing at this address. */
    static Refusal notFound(String message) {
        return new Refusal(HttpStatus.NOT_FOUND_404, "not-found", message);
    }

    /** @param allowed the methods that are answered, with commas */
    static Refusal methodNotAllowed(String method, String allowed) {
        return new Refusal(
                HttpStatus.METHOD_NOT_ALLOWED_405,
                "method-not-allowed",
                "the server answers " + allowed + " here, not " + method,
                null,
                allowed);
    }

    /** @param most the most bytes that a body may have */
    static Refusal tooLarge(long most) {
        return new Refusal(
                HttpStatus.PAYLOAD_TOO_LARGE_413,
                "body-too-large",
                "the body of a request has at most " + most + " bytes here");
    }

    /** There is no representation that the request takes. */
    static Refusal notAcceptable(String message) {
        return new Refusal(HttpStatus.NOT_ACCEPTABLE_406, "not-acceptable", message);
    }

    /** The request says {@code only-if-cached}, and the block is not here. */
    static Refusal notCached(MissingBlockException missing) {
        return new Refusal(HttpStatus.PRECONDITION_FAILED_412, missing.code(), text(missing), missing);
    }

    static Refusal oldVersion() {
        return new Refusal(
                HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505,
                "http-version",
                "a CAR is sent with HTTP/1.1 only, since HTTP/1.0 does not show where it was cut off");
    }

    /** What a failure of the library is for the client. Of bytes that do not match their CID, none are sent. */
    static Refusal of(PailException failure) {
        if (failure instanceof UnsupportedHashException) {
            return new Refusal(HttpStatus.BAD_REQUEST_400, failure.code(), text(failure), failure);
        }
        BlockException block = failure instanceof BlockException found ? root(found) : null;
        boolean isAbsent = block instanceof MissingBlockException;
        int status = isAbsent ? HttpStatus.NOT_FOUND_404 : HttpStatus.INTERNAL_SERVER_ERROR_500;
        return new Refusal(status, block == null ? failure.code() : block.code(), text(failure), failure);
    }

    /** Of a failure to read a file, the failure to read a block that is behind it. */
    static BlockException root(BlockException failure) {
        return failure.getCause() instanceof BlockException cause ? root(cause) : failure;
    }

    private static String text(PailException failure) {
        return String.valueOf(failure.getMessage());
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    /** The methods that are answered instead, with commas; null if the method was not the trouble. */
    @Nullable
    String allowed() {
        return allowed;
    }

    /** The sentence. */
    String text() {
        return String.valueOf(getMessage());
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
