package dev.pail.dag;

import dev.pail.ipld.Cid;

/** A link that was found in a block. */
public record Link(Cid cid, Role role) {
    /** What a link leads to. */
    public enum Role {
        /** A root: a shard, an event or any other block. It must be there. */
        ROOT,
        /** A shard of a pail: it must be there, and be one. */
        SHARD,
        /** An event of a merkle clock: it must be there, and be one. */
        EVENT,
        /** A value of a key, or a block below one. It may be absent. */
        VALUE
    }

    /** Whether there must be a block. */
    public boolean isNeeded() {
        return role != Role.VALUE;
    }
}
