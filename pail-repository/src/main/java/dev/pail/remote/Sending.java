package dev.pail.remote;

import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The requests of one push: one, if all new blocks fit in it; else several, each with a whole prefix of the history. If the connection
 * breaks, the next push resumes after the last complete request (Rule SY9). For one use.
 */
final class Sending {
    /** Less is sent without asking how much the remote takes: each takes this much. */
    private static final long SMALL = 4 << 20;

    /** Less is sent again if this process is killed. */
    private static final long NOTED = 256 << 10;

    /** What a block takes in a CAR beside its bytes: a length and a CID. */
    private static final int SECTION = 64;

    private final Repository repository;
    private final Remote remote;
    private final Runnable progress;
    private long blocks;
    private long sent;
    private long gained;
    private boolean hasAsked;

    /** Blocks that the remote has of a push that broke off. */
    private final Set<Cid> there = new HashSet<>();

    Sending(Repository repository, Remote remote, Runnable progress) {
        this.repository = repository;
        this.remote = remote;
        this.progress = progress;
    }

    /** The number of blocks that were sent. */
    long blocks() {
        return blocks;
    }

    /** Counts progress that is no block: see {@link Endurance}. */
    void gain(long bytes) {
        gained += bytes;
    }

    /** The bytes of blocks that the remote is known to have got since this was asked last. Before it was asked, those that were sent. */
    long takeGained() {
        long taken = gained + (hasAsked ? 0 : sent);
        gained = 0;
        sent = 0;
        return taken;
    }

    /** Asks which blocks the remote has of a push that broke off: they are not sent again (SY14). */
    void resume(String branch, Head head, Head known) {
        hasAsked = true;
        Map<Cid, Integer> portion = new LinkedHashMap<>();
        try {
            long unused = export(head, known).forEach(block -> {
                portion.put(block.cid(), block.size());
                if (portion.size() == Remote.MAX_BLOCKS) {
                    ask(branch, portion);
                }
            });
            ask(branch, portion);
        } catch (Enough e) {
            return;
        }
    }

    /** Blocks are sent in one order: if the remote has none of a portion, it has none of those behind it. */
    private void ask(String branch, Map<Cid, Integer> portion) {
        if (portion.isEmpty()) {
            return;
        }
        Set<Cid> missing = remote.missing(branch, List.copyOf(portion.keySet()));
        portion.keySet().removeAll(missing);
        if (portion.isEmpty()) {
            throw new Enough();
        }
        there.addAll(portion.keySet());
        gained += portion.values().stream().mapToLong(Integer::longValue).sum();
        portion.clear();
    }

    /** The failure of a push for which there is no further connection. Names the block that a connection has to carry. */
    StoreIOException broken(StoreIOException cause, Head head, Head known) {
        return new StoreIOException(
                "the transfer broke off",
                remote.address(),
                reason(cause, remote) + "; the blocks that the remote got stay there, and the next push continues"
                        + first(head, known)
                                .map(block -> " with the block " + block.cid() + " of " + block.size()
                                        + " bytes, which a connection has to carry whole")
                                .orElse(""),
                cause);
    }

    /** The first block that the remote is not known to have. */
    private Optional<Block> first(Head head, Head known) {
        List<Block> found = new ArrayList<>();
        try {
            long unused = export(head, known).forEach(block -> {
                found.add(block);
                throw new Enough();
            });
        } catch (Enough e) {
            return Optional.of(found.get(0));
        }
        return Optional.empty();
    }

    /** What the message of a failure says, without the address. */
    static String reason(PailException cause, Remote remote) {
        String text = String.valueOf(cause.getMessage());
        String place = remote.address() + ": ";
        int at = text.indexOf(place);
        return at < 0 ? text : text.substring(at + place.length());
    }

    /**
     * Sends what follows from a request.
     *
     * @param known what the remote has
     * @param large is called before a push that may arrive in part
     * @param done gets the branch after each request that has moved it
     */
    PushReply push(PushRequest request, Head known, Runnable large, Consumer<RemoteBranch> done) {
        if (!isBelow(NOTED, request.head(), known)) {
            large.run();
        }
        if (isBelow(SMALL, request.head(), known)) {
            return push(request, export(request.head(), known), done);
        }
        long most = remote.info().maxBody();
        PushRequest next = request;
        PushReply reply = null;
        Head at = known;
        for (Part part : parts(request.head(), known, most)) {
            next = new PushRequest(request.branch(), part.head, next.expected(), request.mode());
            CarExport export = export(part.head, at);
            if (part.size > most) {
                sendBlocks(request.branch(), export);
                export = export.skipping(cid -> true);
            }
            reply = push(next, export, done);
            if (reply.outcome() != PushReply.Outcome.DONE) {
                return reply;
            }
            next = new PushRequest(
                    request.branch(), part.head, Optional.of(reply.current().token()), request.mode());
            at = part.head;
        }
        return Objects.requireNonNull(reply, "a push that is not small has parts");
    }

    private PushReply push(PushRequest request, CarExport export, Consumer<RemoteBranch> done) {
        PushReply reply = remote.push(request, export.watched(block -> {
            blocks++;
            sent += block.size();
            progress.run();
        }));
        if (reply.outcome() == PushReply.Outcome.DONE) {
            done.accept(reply.current());
        }
        return reply;
    }

    private CarExport export(Head head, Head known) {
        return Heads.export(repository.blocks(), head, known).skipping(there::contains);
    }

    private boolean isBelow(long most, Head head, Head known) {
        long[] size = new long[1];
        try {
            long unused = export(head, known).forEach(block -> {
                size[0] += size(block);
                if (size[0] > most) {
                    throw new Enough();
                }
            });
            return true;
        } catch (Enough e) {
            return false;
        }
    }

    private static long size(Block block) {
        return (long) block.size() + SECTION;
    }

    /**
     * A prefix of the history.
     *
     * @param head of the prefix
     * @param size of what it has beside the prefix before, in bytes
     */
    private record Part(Head head, long size) {}

    /** Prefixes of the history. Each adds as many events as fit into a request, and at least one. None ends within a change (DE7). */
    private List<Part> parts(Head head, Head known, long most) {
        MerkleClock clock = MerkleClock.open(repository.blocks());
        List<Cid> events = clock.since(head, known);
        long[] sizes = sizes(events, export(head, known));
        NewestEvents newest = new NewestEvents(clock.common(head, known).events());
        List<Part> parts = new ArrayList<>();
        long size = 0;
        for (int i = 0; i < sizes.length; i++) {
            if (size > 0 && size + sizes[i] > most && newest.areEnds()) {
                parts.add(new Part(Head.of(newest.cids()), size));
                size = 0;
            }
            size += sizes[i];
            newest.add(clock.event(events.get(i)));
        }
        parts.add(new Part(head, size));
        return parts;
    }

    /** What each event adds to the export, with its version. */
    private static long[] sizes(List<Cid> events, CarExport export) {
        long[] sizes = new long[events.size()];
        int[] at = {-1};
        long unused = export.forEach(block -> {
            if (at[0] + 1 < sizes.length && events.get(at[0] + 1).equals(block.cid())) {
                at[0]++;
            }
            sizes[Math.max(at[0], 0)] += size(block);
        });
        return sizes;
    }

    /** Sends what a tag leads to. */
    void sendBlocks(RemoteTag tag, Head known) {
        CarExport export = export(tag.head(), known);
        if (!MerkleClock.open(repository.blocks()).since(tag.head(), known).isEmpty()) {
            sendBlocks(tag.name(), export);
        }
    }

    private void sendBlocks(String branch, CarExport export) {
        List<Block> portion = new ArrayList<>();
        long[] size = new long[1];
        long unused = export.forEach(block -> {
            if (size[0] + size(block) > SMALL && !portion.isEmpty()) {
                send(branch, portion);
                size[0] = 0;
            }
            portion.add(block);
            size[0] += size(block);
        });
        send(branch, portion);
    }

    private void send(String branch, List<Block> portion) {
        remote.send(branch, portion);
        blocks += portion.size();
        sent += portion.stream().mapToLong(Block::size).sum();
        portion.forEach(block -> progress.run());
        portion.clear();
    }
}
