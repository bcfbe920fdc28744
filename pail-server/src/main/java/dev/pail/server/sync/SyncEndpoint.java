package dev.pail.server.sync;

import dev.pail.BlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.CarWriter;
import dev.pail.ipld.Cid;
import dev.pail.remote.BlocksAhead;
import dev.pail.remote.FetchReply;
import dev.pail.remote.FetchRequest;
import dev.pail.remote.NextReads;
import dev.pail.remote.PushReply;
import dev.pail.remote.Quarantine;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RemoteInfo;
import dev.pail.remote.RemoteState;
import dev.pail.remote.RepositoryRemote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RefToken;
import dev.pail.server.access.Quotas;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.Paths;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;

/** Answers peers that fetch and push: {@code /v1/info}, {@code branches}, {@code fetch}, {@code blocks} and {@code push}. Rule SY1. */
public final class SyncEndpoint {
    static final String INFO = "/v1/info";
    static final String BRANCHES = "/v1/branches";
    static final String FETCH = "/v1/fetch";
    static final String BLOCKS = "/v1/blocks";

    private static final String CAR = "application/vnd.ipld.car; version=1";

    private final Repository repository;
    private final RepositoryRemote remote;
    private final long maxBody;
    private final PushEndpoint push;
    private final Quarantine quarantine;

    /** @param maxBody the most bytes of a push */
    public SyncEndpoint(Repository repository, long maxBody, Quotas quotas, Quarantine quarantine) {
        this.repository = repository;
        this.remote = RepositoryRemote.of(repository, "this server");
        this.maxBody = maxBody;
        this.quarantine = quarantine;
        this.push = new PushEndpoint(repository, remote, maxBody, quotas, quarantine);
    }

    /** Adds what this answers, by what the paths begin with. */
    public void addTo(Map<String, Endpoint> endpoints) {
        endpoints.put(INFO, answering(this::info));
        endpoints.put(BRANCHES, answering(this::branches));
        endpoints.put(BRANCHES + "/", answering(this::branch));
        endpoints.put(FETCH, answering(this::fetch));
        endpoints.put(BLOCKS, answering(this::blocks));
        endpoints.put(Paths.PUSH, push);
        endpoints.put(TagEndpoint.PATH, new TagEndpoint(remote, quarantine));
        HeadNotesEndpoint signed = new HeadNotesEndpoint(repository);
        endpoints.put(HeadNotesEndpoint.PATH, signed);
        endpoints.put(HeadNotesEndpoint.PATH + "/", signed);
        endpoints.put(ErasureEndpoint.PATH, new ErasureEndpoint(repository));
    }

    /** Finds the reply to a request. */
    private interface Answering {
        Reply to(Request request) throws IOException;
    }

    private static Endpoint answering(Answering answering) {
        return (request, response, callback) -> answering.to(request).send(request, response, callback);
    }

    private Reply info(Request request) {
        Endpoint.checkMethod(request, "GET, HEAD");
        RemoteInfo info = RemoteInfo.of(repository, maxBody);
        if (!"branches=true".equals(request.getHttpURI().getQuery())) {
            return Reply.done(Messages.info(info));
        }
        return Reply.done(Messages.state(new RemoteState(info, remote.branches(), remote.root(info.current()))));
    }

    private Reply branches(Request request) {
        Endpoint.checkMethod(request, "GET, HEAD");
        return Reply.done(Messages.branches(remote.branches()));
    }

    private Reply branch(Request request) {
        String name = PeerRequest.rest(request, BRANCHES + "/");
        Endpoint.checkMethod(request, "GET, HEAD, DELETE");
        if (request.getMethod().equals("DELETE")) {
            return remove(request, name);
        }
        try {
            return Reply.of(repository, remote.require(name));
        } catch (RemoteException e) {
            return Reply.refused(e);
        }
    }

    /** Removes a branch, if it is in the state that the peer has seen. Rule SY15. */
    private Reply remove(Request request, String name) {
        RefToken state = PeerRequest.expected(request)
                .orElseThrow(() -> Refusal.malformed("If-Match is the ETag of the branch"));
        Caller.of(request).checkWrite(name);
        try {
            PushReply reply = remote.remove(name, state);
            return reply.outcome() == PushReply.Outcome.MOVED
                    ? Reply.moved(reply, "the branch has another state")
                    : new Reply.Empty(HttpStatus.NO_CONTENT_204);
        } catch (RemoteException e) {
            return Reply.refused(e);
        }
    }

    private Reply fetch(Request request) throws IOException {
        Endpoint.checkMethod(request, "POST");
        byte[] message = PeerRequest.read(request, bytes -> bytes);
        FetchRequest asked = PeerRequest.understood(message, Messages::readFetch);
        try {
            if (PeerRequest.understood(message, Messages::isEvents)) {
                return Reply.done(Messages.blocks(remote.events(asked)));
            }
            RepositoryRemote.Offer offer = remote.offer(asked);
            return new Reply.From(offer.branch(), offered(request, offer));
        } catch (RemoteException e) {
            return Reply.refused(e);
        }
    }

    private static Reply offered(Request request, RepositoryRemote.Offer offer) {
        if (offer.outcome() == FetchReply.Outcome.MORE_HAVES) {
            return new Reply.Message(HttpStatus.CONFLICT_409, Messages.moreHaves());
        }
        if (offer.export().isEmpty()) {
            return new Reply.Empty(HttpStatus.NO_CONTENT_204);
        }
        CarExport export = offer.export().get();
        return request.getHeaders().getCSV(HttpHeader.ACCEPT, false).contains(Messages.DELTA)
                ? new Reply.Car(Messages.DELTA, out -> export.writeDeltasTo(out, FETCH))
                : new Reply.Car(CAR, out -> export.writeTo(out, FETCH));
    }

    private Reply blocks(Request request) throws IOException {
        Endpoint.checkMethod(request, "POST");
        byte[] message = PeerRequest.read(request, bytes -> bytes);
        List<Cid> cids = PeerRequest.understood(message, bytes -> Messages.readBlocks(bytes, Remote.MAX_BLOCKS));
        Optional<NextReads> next = PeerRequest.understood(message, Messages::readNext);
        BlockStore blocks = repository.blocks();
        return new Reply.Car(CAR, out -> {
            // Closing the writer would close the stream, which is not ours.
            @SuppressWarnings("resource")
            CarWriter writer = CarWriter.of(out, BLOCKS, List.of());
            for (Cid cid : cids) {
                if (cid.hashFunction() != Cid.IDENTITY) {
                    blocks.getChecked(cid).ifPresent(writer::write);
                }
            }
            next.ifPresent(reads -> BlocksAhead.forEach(blocks, cids, reads, writer::write));
            writer.flush();
        });
    }
}
