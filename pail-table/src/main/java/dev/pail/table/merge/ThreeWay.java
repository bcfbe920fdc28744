package dev.pail.table.merge;

import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys in which any of several versions differs from a base, in order: the diffs, joined. Holds one change of each. */
public final class ThreeWay {
    /** What is done with a key. */
    public interface Action {
        /**
         * Takes a key.
         *
         * @param values the value in each version, in the order in which the versions were given
         */
        void key(String key, Optional<Cid> base, List<Optional<Cid>> values);
    }

    private ThreeWay() {}

    public static void forEach(Pail base, List<Pail> versions, Action action) {
        List<Iterator<KeyChange>> diffs = new ArrayList<>();
        List<@Nullable KeyChange> next = new ArrayList<>();
        for (Pail version : versions) {
            Iterator<KeyChange> diff = base.diff(version).boundedKeys().iterator();
            diffs.add(diff);
            next.add(diff.hasNext() ? diff.next() : null);
        }
        for (KeyChange first = first(next); first != null; first = first(next)) {
            List<Optional<Cid>> values = new ArrayList<>();
            for (int i = 0; i < next.size(); i++) {
                KeyChange change = next.get(i);
                boolean differs = change != null && change.key().equals(first.key());
                values.add(differs ? change.after() : first.before());
                if (differs) {
                    next.set(i, diffs.get(i).hasNext() ? diffs.get(i).next() : null);
                }
            }
            action.key(first.key(), first.before(), values);
        }
    }

    private static @Nullable KeyChange first(List<@Nullable KeyChange> next) {
        KeyChange first = null;
        for (KeyChange change : next) {
            if (change != null && (first == null || change.key().compareTo(first.key()) < 0)) {
                first = change;
            }
        }
        return first;
    }

    /** Whether both sides have changed a key, and not in the same way (spec rule MG2). */
    public static boolean isConflict(Optional<Cid> base, Optional<Cid> ours, Optional<Cid> theirs) {
        return !ours.equals(theirs) && !ours.equals(base) && !theirs.equals(base);
    }

    /** The merged value of a key (spec rule MG1). */
    public static Optional<Cid> merged(
            Optional<Cid> base, Optional<Cid> ours, Optional<Cid> theirs, Optional<Cid> ofConflict) {
        if (isConflict(base, ours, theirs)) {
            return ofConflict;
        }
        return ours.equals(base) ? theirs : ours;
    }
}
