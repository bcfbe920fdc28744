package dev.pail.repository.collect;

import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefStore;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Takes away what a rule does not keep, in turns under the lock of the writers. For one collection and one thread at a time. */
public final class Sweeping {
    /** How often a turn is taken again, after another writer was faster. */
    private static final int MOST_RACES = 1000;

    /** How many portions with blocks to take away wait at most for a turn. */
    private static final int MOST_DUE = 64;

    /** How much longer than a turn the lock is held at most, where reading the roots takes long. */
    private static final Duration LONGER = Duration.ofSeconds(2);

    private final CollectionPlace place;
    private final SweepRule rule;
    private final Instant keptSince;
    private final Marking marking;
    private final Steps steps;
    private final RefStore.Turns turns;

    /** @param keptSince log entries from this time on are roots */
    public Sweeping(CollectionPlace place, SweepRule rule, Instant keptSince, Marking marking, Steps steps) {
        this.place = place;
        this.rule = rule;
        this.keptSince = keptSince;
        this.marking = marking;
        this.steps = steps;
        this.turns = place.refs().turns();
    }

    /** Computes what {@link #run} would do, and writes nothing. */
    public Swept preview() {
        return portions(false);
    }

    /** Sweeps all portions that have something to take away. */
    public Swept run() {
        return portions(true);
    }

    private Swept portions(boolean really) {
        Swept sum = Swept.NOTHING;
        Deque<SweptBlocks.Portion> due = new ArrayDeque<>();
        for (Iterator<SweptBlocks.Portion> portions = place.blocks().portions(); portions.hasNext(); ) {
            steps.step();
            SweptBlocks.Portion portion = portions.next();
            Swept found = portion.preview(rule);
            if (really && found.isChange()) {
                due.add(portion);
            } else {
                sum = sum.plus(found);
            }
            while (due.size() == MOST_DUE || (!due.isEmpty() && !portions.hasNext())) {
                sum = sum.plus(steps.later(() -> turn(due)));
            }
        }
        return sum;
    }

    /** Sweeps portions for one turn; again, if a store whose writers do not wait says that one was faster. */
    private Swept turn(Deque<SweptBlocks.Portion> due) {
        return Refs.again(MOST_RACES, () -> {
            Deque<SweptBlocks.Portion> left = new ArrayDeque<>(due);
            Swept swept = turns.holding(update -> sweep(update, left));
            due.clear();
            due.addAll(left);
            return swept;
        });
    }

    /** Sweeps portions for one turn. The caller holds the lock. Rule G12. */
    private Swept sweep(RefStore.Update update, Deque<SweptBlocks.Portion> due) {
        Instant begun = now();
        marking.mark();
        // With many heads, marking alone may take longer than a turn. The clock may be set meanwhile.
        Instant marked = now();
        Duration spent = Duration.between(begun, marked);
        Duration most = spent.compareTo(LONGER) < 0 ? spent : LONGER;
        Epoch last = place.refs().epoch();
        Epoch underWay = Epochs.begun(last, keptSince, now());
        update.epoch(last, underWay);
        // On a full disk the store may have kept only that the epoch is unknown.
        Epoch noted = place.refs().epoch();
        Swept sum = Swept.NOTHING;
        do {
            sum = sum.plus(due.remove().sweep(rule));
        } while (!due.isEmpty() && (!turns.isOver() || isSince(marked, most)));
        update.epoch(noted, Epochs.ended(underWay, now()));
        return sum;
    }

    private Instant now() {
        return place.refs().now();
    }

    /** Whether a time is less than so long ago; not where the clock was set back. */
    private boolean isSince(Instant time, Duration most) {
        Duration since = Duration.between(time, now());
        return !since.isNegative() && since.compareTo(most) < 0;
    }
}
