package dev.pail.server.sync;

import dev.pail.BlockException;
import dev.pail.remote.Quarantine;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RemoteTag;
import dev.pail.remote.RepositoryRemote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.model.RefToken;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** One tag: {@code PUT} makes it, and {@code DELETE} removes it. The API lists all (SY19). */
final class TagEndpoint implements Endpoint {
    static final String PATH = "/v1/tags/";

    private final RepositoryRemote remote;
    private final Quarantine quarantine;

    TagEndpoint(RepositoryRemote remote, Quarantine quarantine) {
        this.remote = remote;
        this.quarantine = quarantine;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "PUT, DELETE");
        reply(request).send(request, response, callback);
    }

    private Reply reply(Request request) throws IOException {
        String name = PeerRequest.rest(request, PATH);
        Caller caller = Caller.of(request);
        caller.checkWrite(name);
        try {
            return request.getMethod().equals("PUT") ? make(request, name, caller) : remove(request, name);
        } catch (RemoteException e) {
            return Reply.refused(e);
        }
    }

    private Reply make(Request request, String name, Caller caller) throws IOException {
        RemoteTag tag = PeerRequest.read(request, Messages::readTag);
        if (!tag.name().equals(name)) {
            throw Refusal.malformed("the tag in the body has another name than that in the address");
        }
        try (Quarantine.Area apart = quarantine.enter(caller.name())) {
            boolean isNew = remote.pushTag(tag, apart);
            return new Reply.Message(isNew ? HttpStatus.CREATED_201 : HttpStatus.OK_200, Messages.tag(tag));
        } catch (BlockException e) {
            return Reply.refused(e.cid(), e);
        }
    }

    /** Removes a tag, if it has the head that the peer has seen. Rule SY21. */
    private Reply remove(Request request, String name) {
        RefToken state =
                PeerRequest.expected(request).orElseThrow(() -> Refusal.malformed("If-Match is the token of the tag"));
        RemoteTag now = remote.requireTag(name);
        if (!state.fits(now.token())) {
            return Reply.refused(
                    HttpStatus.PRECONDITION_FAILED_412, RemoteException.Reason.MOVED, "the tag has another head");
        }
        remote.removeTag(now);
        return new Reply.Empty(HttpStatus.NO_CONTENT_204);
    }
}
