package dev.pail.repository.history;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.LimitException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.trace.Trace;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The events of a repository, and the versions that follow from them. Safe for use by several threads. */
public final class Histories {
    private final BlockStore blocks;
    private final ShardFormat format;
    private final MerkleClock clock;

    public Histories(BlockStore blocks, ShardFormat format) {
        this.blocks = blocks;
        this.format = format;
        this.clock = MerkleClock.open(blocks);
    }

    /** The same histories, read from a transaction, and with what is made of them put there. */
    public Histories in(BlockStore transaction) {
        return new Histories(transaction, format);
    }

    public Event event(Cid event) {
        return clock.event(event);
    }

    /** The events of the change that an event ends. */
    public List<Cid> change(Cid event) {
        return clock.change(clock.event(event));
    }

    /**
     * The events of a head without those that another event of it follows (M8). A caller may give both.
     *
     * @throws LimitException if there are more than a head has
     */
    public Head newest(Head head) {
        return clock.merge(head, Head.empty());
    }

    /**
     * The author and the message of a ref update. What a push has no note of, the description of its event says, if one event is the newest.
     */
    public Note note(LogEntry entry) {
        Note own = entry.note();
        boolean isKnown = own.author().isPresent() && own.message().isPresent();
        if (isKnown || !entry.isPush() || entry.to().size() != 1) {
            return own;
        }
        try {
            Note described = event(entry.to().events().get(0))
                    .description()
                    .map(Note::of)
                    .orElse(Note.NONE);
            return new Note(own.author().or(described::author), own.message().or(described::message));
        } catch (BlockException e) {
            Trace.swallowed("the newest event of an update cannot be read, so its description is not listed", e);
            return own;
        }
    }

    /** The head some changes before another one. */
    public Head before(Head head, StepsBack steps) {
        return steps.from(head, clock);
    }

    /**
     * The replica with a head. The head itself may have unrelated histories: the writer of the branch has allowed that. A merge with
     * other unrelated histories is refused.
     */
    public ReplicatedPail replica(Head head) {
        return head.isEmpty()
                ? ReplicatedPail.create(blocks, format)
                : ReplicatedPail.open(clock, head, UnrelatedHistories.MERGE_FROM_EMPTY)
                        .with(UnrelatedHistories.REFUSE);
    }

    /** As {@link #replica(Head)}, for a head with a known root. */
    public ReplicatedPail replica(Head head, Cid root) {
        return ReplicatedPail.of(clock, head, Pail.open(blocks, root), UnrelatedHistories.REFUSE);
    }

    /** The root that follows from a head. The block of the root is only looked for where there are several events or none. */
    public Cid root(Head head) {
        return head.size() == 1 ? clock.root(head.events().get(0)) : pail(head).root();
    }

    public Pail pail(Head head) {
        return replica(head).pail();
    }

    /** The events of a head and all that they follow, newest first. */
    public EventWalk events(Head head) {
        return new EventWalk(clock, head);
    }

    /** Gives events and all that they follow, the near ones first, each once, and those not that were found before. */
    public void walk(Collection<Cid> from, Set<Cid> found, Consumer<Event> action) {
        Deque<Cid> next = new ArrayDeque<>();
        from.stream().filter(found::add).forEach(next::add);
        for (Cid cid = next.poll(); cid != null; cid = next.poll()) {
            Event event = event(cid);
            action.accept(event);
            event.parents().stream().filter(found::add).forEach(next::add);
        }
    }
}
