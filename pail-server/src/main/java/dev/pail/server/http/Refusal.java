package dev.pail.server.http;

import dev.pail.BlockException;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import java.util.Map;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** The answer to a request that is not served: a status, a code for programs and a sentence. Rule GW14. */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** When a client may try again what the server refused because it was busy, in seconds. */
    static final int RETRY_AFTER = 5;

    /** By code. No other server has other bytes for a file that is damaged: its blocks match their CIDs. */
    private static final Map<String, Integer> OTHER_STATUSES = Map.of(
            "shard-limit", HttpStatus.UNPROCESSABLE_ENTITY_422,
            "clock-limit", HttpStatus.UNPROCESSABLE_ENTITY_422,
            "proof-limit", HttpStatus.UNPROCESSABLE_ENTITY_422,
            "damaged-file", HttpStatus.UNPROCESSABLE_ENTITY_422,
            "erased-block", HttpStatus.GONE_410,
            "token-expired", HttpStatus.GONE_410,
            "condition-failed", HttpStatus.PRECONDITION_FAILED_412,
            "unrelated-histories", HttpStatus.INTERNAL_SERVER_ERROR_500);

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
    public static Refusal malformed(String message) {
        return new Refusal(HttpStatus.BAD_REQUEST_400, "bad-request", message);
    }

    /** The client ended or kept back the body of its request. */
    public static Refusal brokenOff(Throwable cause) {
        return new Refusal(HttpStatus.BAD_REQUEST_400, "bad-request", "the body of the request broke off", cause);
    }

    /** The sender may not ask at all. */
    public static Refusal forbidden(String message) {
        return new Refusal(HttpStatus.FORBIDDEN_403, "forbidden", message);
    }

    /** The request needs a token that the server knows. */
    public static Refusal unauthorized(String message) {
        return new Refusal(HttpStatus.UNAUTHORIZED_401, "unauthorized", message);
    }

    /** The server cannot answer any request now. */
    public static Refusal unavailable(String message, @Nullable Throwable cause) {
        return new Refusal(HttpStatus.SERVICE_UNAVAILABLE_503, "unavailable", message, cause);
    }

    /** The server has no place or memory for such a request now: a client sends it again after {@link #RETRY_AFTER} seconds. */
    public static Refusal busy(String message) {
        return new Refusal(HttpStatus.SERVICE_UNAVAILABLE_503, "busy", message);
    }

    /** The sender has made as many blocks as it may. */
    public static Refusal quota(String message) {
        return new Refusal(HttpStatus.TOO_MANY_REQUESTS_429, "quota", message);
    }

    /** The disk has no more space than is reserved for small changes. */
    public static Refusal noSpace() {
        return new Refusal(
                HttpStatus.INSUFFICIENT_STORAGE_507,
                "no-space",
                "the disk of the server has space for small changes only: send this again later");
    }

    /** The heap is full. What the request would have changed is as before. */
    public static Refusal noMemory(OutOfMemoryError error) {
        return new Refusal(
                HttpStatus.SERVICE_UNAVAILABLE_503,
                "busy",
                "the server has no memory for this request now: send it again later",
                error);
    }

    /** There is nothing at this address. */
    public static Refusal notFound(String message) {
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

    /**
     * The range has no byte of the block.
     *
     * @param size the bytes of the block
     */
    public static Refusal notSatisfiable(int size) {
        return new Refusal(
                HttpStatus.RANGE_NOT_SATISFIABLE_416,
                "bad-range",
                "the range has no byte of the block, which has " + size + " bytes");
    }

    /** There is no representation that the request takes. */
    public static Refusal notAcceptable(String message) {
        return new Refusal(HttpStatus.NOT_ACCEPTABLE_406, "not-acceptable", message);
    }

    /** The request says {@code only-if-cached}, and the block is not here. */
    public static Refusal notCached(MissingBlockException missing) {
        return new Refusal(HttpStatus.PRECONDITION_FAILED_412, missing.code(), WireText.of(missing), missing);
    }

    public static Refusal oldVersion() {
        return new Refusal(
                HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505,
                "http-version",
                "a CAR is sent with HTTP/1.1 only, since HTTP/1.0 does not show where it was cut off");
    }

    /** There is no value or row where the request looks for one. */
    public static Refusal absent(String message) {
        return new Refusal(HttpStatus.NOT_FOUND_404, "absent", message);
    }

    /** A value is a folder or a link, and has no bytes. */
    public static Refusal noFile(String message) {
        return new Refusal(HttpStatus.NOT_ACCEPTABLE_406, "no-file", message);
    }

    /** A write says nothing of what it follows, and must. */
    public static Refusal preconditionRequired(String message) {
        return new Refusal(HttpStatus.PRECONDITION_REQUIRED_428, "precondition-required", message);
    }

    /** A branch is not what a write follows. */
    public static Refusal preconditionFailed(String code, String message) {
        return new Refusal(HttpStatus.PRECONDITION_FAILED_412, code, message);
    }

    /** What is asked for would take more than a request may. */
    public static Refusal tooMuch(String message) {
        return new Refusal(HttpStatus.UNPROCESSABLE_ENTITY_422, "too-much", message);
    }

    /** The same, with a beginning of the sentence that says where in the request. */
    public Refusal at(String place) {
        return new Refusal(status, code, place + ": " + text(), getCause(), allowed);
    }

    /** What a failure of the library is for the client. Of bytes that do not match their CID, none are sent. */
    public static Refusal of(PailException failure) {
        PailException root = failure instanceof BlockException block ? root(block) : failure;
        return new Refusal(statusOf(root), root.code(), WireText.of(failure), failure);
    }

    /** The status of a failure of this kind. */
    public static int statusOf(PailException failure) {
        String code = failure.code();
        return switch (failure.kind()) {
            case REFUSED -> OTHER_STATUSES.getOrDefault(code, HttpStatus.BAD_REQUEST_400);
            case MISSING -> OTHER_STATUSES.getOrDefault(code, HttpStatus.NOT_FOUND_404);
            case CONFLICT -> OTHER_STATUSES.getOrDefault(code, HttpStatus.CONFLICT_409);
            case DAMAGED -> OTHER_STATUSES.getOrDefault(code, HttpStatus.INTERNAL_SERVER_ERROR_500);
            case STATE -> HttpStatus.CONFLICT_409;
            case BUSY, INTERRUPTED -> HttpStatus.SERVICE_UNAVAILABLE_503;
            // The server checks requests by itself: malformed data here come from the store.
            case MALFORMED, INPUT_OUTPUT, SETUP -> HttpStatus.INTERNAL_SERVER_ERROR_500;
        };
    }

    /** Of a failure to read a file, the failure to read a block that is behind it. */
    public static BlockException root(BlockException failure) {
        return failure.getCause() instanceof BlockException cause ? root(cause) : failure;
    }

    public int status() {
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
