package dev.pail.server.sync;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.remote.PushMode;
import dev.pail.remote.PushReply;
import dev.pail.remote.PushRequest;
import dev.pail.remote.Quarantine;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RepositoryRemote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.Repository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefToken;
import dev.pail.server.access.Quotas;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Paths;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.RequestBody;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Takes the blocks of peers into quarantine, and moves branches to them. */
final class PushEndpoint implements Endpoint {
    private final Repository repository;
    private final RepositoryRemote remote;
    private final long maxBody;
    private final Quotas quotas;
    private final Quarantine quarantine;

    PushEndpoint(Repository repository, RepositoryRemote remote, long maxBody, Quotas quotas, Quarantine quarantine) {
        this.repository = repository;
        this.remote = remote;
        this.maxBody = maxBody;
        this.quotas = quotas;
        this.quarantine = quarantine;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "POST");
        String branch = PeerRequest.rest(request, Paths.PUSH);
        Map<String, String> query = Parameters.among(
                Set.of("merge", "force", "convert", "blocks", "missing", "undo", "redo"),
                request.getHttpURI().getQuery());
        PushMode mode = mode(query);
        String reason = reason(query, mode);
        Caller caller = Caller.of(request);
        if (mode.isForced()) {
            caller.checkForce(branch);
        } else {
            caller.checkWrite(branch);
        }
        Reply reply;
        try (Quarantine.Area apart = quarantine.enter(caller.name())) {
            if (query.containsKey("missing")) {
                reply = missing(request, branch, apart);
            } else if (query.containsKey("blocks")) {
                reply = received(request, apart, taken -> new Reply.Empty(HttpStatus.ACCEPTED_202));
            } else {
                Optional<RefToken> expected = PeerRequest.expected(request);
                reply = received(
                        request,
                        apart,
                        taken -> update(caller, new PushRequest(branch, head(taken), expected, mode, reason), apart));
            }
        }
        // Only now: the next request of this client finds what this one has left.
        reply.send(request, response, callback);
    }

    private static PushMode mode(Map<String, String> query) {
        boolean isMerge = query.containsKey("merge");
        boolean isForce = query.containsKey("force");
        if (isMerge && isForce) {
            throw Refusal.malformed("a push merges or forces, and not both");
        }
        boolean isConvert = query.containsKey("convert");
        if (isConvert && !isForce) {
            throw Refusal.malformed("only a push that forces converts");
        }
        return isMerge
                ? PushMode.MERGE
                : isConvert ? PushMode.CONVERT : isForce ? PushMode.FORCE : PushMode.FAST_FORWARD;
    }

    /** That of an undo or a redo, if the push says that it is one (SY29). */
    private static String reason(Map<String, String> query, PushMode mode) {
        String undo = query.get("undo");
        String redo = query.get("redo");
        if (undo == null && redo == null) {
            return LogEntry.PUSH;
        }
        String reason = undo != null ? "undo to generation " + undo : "redo to generation " + redo;
        if ((undo != null && redo != null) || mode != PushMode.FORCE || !PushRequest.isStep(reason)) {
            throw Refusal.malformed("a push with force=1 has undo=GENERATION or redo=GENERATION");
        }
        return reason;
    }

    private Reply missing(Request request, String branch, Quarantine.Area apart) throws IOException {
        List<Cid> others = PeerRequest.blocks(request).stream()
                .filter(cid -> !apart.has(cid))
                .toList();
        return Reply.done(Messages.blocks(List.copyOf(remote.missing(branch, others))));
    }

    /** @param then answers when all blocks are in quarantine */
    private Reply received(Request request, Quarantine.Area apart, Function<CarImport, Reply> then) throws IOException {
        CarImport taken;
        try {
            taken = receive(request, apart.blocks());
        } catch (BlockException e) {
            // The base of a delta is missing, or too many deltas make other bytes than their CIDs say.
            return Reply.refused(e.cid(), e);
        }
        if (taken.refused() > 0) {
            CarImport.Refusal first = taken.refusals().get(0);
            return Reply.refused(first.cid(), first.cause());
        }
        return then.apply(taken);
    }

    private CarImport receive(Request request, BlockStore apart) throws IOException {
        boolean hasDeltas = Messages.DELTA.equals(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        try (InputStream body = hasDeltas ? RequestBody.ofDeltas(request, maxBody) : RequestBody.of(request, maxBody)) {
            CarReader car = CarReader.of(body, "the push");
            BlockStore blocks = quotas.metered(apart, Caller.of(request).name());
            return hasDeltas ? CarImport.ofDeltas(car, blocks) : CarImport.of(car, blocks);
        } catch (MalformedDataException e) {
            throw Refusal.malformed(String.valueOf(e.getMessage()));
        }
    }

    private static Head head(CarImport taken) {
        try {
            Head head = Head.of(taken.header().roots());
            if (!head.isEmpty()) {
                return head;
            }
        } catch (IllegalArgumentException e) {
            throw Refusal.malformed("the roots of a push are events: " + e.getMessage());
        }
        throw Refusal.malformed("the roots of a push are events, and it has none");
    }

    /** The log says who pushed. The events say who made them. */
    private Reply update(Caller caller, PushRequest push, Quarantine.Area apart) {
        RepositoryRemote inName = RepositoryRemote.of(repository.withNote(caller.note()), remote.address());
        PushReply reply;
        try {
            reply = inName.update(push, apart);
        } catch (BlockException e) {
            return Reply.refused(e.cid(), e);
        }
        return switch (reply.outcome()) {
            case DONE -> Reply.of(repository, reply.current());
            case MOVED -> Reply.moved(reply, "the branch has another generation or head");
            case NOT_FAST_FORWARD ->
                Reply.conflict(reply, RemoteException.Reason.NOT_FAST_FORWARD, "the branch has other events");
            case OTHER_FORMAT ->
                Reply.conflict(
                        reply,
                        RemoteException.Reason.FORMAT,
                        "the branch has another shard format, and its readers may not know the pushed one");
        };
    }
}
