package dev.pail.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.ipld.Cid;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.wire.Messages;
import dev.pail.remote.wire.WireJson;
import dev.pail.repository.model.Note;
import java.io.IOException;
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
public final class JsonReply {
    public static final HttpField NOT_STORED = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    public static final HttpField NO_SNIFFING = new HttpField("X-Content-Type-Options", "nosniff");

    private JsonReply() {}

    public static void send(Request request, Response response, Callback callback, int status, WireJson.Fields fields) {
        send(request, response, callback, status, WireJson.write(fields));
    }

    /**
     * Answers with an object that is written already.
     *
     * @param body the object in UTF-8
     */
    public static void send(Request request, Response response, Callback callback, int status, byte[] body) {
        response.setStatus(status);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "application/json");
        headers.put(NOT_STORED);
        headers.put(NO_SNIFFING);
        headers.add(GzipBody.BY_ENCODING);
        if (GzipBody.isWanted(request, response, body.length)) {
            GzipBody.send(response, callback, body);
            return;
        }
        headers.put(HttpHeader.CONTENT_LENGTH, body.length);
        boolean isHead = HttpMethod.HEAD.is(request.getMethod());
        response.write(true, isHead ? ByteBuffer.allocate(0) : ByteBuffer.wrap(body), callback);
    }

    /** Answers with a branch, and its token as the tag. */
    public static void sendBranch(
            Request request, Response response, Callback callback, RemoteBranch branch, Optional<Cid> root) {
        response.getHeaders().put(HttpHeader.ETAG, EntityTags.of(branch.token()));
        send(request, response, callback, HttpStatus.OK_200, Messages.branch(branch, root));
    }

    /** Writes a field that is a CID; nothing if there is none. */
    public static void writeCid(JsonGenerator json, String name, Optional<Cid> cid) throws IOException {
        if (cid.isPresent()) {
            json.writeStringField(name, cid.get().toString());
        }
    }

    /** Writes the author and the message of a change, as far as they are known. */
    public static void writeNote(JsonGenerator json, Note note) throws IOException {
        if (note.author().isPresent()) {
            json.writeStringField("author", note.author().get());
        }
        if (note.message().isPresent()) {
            json.writeStringField("message", note.message().get());
        }
    }
}
