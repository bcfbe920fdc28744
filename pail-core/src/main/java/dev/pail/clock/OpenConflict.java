package dev.pail.clock;

import dev.pail.ipld.Cid;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A key on which the newest changes differ, and which no one has changed since (spec rules M22 and M23). Immutable, equal by content.
 *
 * <pre>{@code
 * MerkleClock clock = MerkleClock.open(repository.blocks());
 * for (OpenConflict open : clock.conflicts(repository.head("main"), ConflictCache.NONE)) {
 *     System.out.println(open.key() + " has " + open.sides().size() + " newest changes");
 * }
 * }</pre>
 *
 * @param key the whole key
 * @param sides the newest changes of the key, at least two, with at least two values; in the order of their events
 */
public record OpenConflict(String key, List<Side> sides) {
    public OpenConflict {
        Objects.requireNonNull(key, "key");
        sides = sides.stream().sorted(Comparator.comparing(Side::event)).toList();
        if (sides.stream().map(Side::value).distinct().count() < 2) {
            throw new IllegalArgumentException("the sides of a conflict have two values or more: " + sides);
        }
    }

    /**
     * One of the newest changes of a key.
     *
     * @param event the event that made it
     * @param value what the event put; empty if it removed the key
     */
    public record Side(Cid event, Optional<Cid> value) {
        public Side {
            Objects.requireNonNull(event, "event");
            Objects.requireNonNull(value, "value");
        }
    }
}
