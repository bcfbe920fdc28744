package dev.pail.repository;

import dev.pail.StoreLockedException;
import dev.pail.clock.Head;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Refs in memory, for tests and for repositories that need not outlive the process. An update holds a lock, so writers exclude each
 * other. Safe for use by several threads.
 *
 * <pre>{@code
 * Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
 * Repository inMemory = Repository.open(new MemoryRefs(clock), new MemoryBlocks(clock), ShardFormat.v1());
 * Instant time = inMemory.refs().now(); // 1970-01-01T00:00:00Z, as log entries have it
 * }</pre>
 */
public final class MemoryRefs implements RefStore {
    /** A branch; one that was removed keeps its log. */
    private record State(String name, boolean isPresent, boolean hasLog, Head head, long generation)
            implements BranchState {}

    private final Clock clock;

    /** Held by an update. It is fair, because a collector takes it again and again. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final TreeMap<String, State> states = new TreeMap<>();
    private final TreeMap<String, List<LogEntry>> entries = new TreeMap<>();
    private final TreeMap<String, Head> heads = new TreeMap<>();
    private String current = Repository.MAIN;
    private Epoch epoch = Epoch.NONE;
    private volatile boolean closed;

    /** Refs with one branch without events, {@link Repository#MAIN}. */
    public MemoryRefs() {
        this(Clock.systemUTC());
    }

    /** The same, whose log entries have the times of a clock. */
    public MemoryRefs(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
        states.put(Repository.MAIN, new State(Repository.MAIN, true, true, Head.empty(), 0));
    }

    @Override
    public synchronized List<String> branches() {
        checkOpen();
        return states.values().stream()
                .filter(State::isPresent)
                .map(State::name)
                .toList();
    }

    @Override
    public synchronized List<String> logs() {
        checkOpen();
        return List.copyOf(states.keySet());
    }

    @Override
    public synchronized BranchState branch(String name) {
        checkOpen();
        State state = states.get(Objects.requireNonNull(name, "name"));
        return state == null ? new State(name, false, false, Head.empty(), 0) : state;
    }

    @Override
    public synchronized RefLog log(String branch, Head head, long generation) {
        checkOpen();
        Objects.requireNonNull(head, "head");
        List<LogEntry> all = entries.getOrDefault(Objects.requireNonNull(branch, "branch"), List.of());
        List<LogEntry> newestFirst = new ArrayList<>();
        for (int i = (int) Math.min(generation, all.size()) - 1; i >= 0; i--) {
            newestFirst.add(all.get(i));
        }
        Iterator<LogEntry> each = newestFirst.iterator();
        return new RefLog() {
            @Override
            public @Nullable LogEntry next() {
                return each.hasNext() ? each.next() : null;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public synchronized List<String> tags() {
        checkOpen();
        return List.copyOf(heads.keySet());
    }

    @Override
    public synchronized Optional<Head> tag(String name) {
        checkOpen();
        return Optional.ofNullable(heads.get(Objects.requireNonNull(name, "name")));
    }

    @Override
    public synchronized String current() {
        checkOpen();
        return current;
    }

    @Override
    public synchronized Epoch epoch() {
        checkOpen();
        return epoch;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public boolean isDurable(BranchState state) {
        checkOpen();
        Objects.requireNonNull(state, "state");
        return true;
    }

    @Override
    public void checkWritable() {
        checkOpen();
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public <T> T update(Function<Update, T> action) {
        checkOpen();
        if (lock.isHeldByCurrentThread()) {
            throw new StoreLockedException(location(), "an update of this thread");
        }
        lock.lock();
        try {
            return action.apply(new Changes());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the refs are closed: " + location());
        }
    }

    private final class Changes implements Update {
        @Override
        public LogEntry move(BranchState expected, Head next, String reason, Note note, Epoch seen) {
            Objects.requireNonNull(next, "next");
            Objects.requireNonNull(reason, "reason");
            synchronized (MemoryRefs.this) {
                check(expected);
                check(seen);
                LogEntry entry = new LogEntry(expected.generation() + 1, now(), reason, expected.head(), next, note);
                entries.computeIfAbsent(expected.name(), name -> new ArrayList<>())
                        .add(entry);
                put(expected.name(), true, next, entry.generation());
                return entry;
            }
        }

        @Override
        public void create(BranchState absent, Epoch seen) {
            synchronized (MemoryRefs.this) {
                check(absent);
                check(seen);
                if (absent.isPresent() || !absent.head().isEmpty()) {
                    throw new IllegalArgumentException("the branch is there: " + absent.name());
                }
                put(absent.name(), true, Head.empty(), absent.generation());
            }
        }

        @Override
        public void confirm(BranchState expected) {
            synchronized (MemoryRefs.this) {
                check(expected);
            }
        }

        @Override
        public void remove(BranchState expected, Consumer<LogEntry> moved) {
            Objects.requireNonNull(moved, "moved");
            synchronized (MemoryRefs.this) {
                check(expected);
                if (!expected.head().isEmpty()) {
                    moved.accept(move(expected, Head.empty(), "remove the branch", Note.NONE, epoch));
                }
                put(
                        expected.name(),
                        false,
                        Head.empty(),
                        branch(expected.name()).generation());
            }
        }

        @Override
        public void tag(String name, Optional<Head> expected, Optional<Head> next, Epoch seen) {
            Objects.requireNonNull(expected, "expected");
            synchronized (MemoryRefs.this) {
                if (!MemoryRefs.this.tag(name).equals(expected)) {
                    throw new RefChangedException(name, "the tag is another one now");
                }
                check(seen);
                next.ifPresentOrElse(head -> heads.put(name, head), () -> heads.remove(name));
            }
        }

        @Override
        public void removeTag(String name) {
            synchronized (MemoryRefs.this) {
                if (heads.remove(Objects.requireNonNull(name, "name")) == null) {
                    throw new RepositoryException(
                            RepositoryException.Reason.NO_TAG,
                            "no tag " + name,
                            heads.isEmpty() ? "there is none" : "there are: " + String.join(", ", heads.keySet()),
                            null);
                }
            }
        }

        @Override
        public void current(String branch) {
            synchronized (MemoryRefs.this) {
                current = Objects.requireNonNull(branch, "branch");
            }
        }

        @Override
        public void epoch(Epoch expected, Epoch next) {
            synchronized (MemoryRefs.this) {
                check(expected);
                epoch = Objects.requireNonNull(next, "next");
            }
        }

        private void put(String name, boolean isPresent, Head head, long generation) {
            states.put(name, new State(name, isPresent, true, head, generation));
        }

        private void check(BranchState expected) {
            BranchState now = branch(expected.name());
            if (!now.equals(expected)) {
                throw new RefChangedException(expected.name(), "generation " + now.generation());
            }
        }

        private void check(Epoch seen) {
            if (!epoch.equals(Objects.requireNonNull(seen, "seen"))) {
                throw new RefChangedException("gc", "blocks were taken away, or are about to be");
            }
        }
    }
}
