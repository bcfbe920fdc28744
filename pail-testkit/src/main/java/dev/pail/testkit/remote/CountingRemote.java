package dev.pail.testkit.remote;

import dev.pail.BlockStore;
import dev.pail.car.CarExport;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.FetchReply;
import dev.pail.remote.FetchRequest;
import dev.pail.remote.PushReply;
import dev.pail.remote.PushRequest;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.RemoteInfo;
import dev.pail.remote.RemoteTag;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.model.RefToken;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A remote that counts requests and blocks, and can fail in the middle of a fetch or behind a push. Safe for use by several threads.
 *
 * <pre>{@code
 * CountingRemote remote = new CountingRemote(RepositoryRemote.of(there, "there"));
 * Exchange.of(here, "origin", remote).fetch("main");
 * int requests = remote.requests(); // 1
 * }</pre>
 */
final class CountingRemote implements Remote {
    private final Remote remote;
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong blocks = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private Consumer<Block> arrival = block -> {};
    private Runnable afterPush = () -> {};
    private UnaryOperator<FetchRequest> asked = request -> request;

    CountingRemote(Remote remote) {
        this.remote = remote;
    }

    /** The requests since this was asked last. */
    int requests() {
        return requests.getAndSet(0);
    }

    /** The blocks that came or went since this was asked last. */
    long blocks() {
        return blocks.getAndSet(0);
    }

    /** Their bytes. */
    long bytes() {
        return bytes.getAndSet(0);
    }

    /** An action for each block that arrives, before it is put. What it throws ends the fetch. */
    void onArrival(Consumer<Block> action) {
        arrival = action;
    }

    /** What becomes of each request for a branch. */
    void onFetch(UnaryOperator<FetchRequest> change) {
        asked = change;
    }

    /** An action behind each push. What it throws is what the sender sees. */
    void afterPush(Runnable action) {
        afterPush = action;
    }

    @Override
    public String address() {
        return remote.address();
    }

    @Override
    public RemoteInfo info() {
        requests.incrementAndGet();
        return remote.info();
    }

    @Override
    public List<RemoteBranch> branches() {
        requests.incrementAndGet();
        return remote.branches();
    }

    @Override
    public FetchReply fetch(FetchRequest request, BlockStore target) {
        requests.incrementAndGet();
        return remote.fetch(asked.apply(request), new OneByOne(target));
    }

    @Override
    public PushReply push(PushRequest request, CarExport export) {
        requests.incrementAndGet();
        PushReply reply = remote.push(request, export.watched(this::count));
        afterPush.run();
        return reply;
    }

    @Override
    public PushReply remove(String branch, RefToken expected) {
        requests.incrementAndGet();
        return remote.remove(branch, expected);
    }

    @Override
    public void send(String branch, List<Block> portion) {
        requests.incrementAndGet();
        portion.forEach(this::count);
        remote.send(branch, portion);
    }

    @Override
    public List<Cid> events(FetchRequest request) {
        requests.incrementAndGet();
        return remote.events(request);
    }

    @Override
    public void blocks(List<Cid> cids, BlockStore target) {
        requests.incrementAndGet();
        remote.blocks(cids, new OneByOne(target));
    }

    @Override
    public Set<Cid> missing(String branch, List<Cid> cids) {
        requests.incrementAndGet();
        return remote.missing(branch, cids);
    }

    @Override
    public List<RemoteTag> tags() {
        requests.incrementAndGet();
        return remote.tags();
    }

    @Override
    public boolean pushTag(RemoteTag tag) {
        requests.incrementAndGet();
        return remote.pushTag(tag);
    }

    @Override
    public void removeTag(RemoteTag tag) {
        requests.incrementAndGet();
        remote.removeTag(tag);
    }

    @Override
    public HeadNotes headNotes() {
        requests.incrementAndGet();
        return remote.headNotes();
    }

    private void count(Block block) {
        blocks.incrementAndGet();
        bytes.addAndGet(block.size());
    }

    @Override
    public void close() {
        remote.close();
    }

    /** Puts each block alone, so that a failure loses none of those before. */
    private final class OneByOne implements BlockStore {
        private final BlockStore target;

        OneByOne(BlockStore target) {
            this.target = target;
        }

        @Override
        public void putAll(Collection<Block> all) {
            for (Block block : all) {
                arrival.accept(block);
                count(block);
                target.put(block);
            }
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return target.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return target.has(cid);
        }

        @Override
        public void close() {
            // The store is the caller's.
        }
    }
}
