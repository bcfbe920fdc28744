package dev.pail.server;

import java.io.IOException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers the requests whose paths begin in one way. Safe for use by several threads. */
interface Endpoint {
    /**
     * Answers, or throws a {@link Refusal} or a {@link dev.pail.PailException}, for which {@link Entrance} answers.
     *
     * @throws IOException if the client does not send the body of the request
     */
    void answer(Request request, Response response, Callback callback) throws IOException;
}
