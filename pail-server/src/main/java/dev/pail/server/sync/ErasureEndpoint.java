package dev.pail.server.sync;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.remote.RepositoryRemote;
import dev.pail.remote.wire.ErasureMessages;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Erasure;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The records of erased blocks: {@code GET} lists them, {@code POST} adds some, for callers with the right to erase (ER10). */
final class ErasureEndpoint implements Endpoint {
    static final String PATH = "/v1/erasures";

    /** The most bytes of a message. */
    private static final int MAX_MESSAGE = 1 << 20;

    private final Repository repository;

    ErasureEndpoint(Repository repository) {
        this.repository = repository;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "GET, HEAD, POST");
        if (request.getMethod().equals("POST")) {
            Caller.of(request).checkErase();
            RepositoryRemote.of(repository, "this server").erase(read(request));
            send(request, response, callback, List.of());
            return;
        }
        String after = Parameters.of(request, "after").find("after").orElse("");
        List<Erasure> all = repository.maintenance().erasing().records();
        Cid last = after.isEmpty() ? null : cid(after);
        List<Erasure> rest = last == null
                ? all
                : all.stream()
                        .filter(record -> record.cid().compareTo(last) > 0)
                        .toList();
        send(request, response, callback, ErasureMessages.first(rest));
    }

    private static void send(Request request, Response response, Callback callback, List<Erasure> records) {
        JsonReply.send(request, response, callback, HttpStatus.OK_200, ErasureMessages.of(records));
    }

    private static Cid cid(String text) {
        try {
            return Cid.parse(text).raw();
        } catch (MalformedDataException e) {
            throw Refusal.malformed("after is a CID: " + e.getMessage());
        }
    }

    private static List<Erasure> read(Request request) throws IOException {
        try (InputStream body = RequestBody.of(request, MAX_MESSAGE)) {
            return ErasureMessages.read(body.readAllBytes());
        } catch (MalformedDataException e) {
            throw Refusal.malformed("the body is no such message: " + e.getMessage());
        }
    }
}
