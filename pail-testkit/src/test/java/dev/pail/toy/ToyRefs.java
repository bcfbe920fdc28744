package dev.pail.toy;

import dev.pail.clock.Head;
import dev.pail.repository.BranchState;
import dev.pail.repository.Epoch;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Note;
import dev.pail.repository.RefChangedException;
import dev.pail.repository.RefLog;
import dev.pail.repository.RefStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The refs of a repository in maps, made with what is exported. The monitor of this object is the lock. */
final class ToyRefs implements RefStore, RefStore.Update {
    private record State(String name, boolean isPresent, boolean hasLog, Head head, long generation)
            implements BranchState {}

    private final Clock clock;
    private final Set<String> present = new TreeSet<>(Set.of("main"));
    private final Map<String, List<LogEntry>> logs = new TreeMap<>(Map.of("main", new ArrayList<>()));
    private final Map<String, Head> tags = new TreeMap<>();
    private String current = "main";
    private Epoch epoch = Epoch.NONE;
    private boolean closed;

    ToyRefs(Clock clock) {
        this.clock = clock;
    }

    private static void check(boolean isAsExpected, String name) {
        if (!isAsExpected) {
            throw new RefChangedException(name, "changed meanwhile");
        }
    }

    @Override
    public synchronized List<String> branches() {
        checkWritable();
        return List.copyOf(present);
    }

    @Override
    public synchronized List<String> logs() {
        checkWritable();
        return List.copyOf(logs.keySet());
    }

    @Override
    public synchronized BranchState branch(String name) {
        checkWritable();
        List<LogEntry> log = logs.getOrDefault(name, List.of());
        Head head = log.isEmpty() ? Head.empty() : log.get(log.size() - 1).to();
        return new State(name, present.contains(name), logs.containsKey(name), head, log.size());
    }

    @Override
    public synchronized RefLog log(String branch, Head head, long generation) {
        checkWritable();
        List<LogEntry> newestFirst = new ArrayList<>();
        logs.getOrDefault(branch, List.of()).stream().limit(generation).forEach(entry -> newestFirst.add(0, entry));
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
        checkWritable();
        return List.copyOf(tags.keySet());
    }

    @Override
    public synchronized Optional<Head> tag(String name) {
        checkWritable();
        return Optional.ofNullable(tags.get(name));
    }

    @Override
    public synchronized String current() {
        checkWritable();
        return current;
    }

    @Override
    public synchronized Epoch epoch() {
        checkWritable();
        return epoch;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public String location() {
        return "a toy";
    }

    @Override
    public synchronized boolean isDurable(BranchState state) {
        checkWritable();
        return true;
    }

    @Override
    public synchronized void checkWritable() {
        if (closed) {
            throw new IllegalStateException("the refs are closed: " + location());
        }
    }

    @Override
    public boolean isExclusive() {
        return true;
    }

    @Override
    public synchronized <T> T update(Function<Update, T> action) {
        checkWritable();
        return action.apply(this);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    @Override
    public LogEntry move(BranchState expected, Head next, String reason, Note note, Epoch seen) {
        confirm(expected);
        check(epoch.equals(seen), "the epoch");
        LogEntry entry = new LogEntry(expected.generation() + 1, now(), reason, expected.head(), next, note);
        logs.computeIfAbsent(expected.name(), name -> new ArrayList<>()).add(entry);
        present.add(expected.name());
        return entry;
    }

    @Override
    public void create(BranchState absent, Epoch seen) {
        confirm(absent);
        check(epoch.equals(seen), "the epoch");
        logs.computeIfAbsent(absent.name(), name -> new ArrayList<>());
        present.add(absent.name());
    }

    @Override
    public void confirm(BranchState expected) {
        check(branch(expected.name()).equals(expected), expected.name());
    }

    @Override
    public void remove(BranchState expected, Consumer<LogEntry> moved) {
        confirm(expected);
        if (!expected.head().isEmpty()) {
            moved.accept(move(expected, Head.empty(), "remove the branch", epoch));
        }
        present.remove(expected.name());
    }

    @Override
    public void tag(String name, Optional<Head> expected, Optional<Head> next, Epoch seen) {
        check(tag(name).equals(expected) && epoch.equals(seen), name);
        next.ifPresentOrElse(head -> tags.put(name, head), () -> tags.remove(name));
    }

    @Override
    public void removeTag(String name) {
        tags.remove(name);
    }

    @Override
    public void current(String branch) {
        current = branch;
    }

    @Override
    public void epoch(Epoch expected, Epoch next) {
        check(epoch.equals(expected), "the epoch");
        epoch = next;
    }
}
