package dev.pail.s3;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.RecordErasures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an update has read, and what its one commit changes. It works on the state at its beginning. Another commit since
 * then conflicts with it if that changed anything that this has read (rule OS5). For one thread.
 */
final class Transaction {
    private final State base;
    private final Set<String> read = new HashSet<>();
    private final Set<String> listed = new HashSet<>();
    private final Map<String, List<Commit.Written>> written = new LinkedHashMap<>();
    private final Set<String> relied = new HashSet<>();
    private final List<Pack> added = new ArrayList<>();
    private final Set<String> condemned = new HashSet<>();
    private final Set<String> merged = new HashSet<>();
    private final Set<String> deleted = new HashSet<>();
    private final Set<String> forgotten = new HashSet<>();
    private final Map<Cid, Block> buffer = new LinkedHashMap<>();
    private final Map<Cid, Block> uploaded = new HashMap<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private long buffered;

    Transaction(State base) {
        this.base = base;
    }

    State base() {
        return base;
    }

    /** The newest record of a name, one of its own included. */
    Optional<Commit.Written> newest(String name) {
        List<Commit.Written> own = written.get(name);
        if (own != null) {
            return Optional.of(own.get(own.size() - 1));
        }
        read.add(name);
        return Optional.ofNullable(base.records().get(name)).map(State.Newest::record);
    }

    /** A record of its own, if it has that. */
    Optional<byte[]> own(String name, long number) {
        return written.getOrDefault(name, List.of()).stream()
                .filter(each -> each.number() == number)
                .map(Commit.Written::content)
                .findFirst();
    }

    /** Writes the record behind the newest one of a name; returns false, if the number is another. */
    boolean write(String name, long number, byte[] content) {
        if (number != newest(name).map(Commit.Written::number).orElse(0L) + 1) {
            return false;
        }
        State.Newest before = base.records().get(name);
        written.computeIfAbsent(name, any -> new ArrayList<>())
                .add(new Commit.Written(name, number, before == null ? 0 : before.commit(), content));
        return true;
    }

    SortedSet<String> names(String prefix) {
        listed.add(prefix);
        SortedSet<String> names = new TreeSet<>(base.records().keySet());
        names.addAll(written.keySet());
        names.removeIf(name -> !name.startsWith(prefix));
        return names;
    }

    /** Adds a block; {@code full} receives those that fill a pack. */
    void put(Block block, Consumer<Collection<Block>> full) {
        Cid raw = block.cid().raw();
        if (find(raw) != null) {
            return;
        }
        if (buffered > 0 && (buffered + block.size() > PackFile.MOST_BYTES || buffer.size() >= PackFile.MOST_BLOCKS)) {
            flush(full);
        }
        buffer.put(raw, block);
        buffered += block.size();
    }

    /** Gives what is left for a pack. */
    void flush(Consumer<Collection<Block>> full) {
        if (!buffer.isEmpty()) {
            full.accept(List.copyOf(buffer.values()));
            // Other readers do not see it yet.
            uploaded.putAll(buffer);
            buffer.clear();
            buffered = 0;
        }
    }

    /** A block that this has put. */
    @Nullable
    Block find(Cid raw) {
        Block found = buffer.get(raw);
        return found != null ? found : uploaded.get(raw);
    }

    void add(Pack pack) {
        added.add(pack);
    }

    /** Packs that must stay where they are until this is done. */
    void rely(String pack) {
        relied.add(pack);
    }

    void condemn(String pack) {
        condemned.add(pack);
        relied.add(pack);
    }

    void merge(String pack) {
        merged.add(pack);
        relied.add(pack);
    }

    void delete(String pack) {
        deleted.add(pack);
        relied.add(pack);
    }

    void forget(String pack) {
        forgotten.add(pack);
    }

    /** Does something when this is committed. */
    void afterwards(Runnable action) {
        afterwards.add(action);
    }

    void runAfterwards() {
        afterwards.forEach(Runnable::run);
    }

    boolean isEmpty() {
        return written.isEmpty()
                && added.isEmpty()
                && buffer.isEmpty()
                && condemned.isEmpty()
                && merged.isEmpty()
                && deleted.isEmpty()
                && forgotten.isEmpty();
    }

    /** Whether this changes refs, so that what was found of blocks must still be there. */
    private boolean changesRefs() {
        return !written.isEmpty();
    }

    /** What it is as a commit. All blocks are in packs. */
    Commit commit(String id, Instant at) {
        return new Commit(
                id,
                at,
                written.values().stream().flatMap(List::stream).toList(),
                List.copyOf(added),
                Set.copyOf(condemned),
                Set.copyOf(merged),
                Set.copyOf(deleted),
                Set.copyOf(forgotten));
    }

    /** What of a later commit conflicts with this; null, if nothing does. Rule OS5. */
    @Nullable
    String conflict(Commit other) {
        for (Commit.Written each : other.records()) {
            // A pack of this may have a block that was erased (OS17).
            boolean hasMarks = !added.isEmpty() && each.name().startsWith(RecordErasures.PAGES);
            if (hasMarks || read.contains(each.name()) || listed.stream().anyMatch(each.name()::startsWith)) {
                return each.name();
            }
        }
        for (Set<String> moved : List.of(other.condemned(), other.merged(), other.deleted())) {
            for (String each : moved) {
                if (relied.contains(each)) {
                    return each;
                }
            }
        }
        for (Pack each : added) {
            if (other.forgotten().contains(each.name())) {
                return each.name();
            }
        }
        for (Pack each : other.added()) {
            if (forgotten.contains(each.name())) {
                return each.name();
            }
        }
        return other.takesAway() && changesRefs() ? "packs" : null;
    }
}
