package dev.pail.server.sync;

import dev.pail.remote.PushReply;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RepositoryRemote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.model.RefToken;
import dev.pail.server.http.Caller;
import dev.pail.server.http.JsonReply;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Removes a branch for a peer, if it is in the state that the peer has seen. Rule SY15. */
record BranchRemoval(RepositoryRemote remote) {
    void answer(Request request, Response response, Callback callback, String branch, RefToken state) {
        Caller.of(request).checkWrite(branch);
        PushReply reply;
        try {
            reply = remote.remove(branch, state);
        } catch (RemoteException e) {
            boolean isAbsent = e.reason() == RemoteException.Reason.NO_BRANCH;
            refuse(
                    request,
                    response,
                    callback,
                    isAbsent ? HttpStatus.NOT_FOUND_404 : HttpStatus.CONFLICT_409,
                    new Messages.Problem(String.valueOf(e.getMessage()), e.code(), Optional.empty(), Optional.empty()));
            return;
        }
        if (reply.outcome() == PushReply.Outcome.MOVED) {
            refuse(
                    request,
                    response,
                    callback,
                    HttpStatus.PRECONDITION_FAILED_412,
                    new Messages.Problem(
                            "the branch has another state",
                            RemoteException.Reason.MOVED.code(),
                            Optional.empty(),
                            Optional.of(reply.current())));
            return;
        }
        response.setStatus(HttpStatus.NO_CONTENT_204);
        response.getHeaders().put(JsonReply.NOT_STORED);
        response.write(true, ByteBuffer.allocate(0), callback);
    }

    private static void refuse(
            Request request, Response response, Callback callback, int status, Messages.Problem problem) {
        JsonReply.send(request, response, callback, status, Messages.problem(problem));
    }
}
