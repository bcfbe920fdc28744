package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.Tracking;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of one fetch: one in the usual case. If the connection breaks, what came stays, and the fetch continues on a new connection
 * as long as each brings something (Rules SY8, SY14, SY16). For one use.
 */
final class Fetching {
    /** Requests of a fetch that asks for less than everything (SY4). */
    private static final int MOST_ROUNDS = 2;

    /** As many ancestors are named one by one, then those at twice the distance each time. */
    private static final int NEAREST = 16;

    private static final int MOST_STEPS = 1 << 20;

    private final Repository repository;
    private final Remote remote;
    private final String branch;
    private final String ref;
    private final boolean hasValues;
    private final Runnable progress;
    private final Endurance endurance = new Endurance();
    private final DiskReserve reserve;
    private boolean hasBroken;

    /** Takes the blocks of versions that are here in part. */
    private ArrivingEvents parts;

    /** Takes the blocks of an answer to a fetch. */
    private ArrivingEvents versions;

    /** The number of blocks that arrived before the last answer. */
    private long arrived;

    /** @param ref the remote-tracking ref of the branch */
    Fetching(Repository repository, Remote remote, String branch, String ref, boolean hasValues, Runnable progress) {
        this.repository = repository;
        this.remote = remote;
        this.branch = branch;
        this.ref = ref;
        this.hasValues = hasValues;
        this.progress = progress;
        this.reserve = new DiskReserve(repository.maintenance()::usableBytes);
        this.parts = arriving(repository.blocks());
        this.versions = arriving(repository.arrivals());
    }

    private ArrivingEvents arriving(BlockStore blocks) {
        return new ArrivingEvents(blocks, reserve, remote.address(), progress, this::note, hasBroken);
    }

    FetchResult fetch() {
        Optional<Tracking> first = seen();
        while (true) {
            try {
                return attempt(first);
            } catch (StoreIOException e) {
                keep(e);
                arrived += parts.arrived() + versions.arrived();
                if (parts.hasFailed() || versions.hasFailed()) {
                    throw e;
                }
                if (arrived == 0) {
                    throw e;
                }
                if (!endurance.continuesAfter(parts.takeGained() + versions.takeGained())) {
                    throw broken(e);
                }
                hasBroken = true;
            } catch (MalformedDataException e) {
                keep(e);
                throw e;
            }
        }
    }

    private FetchResult attempt(Optional<Tracking> first) {
        parts = arriving(repository.blocks());
        versions = arriving(repository.arrivals());
        Optional<Tracking> before = seen();
        boolean knowsValues = before.isEmpty() || before.get().hasValues() || !hasValues;
        List<Cid> have = knowsValues ? have(before) : List.of();
        FetchRequest request = new FetchRequest(
                branch, have, hasValues, Need.ofEvents(repository.refs().needs()), Optional.empty());
        if (before.isPresent() && knowsValues) {
            request = request.unless(
                    RefToken.of(branch, before.get().generation(), before.get().head()));
        }
        if (Interruption.of(Interruption.Of.FETCH, ref, before).isNoted(repository.blocks())) {
            request = resumed(request);
        }
        for (int round = 1; ; round++) {
            versions = arriving(repository.arrivals());
            FetchReply reply = remote.fetch(request, versions);
            switch (reply.outcome()) {
                case UNCHANGED -> {
                    return result(first, before.orElseThrow(), 0);
                }
                case MORE_HAVES -> {
                    if (request.have().isEmpty()) {
                        throw asksForMore();
                    }
                    request = request.withHave(round < MOST_ROUNDS ? older(have) : List.of());
                }
                case VERSIONS -> {
                    try {
                        return result(
                                first,
                                repository
                                        .remotes()
                                        .track(ref, new Tracking(reply.generation(), hasValues, reply.head())),
                                reply.blocks());
                    } catch (MissingBlockException e) {
                        // What was named may have lost blocks here. Rule SY7.
                        if (request.have().isEmpty()) {
                            throw e;
                        }
                        request =
                                new FetchRequest(branch, List.of(), hasValues, request.understands(), Optional.empty());
                    }
                }
            }
        }
    }

    private FetchResult result(Optional<Tracking> first, Tracking now, long blocks) {
        return new FetchResult(
                ref, first, now, arrived + parts.arrived() + blocks, isBack(repository, first, now.head()));
    }

    private RemoteException asksForMore() {
        return RemoteException.foreign(remote.address(), "it asks for more events, and none were named");
    }

    /**
     * Keeps what came of a fetch that was cut off: the ref goes to the versions that are whole, and a note says that there may be parts of
     * the next one. Rule SY8.
     */
    private void keep(PailException cause) {
        try {
            if (!versions.whole().isEmpty()) {
                Tracking unused = repository.remotes().track(ref, new Tracking(0, hasValues, versions.whole()));
            }
            if (versions.arrived() > 0) {
                note();
            }
        } catch (PailException e) {
            // The next fetch begins where this one began.
            cause.addSuppressed(e);
        }
    }

    /** Notes that parts of a version may be here. It is written early, as a process that is killed cannot write it. */
    private void note() {
        Interruption.of(Interruption.Of.FETCH, ref, seen()).write(repository.blocks());
    }

    private StoreIOException broken(StoreIOException cause) {
        return new StoreIOException(
                "the transfer broke off",
                remote.address(),
                Sending.reason(cause, remote) + "; the " + arrived
                        + " blocks that arrived stay, and the next fetch or pull continues",
                cause);
    }

    /**
     * Completes the versions that have parts here, block by block, and returns a request for what follows them. Puts their blocks again, so
     * that a collection leaves them for another grace period.
     */
    private FetchRequest resumed(FetchRequest request) {
        FetchRequest next = request;
        try {
            for (Cid event : remote.events(request)) {
                if (!repository.blocks().has(event)) {
                    break;
                }
                complete(event, new FetchingBlocks(repository.blocks(), remote, parts, endurance));
                next = next.withHave(following(next.have(), event));
                Optional<Tracking> seen = seen();
                Head whole = Head.of(
                        following(seen.map(tracking -> tracking.head().events()).orElse(List.of()), event));
                Tracking unused = repository.remotes().track(ref, new Tracking(0, hasValues, whole));
            }
        } catch (StoreIOException e) {
            note();
            throw e;
        } catch (MissingBlockException e) {
            // The fetch tells which block the remote lacks.
            return next;
        }
        return next;
    }

    private void complete(Cid event, FetchingBlocks blocks) {
        CarExport export = CarExport.of(blocks, List.of(event));
        for (Cid parent : MerkleClock.open(repository.blocks()).event(event).parents()) {
            export = export.since(parent);
        }
        CarExport.Written unused = (hasValues ? export : export.withoutValues()).copyTo(repository.blocks());
    }

    /** Events and one that follows some of them, which it replaces. */
    private List<Cid> following(List<Cid> events, Cid event) {
        Set<Cid> newest = new LinkedHashSet<>(events);
        MerkleClock.open(repository.blocks()).event(event).parents().forEach(newest::remove);
        newest.add(event);
        return newest.stream().limit(FetchRequest.MAX_HAVE).toList();
    }

    /** Whether the branch of the remote lost events since it was seen. A greater generation does not tell. Rule SY13. */
    static boolean isBack(Repository repository, Optional<Tracking> seen, Head now) {
        return seen.isPresent()
                && !seen.get().head().equals(now)
                && !Heads.holds(
                        MerkleClock.open(repository.blocks()), now, seen.get().head());
    }

    private Optional<Tracking> seen() {
        return repository.refs().tracking(ref);
    }

    /** The events that a fetch names. Those of the local branch may be newer than what the remote has. */
    private List<Cid> have(Optional<Tracking> seen) {
        Set<Cid> have = new LinkedHashSet<>();
        seen.ifPresent(tracking -> have.addAll(tracking.head().events()));
        if (repository.branches().contains(branch)) {
            have.addAll(repository.head(branch).events());
        }
        return have.stream().limit(FetchRequest.MAX_HAVE).toList();
    }

    /** Ancestors of events: near ones all, and then at growing distances back to the beginning. */
    private List<Cid> older(List<Cid> events) {
        MerkleClock clock = MerkleClock.open(repository.blocks());
        Set<Cid> found = new LinkedHashSet<>();
        Set<Cid> generation = new LinkedHashSet<>(events);
        int next = 1;
        for (int distance = 1; distance < MOST_STEPS && !generation.isEmpty(); distance++) {
            Set<Cid> parents = new LinkedHashSet<>();
            generation.forEach(event -> parents.addAll(parents(clock, event)));
            generation = new LinkedHashSet<>(parents.stream().limit(NEAREST).toList());
            if (distance == next
                    || generation.stream().anyMatch(each -> parents(clock, each).isEmpty())) {
                found.addAll(generation);
                next = distance < NEAREST ? distance + 1 : 2 * distance;
            }
            if (found.size() > FetchRequest.MAX_HAVE - NEAREST) {
                break;
            }
        }
        return List.copyOf(found);
    }

    /** None, if the local history begins at the event. */
    private static List<Cid> parents(MerkleClock clock, Cid event) {
        try {
            return clock.event(event).parents();
        } catch (MissingBlockException e) {
            return List.of();
        }
    }
}
