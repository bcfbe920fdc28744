package dev.pail.repository.update;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.OperationInterruptedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads that change a branch, in a line. The first one makes its change itself. If others wait, it hands the group of changes on
 * to the next, which makes its change from that version, and waits for the outcome. The last one commits them all.
 *
 * <p>A function may take long, or wait for a thread that waits here. So a thread that makes its change for longer than a bound is passed by:
 * the changes before it are committed, and the line continues without it. Safe for use by several threads.
 */
final class ChangeLines {
    /** How long the line waits for one function. */
    private static final Duration LONGEST_MAKING = Duration.ofMillis(100);

    /** How long a thread waits in the line, before it makes its change alone. */
    private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(10);

    private enum Turn {
        WAITS,
        MAKES,
        /** The line continues without it, while it still makes its change. */
        PASSED,
        /** Its change is in the group. */
        MADE,
        COMMITS,
        OVER
    }

    private static final class Line {
        final String branch;
        final Deque<Place> waiting = new ArrayDeque<>();

        /** The one that makes its change or commits; null before the first one. */
        @Nullable
        Place first;

        /** Those whose changes are in the group. */
        final List<Place> made = new ArrayList<>();

        Line(String branch) {
            this.branch = branch;
        }
    }

    private final String location;
    private final long longestMaking;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Line> lines = new HashMap<>();

    /** @param location of the repository, for messages */
    ChangeLines(String location) {
        this(location, LONGEST_MAKING);
    }

    /** @param longestMaking how long the line waits for one function */
    ChangeLines(String location, Duration longestMaking) {
        this.location = location;
        this.longestMaking = longestMaking.toNanos();
    }

    /** The place of a thread in a line. */
    final class Place implements AutoCloseable {
        private final Line line;
        private final Thread thread = Thread.currentThread();
        private final Condition told = lock.newCondition();
        private Turn turn = Turn.WAITS;
        private @Nullable ChangeGroup group;
        private long since;

        /** Whether this adds its change to those of others. */
        private final boolean joins;

        private Place(Line line, boolean joins) {
            this.line = line;
            this.joins = joins;
        }

        /** The group that this thread adds its change to; null if it begins one. */
        @Nullable
        ChangeGroup group() {
            return group;
        }

        /**
         * Adds a change to the group. If others wait, they add theirs, and this waits for the outcome.
         *
         * @return whether the caller commits the group; else it is over, or the line has passed this by
         */
        boolean add(ChangeGroup to, ChangeGroup.Made made) {
            lock.lock();
            try {
                if (turn == Turn.PASSED) {
                    await(() -> !to.changes().isEmpty() && !to.isOver());
                    return false;
                }
                to.add(made);
                group = to;
                Place next = line.waiting.peek();
                if (next == null || !next.joins || to.isFull() || !made.transaction.join()) {
                    turn = Turn.COMMITS;
                    return true;
                }
                turn = Turn.MADE;
                line.made.add(this);
                give(line, to);
                await(() -> turn == Turn.MADE);
                return turn == Turn.COMMITS;
            } finally {
                lock.unlock();
            }
        }

        /** Whether the line continued without this, so that the change is not in the group. */
        boolean isPassed() {
            lock.lock();
            try {
                return turn == Turn.PASSED;
            } finally {
                lock.unlock();
            }
        }

        /**
         * Tells all whose changes are in the group that it is over.
         *
         * @param failure why the commit failed; null, if it succeeded
         */
        void end(ChangeGroup over, @Nullable Throwable failure) {
            lock.lock();
            try {
                over.end(failure);
                line.made.forEach(each -> {
                    each.turn = Turn.OVER;
                    each.told.signal();
                });
                line.made.clear();
            } finally {
                lock.unlock();
            }
        }

        /** Waits while a condition holds. An interrupt does not end the wait, and is kept. */
        @GuardedBy("ChangeLines.this.lock")
        private void await(BooleanSupplier condition) {
            boolean interrupted = false;
            while (condition.getAsBoolean()) {
                passBySlow(line);
                try {
                    if (condition.getAsBoolean()) {
                        long unused = told.awaitNanos(longestMaking);
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                thread.interrupt();
            }
        }

        /** Leaves the line, and lets the next one in. */
        @Override
        public void close() {
            lock.lock();
            try {
                if (turn == Turn.MAKES) {
                    // Its function threw. What others have made is still to be committed.
                    continueWithout(line);
                } else if (turn == Turn.COMMITS) {
                    give(line, null);
                }
                turn = Turn.OVER;
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits in the line of a branch until it is the turn of this thread.
     *
     * @param joins whether it adds its change to those of others; else it has the branch to itself, and holds the lock of the store
     * @return nothing, if it should make its change alone
     * @throws OperationInterruptedException if the thread is interrupted
     */
    Optional<Place> enter(String branch, boolean joins) {
        lock.lock();
        try {
            Line line = lines.computeIfAbsent(branch, Line::new);
            Place place = new Place(line, joins);
            if (line.first == null) {
                line.waiting.add(place);
                give(line, null);
                return Optional.of(place);
            }
            if (line.first.thread.equals(place.thread)) {
                // Within the function of a change.
                return Optional.empty();
            }
            line.waiting.add(place);
            return awaitTurn(place) ? Optional.of(place) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean awaitTurn(Place place) {
        long begun = System.nanoTime();
        try {
            while (place.turn == Turn.WAITS) {
                if (System.nanoTime() - begun > LONGEST_WAIT) {
                    place.line.waiting.remove(place);
                    return false;
                }
                passBySlow(place.line);
                if (place.turn == Turn.WAITS) {
                    long unused = place.told.awaitNanos(longestMaking);
                }
            }
        } catch (InterruptedException e) {
            place.thread.interrupt();
            if (place.line.waiting.remove(place)) {
                throw new OperationInterruptedException("a wait for another writer of " + location);
            }
        }
        return true;
    }

    /** Continues without the first one, if that makes its change for too long. */
    @GuardedBy("lock")
    private void passBySlow(Line line) {
        Place slow = line.first;
        if (slow != null && slow.turn == Turn.MAKES && System.nanoTime() - slow.since >= longestMaking) {
            slow.turn = Turn.PASSED;
            continueWithout(line);
        }
    }

    /** Lets another one commit the group, if there are changes in it, else the next one begin. */
    @GuardedBy("lock")
    private void continueWithout(Line line) {
        if (line.made.isEmpty()) {
            give(line, null);
        } else {
            Place last = line.made.remove(line.made.size() - 1);
            last.turn = Turn.COMMITS;
            line.first = last;
            last.told.signal();
        }
    }

    /** Lets the next one make its change; if none waits, the line is over. */
    @GuardedBy("lock")
    private void give(Line line, @Nullable ChangeGroup group) {
        Place next = line.waiting.poll();
        line.first = next;
        if (next == null) {
            lines.remove(line.branch);
        } else {
            next.turn = next.joins ? Turn.MAKES : Turn.COMMITS;
            next.group = group;
            next.since = System.nanoTime();
            next.told.signal();
        }
    }
}
