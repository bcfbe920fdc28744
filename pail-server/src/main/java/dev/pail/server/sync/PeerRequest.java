package dev.pail.server.sync;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.remote.Remote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.model.RefToken;
import dev.pail.server.http.EntityTags;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** Reads what peers send besides CARs. */
final class PeerRequest {
    /** The most bytes of a message that is no CAR. */
    private static final int MAX_MESSAGE = 1 << 20;

    private PeerRequest() {}

    /** What is behind the beginning of a path, decoded. */
    static String rest(Request request, String beginning) {
        return Parameters.decode(String.valueOf(request.getHttpURI().getPath()).substring(beginning.length()));
    }

    /** Reads a message of the body. */
    static <T> T read(Request request, Function<byte[], T> reading) throws IOException {
        try (InputStream body = RequestBody.of(request, MAX_MESSAGE)) {
            return understood(body.readAllBytes(), reading);
        }
    }

    static <T> T understood(byte[] message, Function<byte[], T> reading) {
        try {
            return reading.apply(message);
        } catch (MalformedDataException e) {
            throw Refusal.malformed("the body is no such message: " + e.getMessage());
        }
    }

    static List<Cid> blocks(Request request) throws IOException {
        return read(request, bytes -> Messages.readBlocks(bytes, Remote.MAX_BLOCKS));
    }

    /** The state that the branch shall have; none, if it shall be absent or without events (SY6). */
    static Optional<RefToken> expected(Request request) {
        String match = request.getHeaders().get(HttpHeader.IF_MATCH);
        String noneMatch = request.getHeaders().get(HttpHeader.IF_NONE_MATCH);
        if (match != null && noneMatch == null) {
            Optional<RefToken> tag = EntityTags.read(match);
            if (tag.isPresent()) {
                return tag;
            }
        } else if (match == null && "*".equals(noneMatch)) {
            return Optional.empty();
        } else if (match == null && noneMatch == null) {
            throw Refusal.preconditionRequired(
                    "a push has If-Match with the ETag of the branch, or If-None-Match: * if there is no branch");
        }
        throw Refusal.malformed("If-Match is the ETag of the branch, or If-None-Match is *");
    }
}
