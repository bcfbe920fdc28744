package dev.pail.remote;

import dev.pail.KeyRange;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;

/**
 * What a peer reads after a block that it asks for, so that a remote sends the next blocks with it (spec rule SY24). Only a hint: the peer asks
 * for all that did not come.
 *
 * <pre>{@code
 * NextReads next = new NextReads.Entries(List.of(), KeyRange.prefix("photos/"), 64);
 * remote.blocks(List.of(pail.root()), next, blocks); // the root, and up to 64 shards that lead to these keys
 * }</pre>
 */
public sealed interface NextReads {
    /** The largest number of additional blocks that a remote sends. */
    int MOST = 16_384;

    /** The most bytes of additional blocks that a remote sends, unless the first one is larger. */
    int MOST_BYTES = 4 << 20;

    /** Returns how many additional blocks are wanted, from 1 to {@link #MOST}. */
    int most();

    /**
     * Reads the entries of a range of a version, in its direction.
     *
     * @param path the shards from the root to the one that links to the block that is asked for; empty if that is the root itself
     */
    record Entries(List<Cid> path, KeyRange range, int most) implements NextReads {
        public Entries {
            path = List.copyOf(path);
            Objects.requireNonNull(range, "range");
            check(most);
        }
    }

    /** Compares the keys of a range of two versions. */
    record Changes(Cid before, Cid after, KeyRange range, int most) implements NextReads {
        public Changes {
            Objects.requireNonNull(before, "before");
            Objects.requireNonNull(after, "after");
            Objects.requireNonNull(range, "range");
            check(most);
        }
    }

    /** Reads the events that the event which is asked for follows, newest first. */
    record History(int most) implements NextReads {
        public History {
            check(most);
        }
    }

    private static void check(int most) {
        if (most < 1 || most > MOST) {
            throw new IllegalArgumentException("1 to " + MOST + " additional blocks are wanted, not " + most);
        }
    }
}
