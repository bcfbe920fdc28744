package dev.pail.repository;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Cid;
import dev.pail.repository.collect.CollectionPlace;
import dev.pail.repository.collect.ErasureWalk;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.ErasurePlan;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Erases values for good: {@link Maintenance#erasing}. The bytes of a value leave the repository: its block, and each block below it to which
 * no other value leads, wherever a branch, a tag, a remote-tracking ref or a log has it. Versions stay: their roots, and the keys with the
 * CIDs of the erased values. From then on the repository takes such a block in no more (spec rules ER1 to ER9).
 *
 * <p>Events and shards are never erased: they have keys, and without them versions cannot be read.
 *
 * <p>The marks are durable before the first byte is removed. If the process ends in between, the blocks can no longer be read, and the next
 * erasure, {@link #finish}, or the collector removes the rest.
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * Erasing erasing = repository.withNote(Note.of("Ann", "a password")).maintenance().erasing();
 * ErasurePlan plan = erasing.plan(List.of(value));
 * System.out.println(plan.blocks().size() + " blocks, " + plan.bytes() + " bytes");
 * erasing.erase(List.of(value));
 * }</pre>
 */
public final class Erasing {
    /** How often an erasure is tried again, since another writer was faster. */
    private static final int MOST_RACES = 100;

    private final CollectionPlace place;
    private final Note note;
    private final Runnable progress;

    Erasing(CollectionPlace place, Note note) {
        this(place, note, () -> {});
    }

    private Erasing(CollectionPlace place, Note note, Runnable progress) {
        this.place = place;
        this.note = note;
        this.progress = progress;
    }

    /** Returns this with a progress listener, which runs for each block that is read. It must not change the repository. */
    @CheckReturnValue
    public Erasing withProgress(Runnable step) {
        return new Erasing(place, note, Objects.requireNonNull(step, "step"));
    }

    /**
     * Returns the records of all blocks that were erased or allowed again, in the order of their CIDs.
     *
     * @throws dev.pail.repository.model.RepositoryException if the records are damaged
     */
    public List<Erasure> records() {
        return place.erasures().all();
    }

    /** Returns the blocks with a mark whose bytes may still be in the store: an erasure was cut off, or a mark came from a remote. */
    public List<Cid> left() {
        return place.erasures().left();
    }

    /**
     * Finds the blocks that an erasure of values removes. Reads all events and shards, and those blocks of values that can have links.
     * Changes nothing.
     *
     * @throws dev.pail.repository.model.RepositoryException if a value is an event, a shard or an identity CID, or the store cannot erase; or if a block that a branch
     *     or a tag needs is missing or corrupt: then it is unknown what leads to a block
     */
    public ErasurePlan plan(Collection<Cid> values) {
        place.erasures().check();
        ErasureWalk walk = new ErasureWalk(place, values, progress);
        walk.mark();
        return walk.plan();
    }

    /**
     * Erases values. A value that was erased before is erased again, with all blocks that were left of it.
     *
     * @return the blocks that were erased
     * @throws dev.pail.repository.model.RepositoryException as {@link #plan}. Nothing has changed
     * @throws dev.pail.StoreLockedException if another writer holds the lock for longer than the patience. Nothing has changed
     * @throws dev.pail.StoreIOException if writing failed. Once the marks were written, no value can be read any more; call this again
     */
    public ErasurePlan erase(Collection<Cid> values) {
        place.erasures().check();
        place.refs().checkWritable();
        ErasureWalk walk = new ErasureWalk(place, values, progress);
        // Without the lock first, since it may take long.
        walk.mark();
        return updated(() -> {
            // Under the lock again, for what was published meanwhile.
            walk.mark();
            ErasurePlan plan = walk.plan();
            place.erasures().add(records(Erasure.State.MARKED, plan.values()));
            place.erasures().remove();
            return plan;
        });
    }

    /** Does some work in an update; again, if another writer was faster. */
    private <T> T updated(Supplier<T> work) {
        for (int races = 1; ; races++) {
            try {
                return place.refs().update(update -> work.get());
            } catch (RefChangedException e) {
                if (races == MOST_RACES) {
                    throw e;
                }
            }
        }
    }

    private List<Erasure> records(Erasure.State state, Map<Cid, Cid> valuesByBlock) {
        Map<Cid, Erasure> before = new LinkedHashMap<>();
        place.erasures().all().forEach(record -> before.put(record.cid(), record));
        List<Erasure> records = new ArrayList<>();
        Instant now = place.refs().now();
        valuesByBlock.forEach((cid, value) -> {
            Erasure last = before.get(cid);
            Instant after = last == null ? Instant.MIN : last.time().plusMillis(1);
            // The clock may have been set back: a new record counts all the same.
            records.add(new Erasure(state, cid, value, now.isBefore(after) ? after : now, note));
        });
        return records;
    }

    /**
     * Lifts the mark of a block, and the marks of the blocks that were erased with it as their value: the repository takes them in again.
     * That brings no bytes back.
     *
     * @return the new records; none if the block has no mark
     */
    public List<Erasure> allow(Cid cid) {
        Cid raw = cid.raw();
        place.erasures().check();
        return updated(() -> {
            Map<Cid, Cid> lifted = new LinkedHashMap<>();
            for (Erasure each : place.erasures().all()) {
                if (each.isMark()
                        && (each.cid().equals(raw) || each.value().raw().equals(raw))) {
                    lifted.put(each.cid(), each.value());
                }
            }
            List<Erasure> records = records(Erasure.State.ALLOWED, lifted);
            place.erasures().add(records);
            return records;
        });
    }

    /**
     * Takes records of another repository. Of each block the later record counts. A marked block can no longer be read here. Its bytes stay
     * until {@link #finish} or a collection, so that {@link #allow} can keep it until then.
     *
     * <p>A mark of an event or a shard of this repository is not taken: no peer can take versions away. Rule ER9.
     *
     * @return the records that are new here
     * @throws dev.pail.repository.model.RepositoryException as {@link #plan}, if there is a new mark. Nothing has changed
     */
    public List<Erasure> take(Collection<Erasure> received) {
        List<Erasure> added = unknown(received);
        if (added.isEmpty()) {
            return added;
        }
        place.erasures().check();
        List<Cid> marks =
                added.stream().filter(Erasure::isMark).map(Erasure::cid).toList();
        ErasureWalk walk = new ErasureWalk(place, List.of(), progress);
        if (!marks.isEmpty()) {
            walk.mark();
        }
        return updated(() -> {
            if (!marks.isEmpty()) {
                walk.mark();
            }
            List<Erasure> counted = unknown(received).stream()
                    .filter(each -> !each.isMark() || !walk.isStructure(each.cid()))
                    .toList();
            Set<Cid> stored =
                    place.erasures().stored(counted.stream().map(Erasure::cid).collect(Collectors.toSet()));
            List<Erasure> taken = counted.stream()
                    .map(each -> stored.contains(each.cid()) ? marked(each) : each.removed())
                    .toList();
            place.erasures().add(taken);
            return taken;
        });
    }

    /** A record; if it is a mark, as one of a block whose bytes may be here. */
    private static Erasure marked(Erasure record) {
        return record.isMark()
                ? new Erasure(Erasure.State.MARKED, record.cid(), record.value(), record.time(), record.note())
                : record;
    }

    /** The records that differ from those here, and count. */
    private List<Erasure> unknown(Collection<Erasure> received) {
        Map<Cid, Erasure> here = new LinkedHashMap<>();
        place.erasures().all().forEach(record -> here.put(record.cid(), record));
        return received.stream()
                .filter(each -> {
                    Erasure known = here.get(each.cid());
                    return known == null
                            || (!known.removed().equals(each.removed())
                                    && Erasure.latest(known, each).equals(each));
                })
                .toList();
    }

    /**
     * Removes the bytes of all blocks with a mark that may still have some.
     *
     * @return the blocks whose bytes may have been in the store
     */
    public List<Cid> finish() {
        return updated(() -> {
            place.refs().checkWritable();
            List<Cid> left = left();
            if (!left.isEmpty()) {
                place.erasures().remove();
            }
            return left;
        });
    }
}
