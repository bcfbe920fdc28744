package dev.pail.clock;

import dev.pail.Batch;
import dev.pail.KeyNotAllowedException;
import dev.pail.LimitException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Operation.Change;
import dev.pail.clock.Operation.Put;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the pail that follows from a head (spec rules M16 to M18). Immutable. */
final class Replay {
    private final MerkleClock clock;
    private final UnrelatedHistories unrelated;

    Replay(MerkleClock clock, UnrelatedHistories unrelated) {
        this.clock = clock;
        this.unrelated = unrelated;
    }

    /** The same on the events of another block store. */
    Replay in(MerkleClock other) {
        return new Replay(other, unrelated);
    }

    /**
     * The pail of the head of a span, which has events. Rule M17.
     *
     * @throws UnrelatedHistoriesException if there is no common ancestor, and that is refused
     * @throws ReplayException if the pail does not take an operation
     */
    Pail pail(Span span) {
        Cid ancestor = span.ancestor();
        Pail base = ancestor == null ? empty(span.head()) : open(ancestor);
        List<Cid> events = span.replay();
        if (events.isEmpty()) {
            return base;
        }
        Batch batch = base.batch();
        for (Cid event : events) {
            apply(batch, clock.event(event));
        }
        return batch.commit();
    }

    private Pail open(Cid event) {
        return Pail.open(clock.blocks(), clock.event(event).root());
    }

    /** The pail that unrelated histories are replayed onto, where that is asked for. Rule M18. */
    private Pail empty(Head head) {
        if (unrelated == UnrelatedHistories.REFUSE) {
            throw new UnrelatedHistoriesException(head, "they are merged only where that is asked for");
        }
        Set<ShardFormat> formats =
                head.events().stream().map(this::open).map(Pail::format).collect(Collectors.toSet());
        if (formats.size() > 1) {
            throw new UnrelatedHistoriesException(head, "and their pails have different formats");
        }
        return Pail.create(clock.blocks(), formats.iterator().next());
    }

    private static void apply(Batch batch, Event event) {
        try {
            event.operation().changes().forEach(change -> apply(batch, change));
        } catch (KeyNotAllowedException | LimitException e) {
            throw new ReplayException(event.cid(), e);
        }
    }

    /** Does one change in a batch. */
    static void apply(Batch batch, Change change) {
        if (change instanceof Put put) {
            batch.put(put.key(), put.value());
        } else {
            batch.delete(change.key());
        }
    }
}
