package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.server.access.Quotas;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.MemoryBudget;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.RequestBody;
import dev.pail.unixfs.UnixFs;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The value of a key: gives its CID or its bytes, puts and deletes it. */
final class ValueEndpoint implements Endpoint {
    private static final JsonFactory JSON = new JsonFactory();

    /** A CID in JSON is no larger. */
    private static final int MOST_JSON = 8 << 10;

    private final Repository repository;
    private final RequestedVersions versions;
    private final Writes writes;
    private final long most;
    private final Quotas quotas;

    /** @param most the most bytes of the body of a request */
    ValueEndpoint(Repository repository, RequestedVersions versions, Writes writes, long most, Quotas quotas) {
        this.quotas = quotas;
        this.repository = repository;
        this.versions = versions;
        this.writes = writes;
        this.most = most;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "GET, HEAD, PUT, DELETE");
        if (HttpMethod.PUT.is(request.getMethod()) || HttpMethod.DELETE.is(request.getMethod())) {
            write(request, response, callback);
            return;
        }
        Parameters parameters = Parameters.of(request, "at", "key", "format");
        String key = parameters.require("key");
        boolean isBytes = ServedValue.isAsked(request, parameters);
        Pail pail = versions.at(parameters, "at");
        Cid value = pail.get(key)
                .orElseThrow(
                        () -> Refusal.absent("no such key: " + Escapes.brief(key) + " in the version " + pail.root()));
        response.getHeaders().put(ServedValue.BY_ACCEPT);
        if (isBytes) {
            MemoryBudget.Share share = MemoryBudget.take(request, MemoryBudget.Purpose.RESPONSE, Block.MAX_SIZE);
            ServedValue bytes = ServedValue.read(repository.blocks(), value);
            share.shrinkTo(bytes.block().map(Block::size).orElse(0));
            bytes.answer(request, response, callback);
        } else {
            JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
                json.writeStringField("root", pail.root().toString());
                json.writeStringField("key", key);
                json.writeStringField("value", value.toString());
            });
        }
    }

    private void write(Request request, Response response, Callback callback) throws IOException {
        Parameters parameters = Parameters.of(request, "branch", "key", ExpectedValue.PARAMETER);
        String branch = parameters.require("branch");
        String key = parameters.require("key");
        ExpectedValue expected = ExpectedValue.of(parameters);
        Precondition precondition = writes.check(request, branch);
        UnaryOperator<Batch> change = HttpMethod.DELETE.is(request.getMethod())
                ? batch -> batch.delete(key)
                : put(request, branch, key, precondition);
        writes.make(
                request,
                response,
                callback,
                branch,
                precondition,
                pail -> change.apply(expected.in(pail.batch(), key)).commit());
    }

    private UnaryOperator<Batch> put(Request request, String branch, String key, Precondition precondition)
            throws IOException {
        // Before the body is stored.
        ShardFormat format = precondition.isAbsent()
                ? repository.format()
                : repository.pail(branch).format();
        format.checkKey(key);
        Cid value = isJson(request) ? cid(request) : stored(request);
        return batch -> batch.put(key, value);
    }

    private static boolean isJson(Request request) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return type != null
                && type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals("application/json");
    }

    /** Stores the body. If the change fails after that, a garbage collection takes it away. */
    private Cid stored(Request request) throws IOException {
        try (InputStream in = RequestBody.of(request, most)) {
            return UnixFs.write(
                    quotas.metered(repository.blocks(), Caller.of(request).name()), in);
        }
    }

    private static Cid cid(Request request) throws IOException {
        try (InputStream in = RequestBody.of(request, MOST_JSON);
                JsonParser parser = JSON.createParser(in.readAllBytes())) {
            if (parser.nextToken() == JsonToken.START_OBJECT
                    && parser.nextToken() == JsonToken.FIELD_NAME
                    && parser.currentName().equals("cid")
                    && parser.nextToken() == JsonToken.VALUE_STRING) {
                String text = parser.getText();
                if (parser.nextToken() == JsonToken.END_OBJECT && parser.nextToken() == null) {
                    return RequestedVersions.parse(text)
                            .orElseThrow(() -> Refusal.malformed("the value is no CID: " + Escapes.brief(text)));
                }
            }
        } catch (JsonProcessingException e) {
            throw Refusal.malformed("the body is not JSON: "
                    + e.getOriginalMessage().lines().findFirst().orElse(""));
        }
        throw Refusal.malformed("a body of application/json is {\"cid\":CID}; send other bytes as " + ServedValue.TYPE);
    }
}
