package dev.pail.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarWriter;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.wire.Messages;
import dev.pail.remote.wire.UpdateMessages;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A remote behind an HTTP server, such as {@code pail serve}. Immutable. Safe for use by several threads.
 *
 * <p>The remote sends the token in the header {@code Authorization}, and to this address only: a redirect is an error.
 *
 * <pre>{@code
 * try (Remote remote = HttpRemote.open("https://pail.example.org", Optional.of(token))) {
 *     List<FetchResult> fetched = Exchange.of(repository, "origin", remote).fetchAll();
 * }
 * }</pre>
 */
public final class HttpRemote implements Remote {
    static final String JSON = "application/json";
    private static final String CAR = "application/vnd.ipld.car";
    static final String RAW = "application/vnd.ipld.raw";
    private static final int BUFFER = 8 << 10;
    private final HttpCalls calls;
    private final HttpTags tags;

    private HttpRemote(HttpCalls calls) {
        this.calls = calls;
        this.tags = new HttpTags(calls, calls.address());
    }

    /**
     * Opens a remote at an address. Sends nothing yet.
     *
     * @param address {@code https://HOST[:PORT][/PATH]}
     * @param token the token for the server, if it needs one
     * @throws IllegalArgumentException if the address is invalid, or has a user, a query or a fragment; if the token has other characters
     *     than visible ASCII; or if there is a token and the address is {@code http://} and not of this machine: the network could read the
     *     token
     */
    public static HttpRemote open(String address, Optional<String> token) {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(address, "address");
        return new HttpRemote(HttpCalls.of(address, token));
    }

    /** Whether a text begins like the address of a server. */
    public static boolean isAddress(String text) {
        return HttpCalls.isAddress(text);
    }

    /**
     * Returns this remote with another timeout: for a connection, for the headers of an answer, and for each 64 KiB of a body. The default is 60
     * seconds. Time in which this process works itself does not count.
     */
    @CheckReturnValue
    public HttpRemote withPatience(Duration time) {
        if (time.toMillis() < 1) {
            throw new IllegalArgumentException("a remote waits for a millisecond at least, not " + time);
        }
        return new HttpRemote(calls.withPatience(time));
    }

    /** Returns this remote with connections that are made elsewhere. The default is those of the JDK, with its settings. */
    @CheckReturnValue
    public HttpRemote withConnector(HttpConnector other) {
        return new HttpRemote(calls.withConnector(Objects.requireNonNull(other, "other")));
    }

    /** This remote with another clock. */
    HttpRemote withClock(Waiting.Clock other) {
        return new HttpRemote(calls.withClock(other));
    }

    @Override
    public String address() {
        return calls.address();
    }

    @Override
    public RemoteInfo info() {
        return asked("GET", "/v1/info", Messages::readInfo);
    }

    @Override
    public List<RemoteBranch> branches() {
        return asked("GET", "/v1/branches", Messages::readBranches);
    }

    /** A server of version 0.2.0 says nothing of branches here. */
    @Override
    public RemoteState state() {
        return asked("GET", "/v1/info?branches=true", bytes -> {
            Optional<RemoteState> state = Messages.readState(bytes);
            return state.orElseGet(() -> new RemoteState(Messages.readInfo(bytes), branches(), Optional.empty()));
        });
    }

    @Override
    public Optional<Cid> root(String branch) {
        return asked("GET", "/v1/branches/" + HttpCalls.encoded(branch), Messages::readRoot);
    }

    /** A server of version 0.2.0 gives none. */
    @Override
    public List<LogEntry> updates(String branch, long generation, Head head, int most) {
        String path = HttpCalls.encoded(branch) + "?limit=" + most + "&after=" + UpdateMessages.after(generation, head);
        return calls.call("GET", "/v1/log/" + path, HttpCalls::takesGzip, null, answer -> answer.updates(most));
    }

    @Override
    public boolean awaitUpdate(RemoteBranch seen) {
        return new HttpWatch(calls).await(seen);
    }

    private <T> T asked(String method, String path, Function<byte[], T> reading) {
        return calls.call(method, path, HttpCalls::takesGzip, null, answer -> {
            answer.require(HttpURLConnection.HTTP_OK);
            return answer.read(reading);
        });
    }

    @Override
    public FetchReply fetch(FetchRequest request, BlockStore target) {
        Objects.requireNonNull(target, "target");
        return calls.call(
                "POST",
                "/v1/fetch",
                header -> {
                    header.setRequestProperty("Content-Type", JSON);
                    header.setRequestProperty("Accept", Messages.DELTA + ", " + CAR + ", " + JSON);
                },
                body -> body.write(Messages.fetch(request)),
                answer -> fetched(request, answer, target));
    }

    private FetchReply fetched(FetchRequest request, HttpAnswer answer, BlockStore target) throws IOException {
        if (answer.status == HttpURLConnection.HTTP_CONFLICT && answer.read(Messages::isMoreHaves)) {
            return new FetchReply(FetchReply.Outcome.MORE_HAVES, 0, Head.empty(), 0);
        }
        if (answer.status == HttpURLConnection.HTTP_NO_CONTENT) {
            long generation = answer.generation();
            // A server of version 0.2.0 does not read the token, and gives none.
            boolean isUnchanged = request.unless().isPresent() && answer.token().equals(request.unless());
            return new FetchReply(
                    isUnchanged ? FetchReply.Outcome.UNCHANGED : FetchReply.Outcome.VERSIONS,
                    generation,
                    Head.empty(),
                    0);
        }
        answer.require(HttpURLConnection.HTTP_OK);
        answer.requireLength();
        answer.requireBlocks();
        NewBlocks arriving = new NewBlocks(target, address());
        CarReader car = CarReader.of(arriving.body(answer.body()), address());
        CarImport taken = answer.isDelta() ? CarImport.ofDeltas(car, arriving) : CarImport.of(car, arriving);
        CarImport unused = taken(taken);
        return new FetchReply(
                FetchReply.Outcome.VERSIONS,
                answer.generation(),
                answer.head(taken.header().roots()),
                taken.added() + taken.known());
    }

    /** A server of version 0.2.0 answers with a CAR, which is not read. */
    @Override
    public List<Cid> events(FetchRequest request) {
        return calls.call(
                "POST",
                "/v1/fetch",
                HttpRemote::isMessage,
                body -> body.write(Messages.events(request)),
                answer -> answer.isMessage()
                        ? answer.read(bytes -> Messages.readBlocks(bytes, MAX_BLOCKS))
                        : answer.<Cid>unread());
    }

    @Override
    public void blocks(List<Cid> cids, BlockStore target) {
        blocks(target, Messages.blocks(cids), new AskedBlocks(target, cids, address()));
    }

    /** A server of version 0.2.0 sends the blocks that are asked for alone. */
    @Override
    public void blocks(List<Cid> cids, NextReads next, BlockStore target) {
        blocks(target, Messages.blocks(cids, next), new AskedBlocks(target, cids, next, address()));
    }

    private void blocks(BlockStore target, byte[] message, AskedBlocks asked) {
        Objects.requireNonNull(target, "target");
        CarImport unused = calls.call(
                "POST",
                "/v1/blocks",
                header -> {
                    header.setRequestProperty("Content-Type", JSON);
                    header.setRequestProperty("Accept", CAR + ", " + JSON);
                },
                body -> body.write(message),
                answer -> {
                    answer.require(HttpURLConnection.HTTP_OK);
                    answer.requireLength();
                    answer.requireBlocks();
                    return taken(CarImport.of(CarReader.of(answer.body(), address()), asked, asked::count));
                });
    }

    /** A server of version 0.2.0 answers with the whole block, which is not read. */
    @Override
    public boolean part(Cid cid, int from, PartReceiver target) {
        Objects.requireNonNull(cid, "cid");
        Objects.requireNonNull(target, "target");
        return calls.call(
                "GET",
                "/ipfs/" + cid + "?format=raw",
                header -> {
                    header.setRequestProperty("Accept", RAW);
                    header.setRequestProperty("Range", "bytes=" + from + "-");
                },
                null,
                answer -> {
                    if (answer.status == HttpURLConnection.HTTP_NOT_FOUND) {
                        throw new MissingBlockException(cid);
                    }
                    if (answer.status == HttpURLConnection.HTTP_OK) {
                        answer.end();
                        return false;
                    }
                    answer.require(HttpURLConnection.HTTP_PARTIAL);
                    answer.requireLength();
                    int size = answer.sizeOfRange(from);
                    byte[] buffer = new byte[BUFFER];
                    InputStream body = answer.body();
                    for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                        target.take(size, buffer, count);
                    }
                    return true;
                });
    }

    /** A server of version 0.2.0 does not know this, and so has none of them. */
    @Override
    public Set<Cid> missing(String branch, List<Cid> cids) {
        return calls.call(
                "POST",
                push(branch) + "?missing=1",
                HttpRemote::isMessage,
                body -> body.write(Messages.blocks(cids)),
                answer -> {
                    if (answer.status == HttpURLConnection.HTTP_BAD_REQUEST) {
                        return Set.copyOf(cids);
                    }
                    answer.require(HttpURLConnection.HTTP_OK);
                    return Set.copyOf(answer.read(bytes -> Messages.readBlocks(bytes, MAX_BLOCKS)));
                });
    }

    static void isMessage(HttpURLConnection header) {
        HttpCalls.takesGzip(header);
        header.setRequestProperty("Content-Type", JSON);
        header.setRequestProperty("Accept", JSON);
    }

    private static CarImport taken(CarImport taken) {
        if (taken.damaged() > 0) {
            List<CarImport.Refusal> refusals = taken.refusals();
            throw refusals.stream()
                    .map(CarImport.Refusal::cause)
                    .filter(CorruptBlockException.class::isInstance)
                    .findFirst()
                    .orElse(refusals.get(0).cause());
        }
        return taken;
    }

    /** A server that does not know deltas gets plain blocks. */
    @Override
    public PushReply push(PushRequest request, CarExport export) {
        Attempt attempt = pushPlainIfNeeded(request, export);
        return attempt.reply.orElseGet(() -> pushByNumber(request, export));
    }

    private Attempt pushPlainIfNeeded(PushRequest request, CarExport export) {
        Attempt attempt = push(request, export, Messages.DELTA);
        return attempt.status == HttpURLConnection.HTTP_UNSUPPORTED_TYPE ? push(request, export, CAR) : attempt;
    }

    /**
     * Pushes to a server of version 0.2.0, which compares the generation alone. Before it could drop another head of this generation, this
     * compares the head (SY6).
     */
    private PushReply pushByNumber(PushRequest request, CarExport export) {
        RefToken expected = request.expected().orElseThrow();
        if (request.mode().isForced()) {
            Optional<RemoteBranch> now = branches().stream()
                    .filter(branch -> branch.name().equals(request.branch()))
                    .findFirst();
            if (now.isPresent() && !expected.fits(now.get().token())) {
                return new PushReply(PushReply.Outcome.MOVED, now.get());
            }
        }
        PushRequest byNumber = new PushRequest(
                request.branch(),
                request.head(),
                Optional.of(RefToken.ofGeneration(expected.generation())),
                request.mode() == PushMode.CONVERT ? PushMode.FORCE : request.mode());
        return pushPlainIfNeeded(byNumber, export).reply.orElseThrow();
    }

    /**
     * The outcome of one request.
     *
     * @param reply empty if the server takes no such request, and may take a plainer one
     */
    private record Attempt(int status, Optional<PushReply> reply) {}

    private Attempt push(PushRequest request, CarExport export, String type) {
        return calls.call(
                "POST",
                push(request.branch()) + request.query(),
                header -> {
                    header.setRequestProperty("Content-Type", type);
                    header.setRequestProperty("Accept", JSON);
                    if (request.expected().isPresent()) {
                        header.setRequestProperty(
                                "If-Match", "\"" + request.expected().get() + "\"");
                    } else {
                        header.setRequestProperty("If-None-Match", "*");
                    }
                },
                body -> {
                    long[] blocks = new long[1];
                    // Also those that an earlier request has sent.
                    CarExport counted = export.skipping(cid -> {
                        blocks[0]++;
                        return false;
                    });
                    CarExport.Written unused = type.equals(CAR)
                            ? counted.writeTo(body, address())
                            : counted.writeDeltasTo(body, address());
                    body.stores(blocks[0]);
                },
                answer -> new Attempt(
                        answer.status,
                        isForNewer(answer, request, type) ? Optional.empty() : Optional.of(pushed(request, answer))));
    }

    /** Whether the server knows no deltas, or takes the token of a state for a malformed generation. */
    private static boolean isForNewer(HttpAnswer answer, PushRequest request, String type) {
        boolean hasHash = request.expected().flatMap(RefToken::hash).isPresent();
        return (answer.status == HttpURLConnection.HTTP_UNSUPPORTED_TYPE && !type.equals(CAR))
                || (answer.status == HttpURLConnection.HTTP_BAD_REQUEST && hasHash);
    }

    @Override
    public PushReply remove(String branch, RefToken expected) {
        Objects.requireNonNull(expected, "expected");
        return calls.call(
                "DELETE",
                "/v1/branches/" + HttpCalls.encoded(branch),
                header -> {
                    header.setRequestProperty("Accept", JSON);
                    header.setRequestProperty("If-Match", "\"" + expected + "\"");
                },
                null,
                answer -> removed(new RemoteBranch(branch, expected.generation(), Head.empty()), answer));
    }

    private static PushReply removed(RemoteBranch branch, HttpAnswer answer) {
        if (answer.status == HttpURLConnection.HTTP_PRECON_FAILED) {
            return new PushReply(
                    PushReply.Outcome.MOVED, answer.problem().current().orElse(branch));
        }
        answer.require(HttpURLConnection.HTTP_NO_CONTENT);
        return new PushReply(PushReply.Outcome.DONE, branch);
    }

    @Override
    public List<RemoteTag> tags() {
        return tags.all();
    }

    @Override
    public boolean pushTag(RemoteTag tag) {
        return tags.push(tag);
    }

    @Override
    public void removeTag(RemoteTag tag) {
        tags.remove(tag);
    }

    @Override
    public HeadNotes headNotes() {
        return new HttpHeadNotes(calls);
    }

    private static String push(String branch) {
        return "/v1/push/" + HttpCalls.encoded(branch);
    }

    private PushReply pushed(PushRequest request, HttpAnswer answer) {
        switch (answer.status) {
            case HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_PRECON_FAILED -> {
                Messages.Problem problem = answer.problem();
                RemoteBranch none = new RemoteBranch(request.branch(), 0, Head.empty());
                if (problem.code().equals(RemoteException.Reason.FORMAT.code())) {
                    return new PushReply(
                            PushReply.Outcome.OTHER_FORMAT, problem.current().orElse(none));
                }
                boolean isDiverged = problem.code().equals(RemoteException.Reason.NOT_FAST_FORWARD.code());
                if (isDiverged || answer.status == HttpURLConnection.HTTP_PRECON_FAILED) {
                    return new PushReply(
                            isDiverged ? PushReply.Outcome.NOT_FAST_FORWARD : PushReply.Outcome.MOVED,
                            problem.current().orElse(none));
                }
                throw answer.failure();
            }
            case HttpAnswer.UNPROCESSABLE -> throw answer.blockFailure();
            default -> {
                answer.require(HttpURLConnection.HTTP_OK);
                return new PushReply(PushReply.Outcome.DONE, answer.read(Messages::readBranch));
            }
        }
    }

    @Override
    public void send(String branch, List<Block> blocks) {
        calls.call(
                "POST",
                push(branch) + "?blocks=1",
                header -> {
                    header.setRequestProperty("Content-Type", CAR);
                    header.setRequestProperty("Accept", JSON);
                },
                body -> {
                    // Closing the writer would close the stream, which is not ours.
                    @SuppressWarnings("resource")
                    CarWriter writer = CarWriter.of(body, address(), List.of());
                    blocks.forEach(writer::write);
                    writer.flush();
                },
                answer -> {
                    answer.require(HttpURLConnection.HTTP_ACCEPTED);
                    return blocks;
                });
    }

    @Override
    public List<Erasure> erasures() {
        return new HttpErasures(calls).all();
    }

    @Override
    public void erase(List<Erasure> records) {
        if (!new HttpErasures(calls).add(records)) {
            // A server of version 0.2.0 has no erasures.
            Remote.super.erase(records);
        }
    }

    @Override
    public void close() {
        // Connections end by themselves when they are idle.
    }
}
