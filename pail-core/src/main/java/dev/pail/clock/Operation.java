package dev.pail.clock;

import dev.pail.KeyNotAllowedException;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;

/**
 * The operation of an event on the map: one change, or several at once. Immutable, equal by content.
 *
 * <pre>{@code
 * MerkleClock clock = MerkleClock.open(repository.blocks());
 * for (Cid event : clock.history(repository.head("main"))) {
 *     for (Operation.Change change : clock.event(event).operation().changes()) {
 *         String done = change instanceof Operation.Put put ? "put " + put.value() : "deleted";
 *         System.out.println(change.key() + ": " + done);
 *     }
 * }
 * }</pre>
 */
public sealed interface Operation {
    /** The changes, in the order in which they are made. */
    List<Change> changes();

    /** A change of one key. */
    sealed interface Change extends Operation {
        /** Returns the whole key. The format of the pail decides which keys are allowed. */
        String key();

        @Override
        default List<Change> changes() {
            return List.of(this);
        }
    }

    /**
     * Gives a key a value.
     *
     * @param key a key without lone surrogates
     * @param value its new value
     */
    record Put(String key, Cid value) implements Change {
        /** @throws KeyNotAllowedException if the key has a lone surrogate */
        public Put {
            checkKey(key);
            Objects.requireNonNull(value, "value");
        }
    }

    /**
     * Removes a key and its value, if it is there.
     *
     * @param key a key without lone surrogates
     */
    record Delete(String key) implements Change {
        /** @throws KeyNotAllowedException if the key has a lone surrogate */
        public Delete {
            checkKey(key);
        }
    }

    /**
     * Several changes for one new version.
     *
     * @param changes in the order in which they are made; later ones build on earlier ones
     */
    record Batch(List<Change> changes) implements Operation {
        public Batch {
            changes = List.copyOf(changes);
        }
    }

    private static void checkKey(String key) {
        int surrogate = Utf8.loneSurrogate(key);
        if (surrogate >= 0) {
            throw new KeyNotAllowedException(key, "a lone surrogate at index " + surrogate + " (K1)");
        }
    }
}
