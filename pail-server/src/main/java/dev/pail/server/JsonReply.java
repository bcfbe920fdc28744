package dev.pail.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers with one JSON object, which no cache keeps. */
final class JsonReply {
    static final HttpField NOT_STORED = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final JsonFactory JSON = new JsonFactory();

    private JsonReply() {}

    /** Writes the fields of an object. */
    interface Fields {
        void writeTo(JsonGenerator json) throws IOException;
    }

    static void send(Request request, Response response, Callback callback, int status, Fields fields) {
        send(request, response, callback, status, bytes(fields));
    }

    /** @param body the object in UTF-8 */
    static void send(Request request, Response response, Callback callback, int status, byte[] body) {
        response.setStatus(status);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "application/json");
        headers.put(NOT_STORED);
        headers.put(Entrance.NO_SNIFFING);
        headers.put(HttpHeader.CONTENT_LENGTH, body.length);
        boolean isHead = HttpMethod.HEAD.is(request.getMethod());
        response.write(true, isHead ? ByteBuffer.allocate(0) : ByteBuffer.wrap(body), callback);
    }

    /** The object in UTF-8. */
    static byte[] bytes(Fields fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            fields.writeTo(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
