package dev.pail.remote;

import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.remote.wire.Messages;
import dev.pail.remote.wire.UpdateMessages;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefToken;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** An answer of the server. */
final class HttpAnswer {
    /** A block is missing or wrong. */
    static final int UNPROCESSABLE = 422;

    private static final int MAX_MESSAGE = 16 << 20;
    private static final String HTML = "text/html";
    private static final Pattern TITLE =
            Pattern.compile("<title[^>]*>([^<]*)</title", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern RANGE = Pattern.compile("bytes ([0-9]{1,8})-[0-9]{1,8}/([0-9]{1,8})");
    private static final int FIRST_REDIRECT = 300;
    private static final int SERVER_ERROR = 500;
    private static final int BUFFER = 64 << 10;

    /** From this one on, a status says that the request was refused or failed. */
    static final int FIRST_ERROR = 400;

    final int status;
    private final String address;
    private final boolean hasToken;
    private final HttpURLConnection connection;
    private final Waiting waiting;
    private byte @Nullable [] message;

    /**
     * @param address of the server, for messages
     * @param hasToken whether the request had a token
     * @param waiting for the body
     */
    HttpAnswer(String address, boolean hasToken, HttpURLConnection connection, int status, Waiting waiting) {
        this.waiting = waiting;
        this.address = address;
        this.hasToken = hasToken;
        this.connection = connection;
        this.status = status;
    }

    InputStream body() throws IOException {
        InputStream body = status < FIRST_ERROR ? connection.getInputStream() : connection.getErrorStream();
        return new FilterInputStream(body == null ? new ByteArrayInputStream(new byte[0]) : body) {
            /** Not the caller's, as a read that was left continues. */
            private final byte[] buffer = new byte[BUFFER];

            /** The stream of the JDK would read ahead all that the server has sent, into memory. */
            @Override
            public int available() {
                return 0;
            }

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (length == 0) {
                    return 0;
                }
                int most = Math.min(length, buffer.length);
                int count;
                try {
                    count = waiting.await(() -> super.read(buffer, 0, most), Integer::longValue);
                } catch (IOException e) {
                    throw waiting.isOver() ? waiting.failure(e) : e;
                }
                System.arraycopy(buffer, 0, bytes, offset, Math.max(0, count));
                return count;
            }

            /** The stream of the JDK would wait for a read that was left. */
            @Override
            public void close() throws IOException {
                if (!waiting.isOver()) {
                    super.close();
                }
            }
        };
    }

    /** Whether the answer is a message of a server that understood the request. */
    boolean isMessage() {
        String type = connection.getContentType();
        return status == HttpURLConnection.HTTP_OK
                && type != null
                && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
    }

    /** Ends the connection, as a body that is not read would be read by the next request. */
    void end() {
        connection.disconnect();
    }

    /** Ends the connection of an answer that a server of version 0.2.0 gives to a request which it does not know. */
    <T> List<T> unread() {
        end();
        return List.of();
    }

    /** The size of the block, if this is a part of it (GW28). */
    int sizeOfRange(int from) {
        Matcher range = RANGE.matcher(String.valueOf(connection.getHeaderField("Content-Range")));
        if (!range.matches() || Integer.parseInt(range.group(1)) != from) {
            throw foreign("a part of a block that was not asked for");
        }
        return Integer.parseInt(range.group(2));
    }

    boolean isDelta() {
        return type().equals(Messages.DELTA);
    }

    /** The media type, in lower case and without parameters; empty if there is none. */
    private String type() {
        String type = connection.getContentType();
        return type == null ? "" : type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** Refuses what stands in for blocks, such as a page where users log in. */
    void requireBlocks() {
        if (!coding().isEmpty() && !coding().equals("identity")) {
            throw foreign("blocks in the coding " + Escapes.brief(coding()) + ", which was not asked for");
        }
        if (type().equals(HTML)) {
            throw page();
        }
        if (type().startsWith("text/")) {
            throw foreign("an answer of the type " + Escapes.printable(type()) + " instead of blocks");
        }
    }

    /** Refuses what stands in for server-sent events. */
    void requireEvents() {
        if (!type().equals("text/event-stream")) {
            throw type().equals(HTML)
                    ? page()
                    : foreign("no server-sent events, but the type " + Escapes.brief(type()));
        }
    }

    private RemoteException page() {
        Matcher title = TITLE.matcher(new String(message(), StandardCharsets.UTF_8));
        String name = title.find() ? Escapes.brief(title.group(1).strip().replaceAll("\\s+", " ")) : "";
        return foreign("a web page" + (name.isEmpty() ? "" : " with the title " + name) + ", with status " + status);
    }

    /** A body without a length could be cut off without a sign of it. */
    void requireLength() {
        boolean isChunked = "chunked".equalsIgnoreCase(connection.getHeaderField("Transfer-Encoding"));
        if (!isChunked && connection.getContentLengthLong() < 0) {
            throw foreign("an answer does not say where it ends");
        }
    }

    /** The state of the branch; empty from a server of version 0.2.0. */
    Optional<RefToken> token() {
        String tag = connection.getHeaderField("ETag");
        boolean isQuoted = tag != null && tag.length() > 1 && tag.startsWith("\"") && tag.endsWith("\"");
        return isQuoted ? RefToken.parse(tag.substring(1, tag.length() - 1)) : Optional.empty();
    }

    long generation() {
        String text = connection.getHeaderField(Messages.GENERATION);
        if (text == null || !text.matches("0|[1-9][0-9]{0,17}")) {
            throw foreign("an answer without a generation");
        }
        return Long.parseLong(text);
    }

    Head head(List<Cid> roots) {
        try {
            return Head.of(roots);
        } catch (IllegalArgumentException e) {
            throw foreign("a CAR whose roots are no events");
        }
    }

    private byte[] message() {
        byte[] read = message;
        if (read == null) {
            try (InputStream in = unpacked()) {
                read = in.readNBytes(MAX_MESSAGE + 1);
            } catch (ZipException | EOFException e) {
                throw foreign("a message in gzip that is cut off or damaged");
            } catch (IOException e) {
                throw new StoreIOException("cannot read an answer", address, e);
            }
            if (read.length > MAX_MESSAGE) {
                throw foreign("an answer of more than " + MAX_MESSAGE + " bytes");
            }
            message = read;
        }
        return read;
    }

    /** The body of a message, which may be in gzip. */
    private InputStream unpacked() throws IOException {
        return coding().equals(HttpCalls.GZIP) ? new GZIPInputStream(body(), BUFFER) : body();
    }

    /** The coding of the body, in lower case; empty if it is plain. */
    private String coding() {
        String coding = connection.getContentEncoding();
        return coding == null ? "" : coding.strip().toLowerCase(Locale.ROOT);
    }

    <T> T read(Function<byte[], T> reading) {
        try {
            return reading.apply(message());
        } catch (MalformedDataException e) {
            throw type().equals(HTML) ? page() : foreign("an answer that is no message: " + e.getMessage());
        }
    }

    Messages.Problem problem() {
        return read(Messages::readProblem);
    }

    /** Ref updates; none, if the server knows no such request (SY26). */
    List<LogEntry> updates(int most) {
        if (status == HttpURLConnection.HTTP_NOT_FOUND
                && !problem().code().equals(RemoteException.Reason.NO_BRANCH.code())) {
            return List.of();
        }
        require(HttpURLConnection.HTTP_OK);
        return read(bytes -> UpdateMessages.read(bytes, most));
    }

    void require(int expected) {
        if (status != expected) {
            throw failure();
        }
    }

    /** The failure for a block that a push needs: the server names it, and may say that it is missing there. */
    RuntimeException blockFailure() {
        Messages.Problem problem = problem();
        Cid cid = problem.cid().orElseThrow(this::failure);
        return problem.code().equals("missing-block") ? new MissingBlockException(cid) : failure();
    }

    /** What the status means, in the words of the server where it has some. */
    RuntimeException failure() {
        if (status >= FIRST_REDIRECT && status < FIRST_ERROR) {
            return foreign(
                    "the server has moved, or wants a login, with status " + status + ": " + Escapes.brief(target()));
        }
        Optional<Messages.Problem> problem = understood();
        String text = "status " + status
                + problem.map(each -> ": " + Escapes.brief(each.message())).orElse("");
        String code = problem.map(Messages.Problem::code).orElse("");
        if (status == HttpURLConnection.HTTP_UNAUTHORIZED || status == HttpURLConnection.HTTP_FORBIDDEN) {
            return refused(text, hasToken ? "the token may not do this" : "the remote may want a token");
        }
        if (status == HttpURLConnection.HTTP_ENTITY_TOO_LARGE) {
            return new RemoteException(
                    RemoteException.Reason.TOO_LARGE,
                    "the remote takes no body of this size: " + address + ": " + text,
                    "raise its limit",
                    null);
        }
        if (code.equals(RemoteException.Reason.NO_BRANCH.code())) {
            return new RemoteException(
                    RemoteException.Reason.NO_BRANCH,
                    problem.map(each -> Escapes.printable(each.message())).orElse(text),
                    "list its branches",
                    null);
        }
        if (code.equals(RemoteException.Reason.KEPT.code())) {
            return new RemoteException(
                    RemoteException.Reason.KEPT,
                    problem.map(each -> Escapes.printable(each.message())).orElse(text),
                    "a remote keeps main and its current branch",
                    null);
        }
        if (status >= SERVER_ERROR) {
            return new StoreIOException("cannot exchange", address, text, null);
        }
        if (problem.isEmpty()) {
            return type().equals(HTML) ? page() : foreign(text);
        }
        return refused(text, "repair what it names, and try again");
    }

    /** Where a redirect leads to, without what may be secret. */
    private String target() {
        return String.valueOf(connection.getHeaderField("Location"))
                .replaceFirst("[?#].*", "")
                .replaceFirst("//[^/]*@", "//");
    }

    private RemoteException refused(String text, String hint) {
        return new RemoteException(
                RemoteException.Reason.REFUSED, "the remote refuses: " + address + ": " + text, hint, null);
    }

    private Optional<Messages.Problem> understood() {
        try {
            return Optional.of(Messages.readProblem(message()));
        } catch (MalformedDataException | StoreIOException e) {
            return Optional.empty();
        }
    }

    RemoteException foreign(String what) {
        return new RemoteException(
                RemoteException.Reason.PROTOCOL,
                "not an answer of a pail server: " + address + ": " + what,
                "see whether this is its address; a proxy or a page for logins may answer in its place",
                null);
    }
}
