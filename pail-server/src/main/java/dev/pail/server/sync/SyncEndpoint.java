package dev.pail.server.sync;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarWriter;
import dev.pail.car.MalformedCarException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.remote.FetchReply;
import dev.pail.remote.FetchRequest;
import dev.pail.remote.PushMode;
import dev.pail.remote.PushReply;
import dev.pail.remote.PushRequest;
import dev.pail.remote.Quarantine;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RemoteInfo;
import dev.pail.remote.RepositoryRemote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RefToken;
import dev.pail.server.access.Quotas;
import dev.pail.server.http.BudgetedOutput;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.EntityTags;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Paths;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.RequestBody;
import dev.pail.server.http.WireText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers peers that fetch and push: {@code /v1/info}, {@code branches}, {@code fetch}, {@code blocks} and {@code push}. Rule SY1. */
public final class SyncEndpoint {
    static final String INFO = "/v1/info";
    static final String BRANCHES = "/v1/branches";
    static final String FETCH = "/v1/fetch";
    static final String BLOCKS = "/v1/blocks";

    /** The most bytes of a message that is no CAR. */
    private static final int MAX_MESSAGE = 1 << 20;

    private static final int MAX_BLOCKS = Remote.MAX_BLOCKS;
    private static final String CAR = "application/vnd.ipld.car; version=1";

    private final Repository repository;
    private final RepositoryRemote remote;
    private final long maxBody;
    private final Quotas quotas;
    private final Quarantine quarantine;

    /** @param maxBody the most bytes of a push */
    public SyncEndpoint(Repository repository, long maxBody, Quotas quotas, Quarantine quarantine) {
        this.quotas = quotas;
        this.quarantine = quarantine;
        this.repository = repository;
        this.remote = RepositoryRemote.of(repository, "this server");
        this.maxBody = maxBody;
    }

    /** Adds what this answers, by what the paths begin with. */
    public void addTo(Map<String, Endpoint> endpoints) {
        endpoints.put(INFO, this::info);
        endpoints.put(BRANCHES, this::branches);
        endpoints.put(BRANCHES + "/", this::branches);
        endpoints.put(FETCH, this::fetch);
        endpoints.put(BLOCKS, this::blocks);
        endpoints.put(Paths.PUSH, this::push);
        endpoints.put(ErasureEndpoint.PATH, new ErasureEndpoint(repository));
    }

    private void info(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        RemoteInfo info = new RemoteInfo(
                repository.format(),
                repository.branches().current(),
                maxBody,
                repository.refs().repositoryId());
        JsonReply.send(request, response, callback, HttpStatus.OK_200, Messages.info(info));
    }

    private void branches(Request request, Response response, Callback callback) {
        String name = rest(request, BRANCHES);
        Endpoint.checkMethod(request, name.isEmpty() ? "GET, HEAD" : "GET, HEAD, DELETE");
        if (request.getMethod().equals("DELETE")) {
            RefToken state =
                    expected(request).orElseThrow(() -> Refusal.malformed("If-Match is the ETag of the branch"));
            new BranchRemoval(remote).answer(request, response, callback, name.substring(1), state);
            return;
        }
        if (name.isEmpty()) {
            JsonReply.send(request, response, callback, HttpStatus.OK_200, Messages.branches(remote.branches()));
            return;
        }
        try {
            sendBranch(request, response, callback, remote.require(name.substring(1)));
        } catch (RemoteException e) {
            refuse(request, response, callback, e);
        }
    }

    private void sendBranch(Request request, Response response, Callback callback, RemoteBranch branch) {
        Optional<Cid> root = branch.head().isEmpty() ? Optional.empty() : Optional.of(root(branch.head()));
        JsonReply.sendBranch(request, response, callback, branch, root);
    }

    private Cid root(Head head) {
        return repository.pailAt(head).root();
    }

    private static void refuse(Request request, Response response, Callback callback, RemoteException absent) {
        Messages.Problem problem = new Messages.Problem(
                String.valueOf(absent.getMessage()), absent.code(), Optional.empty(), Optional.empty());
        refuse(request, response, callback, HttpStatus.NOT_FOUND_404, problem);
    }

    /** What is behind the beginning of a path, decoded. */
    private static String rest(Request request, String beginning) {
        return Parameters.decode(String.valueOf(request.getHttpURI().getPath()).substring(beginning.length()));
    }

    private void fetch(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "POST");
        byte[] message = read(request, bytes -> bytes);
        FetchRequest asked = understood(message, Messages::readFetch);
        if (understood(message, Messages::isEvents)) {
            sendEvents(request, response, callback, asked);
            return;
        }
        RepositoryRemote.Offer offer;
        try {
            offer = remote.offer(asked);
        } catch (RemoteException e) {
            refuse(request, response, callback, e);
            return;
        }
        response.getHeaders().put(Messages.GENERATION, offer.branch().generation());
        response.getHeaders().put(HttpHeader.ETAG, EntityTags.of(offer.branch().token()));
        if (offer.outcome() == FetchReply.Outcome.MORE_HAVES) {
            JsonReply.send(request, response, callback, HttpStatus.CONFLICT_409, Messages.moreHaves());
        } else if (offer.export().isEmpty()) {
            response.setStatus(HttpStatus.NO_CONTENT_204);
            response.getHeaders().put(JsonReply.NOT_STORED);
            response.write(true, ByteBuffer.allocate(0), callback);
        } else {
            CarExport export = offer.export().get();
            if (request.getHeaders().getCSV(HttpHeader.ACCEPT, false).contains(Messages.DELTA)) {
                sendCar(request, response, callback, Messages.DELTA, out -> export.writeDeltasTo(out, FETCH));
            } else {
                sendCar(request, response, callback, CAR, out -> export.writeTo(out, FETCH));
            }
        }
    }

    private void sendEvents(Request request, Response response, Callback callback, FetchRequest asked) {
        try {
            List<Cid> events = remote.events(asked);
            JsonReply.send(request, response, callback, HttpStatus.OK_200, Messages.blocks(events));
        } catch (RemoteException e) {
            refuse(request, response, callback, e);
        }
    }

    /** Writes a CAR. */
    private interface Car {
        void writeTo(OutputStream out);
    }

    /** Sends a CAR. A failure in the middle ends the connection (GW9). */
    private static void sendCar(Request request, Response response, Callback callback, String type, Car car) {
        if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0) {
            throw Refusal.oldVersion();
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        response.getHeaders().put(JsonReply.NOT_STORED);
        response.getHeaders().put(JsonReply.NO_SNIFFING);
        // Closing the stream would end the response as if it were whole.
        @SuppressWarnings("resource")
        OutputStream out = new BudgetedOutput(request, Content.Sink.asOutputStream(response));
        car.writeTo(out);
        response.write(true, ByteBuffer.allocate(0), callback);
    }

    private void blocks(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "POST");
        List<Cid> cids = read(request, bytes -> Messages.readBlocks(bytes, MAX_BLOCKS));
        BlockStore blocks = repository.blocks();
        sendCar(request, response, callback, CAR, out -> {
            // Closing the writer would close the stream, which is not ours.
            @SuppressWarnings("resource")
            CarWriter writer = CarWriter.of(out, BLOCKS, List.of());
            for (Cid cid : cids) {
                if (cid.hashFunction() != Cid.IDENTITY) {
                    blocks.getChecked(cid).ifPresent(writer::write);
                }
            }
            writer.flush();
        });
    }

    private void push(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "POST");
        String branch = rest(request, Paths.PUSH);
        Map<String, String> query = Parameters.among(
                Set.of("merge", "force", "convert", "blocks", "missing"),
                request.getHttpURI().getQuery());
        PushMode mode = mode(query);
        Caller caller = Caller.of(request);
        if (mode.isForced()) {
            caller.checkForce(branch);
        } else {
            caller.checkWrite(branch);
        }
        Reply reply;
        try (Quarantine.Area apart = quarantine.enter(caller.name())) {
            if (query.containsKey("missing")) {
                List<Cid> asked = read(request, bytes -> Messages.readBlocks(bytes, MAX_BLOCKS));
                List<Cid> others = asked.stream().filter(cid -> !apart.has(cid)).toList();
                List<Cid> missing = List.copyOf(remote.missing(branch, others));
                reply = (asking, answer, done) ->
                        JsonReply.send(asking, answer, done, HttpStatus.OK_200, Messages.blocks(missing));
            } else {
                reply = pushed(request, branch, mode, query.containsKey("blocks"), apart);
            }
        }
        // Only now: the next request of this client finds what this one has left.
        reply.send(request, response, callback);
    }

    /** Answers a request. */
    private interface Reply {
        void send(Request request, Response response, Callback callback);

        static Reply refusing(int status, Messages.Problem problem) {
            return (request, response, callback) -> refuse(request, response, callback, status, problem);
        }
    }

    private Reply pushed(Request request, String branch, PushMode mode, boolean isBlocks, Quarantine.Area apart)
            throws IOException {
        Optional<RefToken> expected = isBlocks ? Optional.empty() : expected(request);
        CarImport taken;
        try {
            taken = receive(request, apart.blocks());
        } catch (BlockException e) {
            // The base of a delta is missing, or too many deltas make other bytes than their CIDs say.
            return Reply.refusing(HttpStatus.UNPROCESSABLE_ENTITY_422, problem(e.cid(), e));
        }
        if (taken.refused() > 0) {
            CarImport.Refusal first = taken.refusals().get(0);
            return Reply.refusing(HttpStatus.UNPROCESSABLE_ENTITY_422, problem(first.cid(), first.cause()));
        }
        if (isBlocks) {
            return (asking, answer, done) -> {
                answer.setStatus(HttpStatus.ACCEPTED_202);
                answer.getHeaders().put(JsonReply.NOT_STORED);
                answer.write(true, ByteBuffer.allocate(0), done);
            };
        }
        PushReply reply;
        try {
            reply = remote.update(new PushRequest(branch, head(taken), expected, mode), apart);
        } catch (BlockException e) {
            return Reply.refusing(HttpStatus.UNPROCESSABLE_ENTITY_422, problem(e.cid(), e));
        }
        return switch (reply.outcome()) {
            case DONE -> (asking, answer, done) -> sendBranch(asking, answer, done, reply.current());
            case MOVED ->
                Reply.refusing(
                        HttpStatus.PRECONDITION_FAILED_412,
                        problem(reply, RemoteException.Reason.MOVED, "the branch has another generation or head"));
            case NOT_FAST_FORWARD ->
                Reply.refusing(
                        HttpStatus.CONFLICT_409,
                        problem(reply, RemoteException.Reason.NOT_FAST_FORWARD, "the branch has other events"));
            case OTHER_FORMAT ->
                Reply.refusing(
                        HttpStatus.CONFLICT_409,
                        problem(
                                reply,
                                RemoteException.Reason.FORMAT,
                                "the branch has another shard format, and its readers may not know the pushed one"));
        };
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

    /** The state that the branch shall have; none, if it shall be absent or without events (SY6). */
    private static Optional<RefToken> expected(Request request) {
        String match = request.getHeaders().get(HttpHeader.IF_MATCH);
        String noneMatch = request.getHeaders().get(HttpHeader.IF_NONE_MATCH);
        if (match != null && noneMatch == null) {
            Optional<RefToken> tag = EntityTags.read(match);
            if (tag.isPresent()) {
                return tag;
            }
        } else if (match == null && "*".equals(noneMatch)) {
            return Optional.empty();
        } else if (match == null && noneMatch == null) {
            throw Refusal.preconditionRequired(
                    "a push has If-Match with the ETag of the branch, or If-None-Match: * if there is no branch");
        }
        throw Refusal.malformed("If-Match is the ETag of the branch, or If-None-Match is *");
    }

    private CarImport receive(Request request, BlockStore apart) throws IOException {
        CarImport taken;
        boolean hasDeltas = Messages.DELTA.equals(request.getHeaders().get(HttpHeader.CONTENT_TYPE));
        try (InputStream body = hasDeltas ? RequestBody.ofDeltas(request, maxBody) : RequestBody.of(request, maxBody)) {
            CarReader car = CarReader.of(body, "the push");
            BlockStore blocks = quotas.metered(apart, Caller.of(request).name());
            taken = hasDeltas ? CarImport.ofDeltas(car, blocks) : CarImport.of(car, blocks);
        } catch (MalformedCarException e) {
            throw Refusal.malformed(String.valueOf(e.getMessage()));
        }
        return taken;
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

    private static Messages.Problem problem(Cid cid, PailException error) {
        return new Messages.Problem(WireText.of(error), error.code(), Optional.of(cid), Optional.empty());
    }

    private static Messages.Problem problem(PushReply reply, RemoteException.Reason reason, String text) {
        return new Messages.Problem(text, reason.code(), Optional.empty(), Optional.of(reply.current()));
    }

    private static void refuse(
            Request request, Response response, Callback callback, int status, Messages.Problem problem) {
        Messages.Problem shown = new Messages.Problem(
                WireText.without(request, problem.message()), problem.code(), problem.cid(), problem.current());
        JsonReply.send(request, response, callback, status, Messages.problem(shown));
    }

    /** Reads a message of the body. */
    private interface Reading<T> {
        T of(byte[] bytes);
    }

    private static <T> T read(Request request, Reading<T> reading) throws IOException {
        try (InputStream body = RequestBody.of(request, MAX_MESSAGE)) {
            return understood(body.readAllBytes(), reading);
        }
    }

    private static <T> T understood(byte[] message, Reading<T> reading) {
        try {
            return reading.of(message);
        } catch (MalformedDataException e) {
            throw Refusal.malformed("the body is no such message: " + e.getMessage());
        }
    }
}
