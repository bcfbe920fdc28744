package dev.pail.repository.collect;

import dev.pail.BlockException;
import dev.pail.StoreIOException;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.trace.Trace;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the remote of a part promises, and what it does not: that was made here and not pushed. An event is promised if it is at or below a
 * remote-tracking ref of that remote, as far as the events between them are here, and with it all of its version (Rule REP40). Reads blocks of this
 * repository alone. For one thread.
 */
public final class Promised {
    private final RefStore refs;
    private final Part part;
    private final Function<Cid, Optional<Block>> here;

    /** What is known of a block that is absent here. */
    public enum Absence {
        /** The remote has it. */
        PROMISED,
        /** It was made here, and the remote does not have it. */
        LOST,
        /** Only the remote can tell: blocks are absent that would say what the promised versions have. */
        UNKNOWN
    }

    private @Nullable Set<Cid> events;

    /** Whether all blocks of promised events and versions that can have links are here, as far as they were read. */
    private boolean isWhole = true;

    /** Events that are absent or damaged, and not known to be promised. */
    private final Set<Cid> absentEvents = new HashSet<>();

    /** What the promised versions reach; null until it is needed. */
    private @Nullable Reachable promised;

    /** What the versions reach that were made here. */
    private Reachable unpushed;

    /** Whether all is known that the promised versions reach. */
    private boolean isKnown;

    private Promised(RefStore refs, Part part, Function<Cid, Optional<Block>> here) {
        this.refs = refs;
        this.part = part;
        this.here = here;
        this.unpushed = new Reachable(here, () -> {});
    }

    /**
     * What is promised to a repository; empty if it is no part.
     *
     * @param here gives a block of this repository, if it is here
     */
    public static Optional<Promised> of(RefStore refs, Function<Cid, Optional<Block>> here) {
        return refs.part().map(part -> new Promised(refs, part, here));
    }

    /** Whether an event is promised. */
    public boolean hasEvent(Cid event) {
        return events().contains(event);
    }

    private Set<Cid> events() {
        Set<Cid> known = events;
        if (known == null) {
            known = new LinkedHashSet<>();
            Deque<Cid> due = new ArrayDeque<>();
            for (String ref : refs.trackings()) {
                if (part.promises(ref)) {
                    due.addAll(refs.tracking(ref)
                            .map(Tracking::head)
                            .orElse(Head.empty())
                            .events());
                }
            }
            for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                if (known.add(cid)) {
                    Optional<Event> found = event(cid);
                    isWhole &= found.isPresent();
                    found.ifPresent(event -> due.addAll(event.parents()));
                }
            }
            events = known;
        }
        return known;
    }

    private Optional<Event> event(Cid cid) {
        try {
            return here.apply(cid).map(Event::fromBlock);
        } catch (BlockException e) {
            Trace.swallowed("an event is as good as absent: " + cid, e);
            return Optional.empty();
        }
    }

    /** Says of a block that is absent here whether the remote has it. */
    public Absence of(Cid cid) {
        Reachable known = promised == null ? find() : promised;
        if (!absentEvents.contains(cid) && (!unpushed.contains(cid) || known.contains(cid))) {
            return Absence.PROMISED;
        }
        return isKnown ? Absence.LOST : Absence.UNKNOWN;
    }

    /** Finds what the promised versions have, and what was made here. */
    private Reachable find() {
        Set<Cid> own = new LinkedHashSet<>();
        Set<Cid> seen = new HashSet<>();
        Deque<Cid> due = new ArrayDeque<>(heads());
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            if (!seen.add(cid) || hasEvent(cid)) {
                continue;
            }
            Optional<Event> found = event(cid);
            if (found.isEmpty()) {
                absentEvents.add(cid);
            } else {
                own.add(found.get().root());
                due.addAll(found.get().parents());
            }
        }
        Reachable of = new Reachable(this::read, () -> {}).partial(absent -> {});
        for (Cid cid : events()) {
            event(cid).ifPresent(event -> of.addRoot(event.root()));
        }
        isKnown = isWhole;
        unpushed = of.partial(absent -> {});
        own.forEach(unpushed::addRoot);
        promised = of;
        return of;
    }

    private Optional<Block> read(Cid cid) {
        Optional<Block> found = Optional.empty();
        try {
            found = here.apply(cid);
            return found;
        } finally {
            isWhole &= found.isPresent();
        }
    }

    /** The events that refs and logs name. */
    private Set<Cid> heads() {
        Set<Cid> heads = new LinkedHashSet<>();
        Set<String> logs = new LinkedHashSet<>(refs.logs());
        for (String branch : refs.branches()) {
            read(() -> add(heads, refs.branch(branch).head()));
            logs.add(branch);
        }
        refs.tags().forEach(tag -> read(() -> refs.tag(tag).ifPresent(head -> add(heads, head))));
        refs.trackings()
                .forEach(ref -> read(() -> refs.tracking(ref).ifPresent(tracking -> add(heads, tracking.head()))));
        logs.forEach(branch -> read(() -> addLog(heads, branch)));
        return heads;
    }

    private void addLog(Collection<Cid> heads, String branch) {
        BranchState state = refs.branch(branch);
        if (!state.hasLog()) {
            return;
        }
        try (RefLog log = new Refs(refs).log(branch)) {
            for (LogEntry entry = log.next(); entry != null; entry = log.next()) {
                add(heads, entry.from());
                add(heads, entry.to());
            }
        }
    }

    private static void add(Collection<Cid> heads, Head head) {
        List<Cid> events = head.events();
        heads.addAll(events);
    }

    /** Reads a head or a log. One that is damaged is a problem of its own. */
    private static void read(Runnable read) {
        try {
            read.run();
        } catch (RepositoryException | StoreIOException e) {
            Trace.swallowed("cannot read a head or a log of a part", e);
        }
    }
}
