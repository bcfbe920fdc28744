package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.Epoch;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import java.io.IOException;
import java.util.Locale;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers what the repository is, and what the sender of the request may do. Reads no block. */
final class StateEndpoint implements Endpoint {
    private final Repository repository;
    private final boolean hasTokens;

    StateEndpoint(Repository repository, boolean hasTokens) {
        this.repository = repository;
        this.hasTokens = hasTokens;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters.of(request);
        Caller caller = Caller.of(request);
        int branches = repository.branches().names().size();
        int tags = repository.tags().names().size();
        Epoch epoch = repository.refs().epoch();
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("format", repository.format().name());
            json.writeNumberField("branches", branches);
            json.writeNumberField("tags", tags);
            write(json, epoch);
            json.writeBooleanField("tokens", hasTokens);
            json.writeObjectFieldStart("caller");
            json.writeStringField("name", caller.name());
            json.writeStringField("right", caller.right().name().toLowerCase(Locale.ROOT));
            json.writeArrayFieldStart("branches");
            if (caller.branches().isPresent()) {
                json.writeString(caller.branches().get());
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** What is known of garbage collections; nothing if the epoch cannot be read. */
    private static void write(JsonGenerator json, Epoch epoch) throws IOException {
        json.writeObjectFieldStart("collection");
        if (!epoch.equals(Epoch.UNKNOWN)) {
            json.writeNumberField("epoch", epoch.number());
            json.writeBooleanField("running", epoch.isUnderWay());
            if (!epoch.logsKeptSince().equals(Epoch.NONE.logsKeptSince())) {
                json.writeStringField("logsKeptSince", epoch.logsKeptSince().toString());
            }
        }
        json.writeEndObject();
    }
}
