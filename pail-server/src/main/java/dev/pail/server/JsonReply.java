package dev.pail.server;

import dev.pail.ipld.Cid;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.wire.JsonText;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.model.RefToken;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers with one JSON object, which no cache keeps. */
final class JsonReply {
    static final HttpField NOT_STORED = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");

    private JsonReply() {}

    static void send(Request request, Response response, Callback callback, int status, JsonText.Fields fields) {
        send(request, response, callback, status, JsonText.write(fields));
    }

    /** @param body the object in UTF-8 */
    static void send(Request request, Response response, Callback callback, int status, byte[] body) {
        response.setStatus(status);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "application/json");
        headers.put(NOT_STORED);
        headers.put(Entrance.NO_SNIFFING);
        headers.add(GzipBody.BY_ENCODING);
        if (GzipBody.isWanted(request, response, body.length)) {
            GzipBody.send(response, callback, body);
            return;
        }
        headers.put(HttpHeader.CONTENT_LENGTH, body.length);
        boolean isHead = HttpMethod.HEAD.is(request.getMethod());
        response.write(true, isHead ? ByteBuffer.allocate(0) : ByteBuffer.wrap(body), callback);
    }

    /** A token as the value of ETag. */
    static String tag(RefToken state) {
        return "\"" + state + "\"";
    }

    /** Reads what {@link #tag} makes; also a generation alone, which a client of version 0.2.0 sends. */
    static Optional<RefToken> readTag(String tag) {
        boolean isQuoted = tag.length() > 1 && tag.startsWith("\"") && tag.endsWith("\"");
        return isQuoted ? RefToken.parse(tag.substring(1, tag.length() - 1)) : Optional.empty();
    }

    /** Answers with a branch, and its token as the tag. */
    static void sendBranch(
            Request request, Response response, Callback callback, RemoteBranch branch, Optional<Cid> root) {
        response.getHeaders().put(HttpHeader.ETAG, tag(branch.token()));
        send(request, response, callback, HttpStatus.OK_200, Messages.branch(branch, root));
    }
}
