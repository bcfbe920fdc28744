package dev.pail.server.http;

import java.io.IOException;
import java.util.Set;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers the requests whose paths begin in one way. Safe for use by several threads. */
public interface Endpoint {
    /**
     * Answers, or throws a {@link Refusal} or a {@link dev.pail.PailException}, for which its caller answers.
     *
     * @throws IOException if the client does not send the body of the request
     */
    void answer(Request request, Response response, Callback callback) throws IOException;

    /**
     * Checks the method of a request.
     *
     * @param allowed the methods that are answered, with commas
     */
    static void checkMethod(Request request, String allowed) {
        if (!Set.of(allowed.split(", ")).contains(request.getMethod())) {
            throw Refusal.methodNotAllowed(request.getMethod(), allowed);
        }
    }
}
