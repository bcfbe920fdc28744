package dev.pail;

/** A key of a {@link Draft} whose value differs from that in the shard which the draft was opened from: its base. */
final class Change {
    final KeyBytes key;

    /** The entry of the base with this key; or, as {@link Shard#find} has it, where it would be. */
    final int at;

    ShardValue value;

    Change(KeyBytes key, ShardValue value, int at) {
        this.key = key;
        this.value = value;
        this.at = at;
    }

    boolean replaces() {
        return at >= 0;
    }

    /** How many entries of the base come before. */
    int position() {
        return at >= 0 ? at : -1 - at;
    }
}
