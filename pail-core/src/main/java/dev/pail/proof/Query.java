package dev.pail.proof;

import dev.pail.KeyRange;
import dev.pail.shard.KeyBytes;
import java.util.List;
import java.util.Objects;

/**
 * What one version is asked. A key of a namespace is asked by the key that it has in the pail, which
 * {@link dev.pail.Namespace#key(String)} gives.
 *
 * <pre>{@code
 * Query one = new Query.Key("title");
 * Query some = new Query.Keys(List.of("title", "author"));
 * Query photos = new Query.Range(KeyRange.prefix("photos/"));
 * Answer answer = pail.prove(photos, ProofLimits.DEFAULT).verify(pail.root(), photos);
 * }</pre>
 */
public sealed interface Query {
    /** The value of a key: {@link Answer.Present} or {@link Answer.Absent}. */
    record Key(String key) implements Query {
        /** @throws dev.pail.KeyNotAllowedException if the key has a lone surrogate */
        public Key {
            check(Objects.requireNonNull(key, "key"));
        }
    }

    /**
     * Which of some keys have values, and which: {@link Answer.Entries}.
     *
     * @param keys in any order, with or without duplicates; stored in key order, each once
     */
    record Keys(List<String> keys) implements Query {
        /** @throws dev.pail.KeyNotAllowedException if a key has a lone surrogate */
        public Keys {
            keys = keys.stream().sorted().distinct().toList();
            keys.forEach(Query::check);
        }
    }

    /** The entries of a range, in its direction: {@link Answer.Entries}. Both directions have the same proof. */
    record Range(KeyRange range) implements Query {
        public Range {
            Objects.requireNonNull(range, "range");
        }
    }

    private static void check(String key) {
        KeyBytes.of(key);
    }
}
