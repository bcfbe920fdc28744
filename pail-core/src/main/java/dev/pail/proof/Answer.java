package dev.pail.proof;

import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;

/**
 * The result of verifying a proof: the answer that it proves, or the reason why it proves nothing.
 *
 * <pre>{@code
 * Answer answer = Proof.read(Files.readAllBytes(file)).verify(pail.root(), new Query.Key("title"));
 * if (answer instanceof Answer.Present present) {
 *     System.out.println(present.value());
 * } else if (answer instanceof Answer.Invalid invalid) {
 *     System.err.println(invalid.cid() + ": " + invalid.reason());
 * } // else it is Answer.Absent
 * }</pre>
 */
public sealed interface Answer {
    /** The key of {@link Query.Key} has this value. */
    record Present(Cid value) implements Answer {
        public Present {
            Objects.requireNonNull(value, "value");
        }
    }

    /** The key of {@link Query.Key} has no value. */
    record Absent() implements Answer {}

    /**
     * The version has these entries and no others among the keys of {@link Query.Keys} or in the range of {@link Query.Range}.
     *
     * @param entries in the order of their keys, or of the range
     */
    record Entries(List<Entry> entries) implements Answer {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    /**
     * These keys and no others differ between two versions.
     *
     * @param changes in the order of their keys
     */
    record Changes(List<KeyChange> changes) implements Answer {
        public Changes {
            changes = List.copyOf(changes);
        }
    }

    /**
     * The blocks prove nothing.
     *
     * @param cid the block that is missing, corrupt, malformed or not needed; the root, if the whole proof is refused
     * @param reason one sentence, with the number of the rule
     */
    record Invalid(Cid cid, String reason) implements Answer {
        public Invalid {
            Objects.requireNonNull(cid, "cid");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
