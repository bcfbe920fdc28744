package dev.pail.server.api;

import dev.pail.Batch;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Makes the changes of a list of operations, all of them in one ref update or none. */
final class ApplyEndpoint implements Endpoint {
    /** The most bytes of a body: a change that loses a race is made again, so the server holds it in memory. */
    static final int MOST_BYTES = 8 << 20;

    private final Writes writes;
    private final long most;

    /** @param most the most bytes of the body of a request */
    ApplyEndpoint(Writes writes, long most) {
        this.writes = writes;
        this.most = Math.min(most, MOST_BYTES);
    }

    @Override
    public void answer(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "POST");
        String branch = Parameters.of(request, "branch").require("branch");
        Precondition precondition = writes.check(request, branch);
        byte[] body;
        try (InputStream in = RequestBody.of(request, most)) {
            body = in.readAllBytes();
        }
        writes.make(request, response, callback, branch, precondition, pail -> {
            Batch batch = pail.batch();
            Operations.apply(body, batch);
            return batch.commit();
        });
    }
}
