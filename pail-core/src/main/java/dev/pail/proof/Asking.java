package dev.pail.proof;

import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.LimitException;
import dev.pail.ReadOnlyPail;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Asks versions, up to a size of the answer. For one answer. */
final class Asking {
    /** What an entry or a change counts beside its key and its values, in bytes: about what it takes in memory. */
    private static final int ENTRY = 128;

    private final int most;
    private long size;

    /** @param most the largest answer, as {@link ProofLimits#answer} counts it */
    Asking(int most) {
        this.most = most;
    }

    /** @throws LimitException if the answer is too large */
    Answer answer(ReadOnlyPail pail, Query query) {
        if (query instanceof Query.Key one) {
            // Rule PF6.
            return pail.get(one.key()).<Answer>map(Answer.Present::new).orElseGet(Answer.Absent::new);
        }
        if (query instanceof Query.Keys some) {
            return keys(pail, some.keys());
        }
        return range(pail, ((Query.Range) query).range());
    }

    /** Looks for the keys one by one: the blocks of a proof are in memory, so reading them level by level saves nothing. Rule PF7. */
    private Answer keys(ReadOnlyPail pail, List<String> keys) {
        List<Entry> found = new ArrayList<>();
        for (String key : keys) {
            Optional<Cid> value = pail.get(key);
            if (value.isPresent()) {
                count(key, value, Optional.empty());
                found.add(new Entry(key, value.get()));
            }
        }
        return new Answer.Entries(found);
    }

    /** Reads the range to its end. Rule PF8. */
    private Answer range(ReadOnlyPail pail, KeyRange range) {
        List<Entry> found = new ArrayList<>();
        for (Iterator<Entry> all = pail.entries(range).iterator(); all.hasNext(); ) {
            Entry entry = all.next();
            count(entry.key(), Optional.of(entry.value()), Optional.empty());
            found.add(entry);
        }
        return new Answer.Entries(found);
    }

    /**
     * What differs between two versions. Rule PF9.
     *
     * @throws LimitException if the answer is too large
     */
    Answer changes(ReadOnlyPail before, ReadOnlyPail after, KeyRange range) {
        List<KeyChange> found = new ArrayList<>();
        for (Iterator<KeyChange> all = before.changes(after, range).iterator(); all.hasNext(); ) {
            KeyChange change = all.next();
            count(change.key(), change.before(), change.after());
            found.add(change);
        }
        return new Answer.Changes(found);
    }

    /** Counts an entry or a change, as {@link ProofLimits#answer} has it. */
    private void count(String key, Optional<Cid> one, Optional<Cid> other) {
        size += ENTRY + 2L * key.length() + bytes(one) + bytes(other);
        if (size > most) {
            throw LimitException.ofProof("an answer of at most " + most + " bytes (PF12)");
        }
    }

    private static int bytes(Optional<Cid> value) {
        return value.map(Cid::byteLength).orElse(0);
    }
}
