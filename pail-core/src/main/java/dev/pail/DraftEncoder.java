package dev.pail;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** Makes a shard of a draft in which all links have CIDs: copies from its base what did not change, and writes what did. */
final class DraftEncoder {
    private final Draft draft;
    private final ShardFormat format;
    private final @Nullable ShardRef origin;

    /** @param origin the shard that the draft was opened from, if there is one */
    DraftEncoder(Draft draft, ShardFormat format, @Nullable ShardRef origin) {
        this.draft = draft;
        this.format = format;
        this.origin = origin;
    }

    /**
     * The shard and its block.
     *
     * @param sha256 a fresh digest
     */
    Shards.Made encode(MessageDigest sha256) {
        Shard base = draft.base();
        return base != null && isPatch(base) ? patch(base, sha256) : rewrite(base, sha256);
    }

    /** Whether all that differs is values, each of the size that it had. */
    private boolean isPatch(Shard base) {
        if (draft.count() != base.count() || draft.isOverlapping() != base.overlapping) {
            return false;
        }
        for (int i = 0; i < draft.changed(); i++) {
            Change change = draft.change(i);
            if (!change.replaces()
                    || change.value.isNothing()
                    || ShardEncoder.size(change.key, change.value)
                            != base.starts[change.at + 1] - base.starts[change.at]
                    || (change.value.shard() != null) != base.hasShard(change.at)) {
                return false;
            }
        }
        return true;
    }

    private Shards.Made patch(Shard base, MessageDigest sha256) {
        ShardEncoder encoder = new ShardEncoder(base);
        for (int i = 0; i < draft.changed(); i++) {
            Change change = draft.change(i);
            encoder.replace(change.at, base.keyEnd(change.at), change.value);
        }
        int same = base.starts[draft.change(0).at];
        return encoder.finish(format.tail(draft.prefix()), draft.isOverlapping(), base.midstates, same, origin, sha256);
    }

    private Shards.Made rewrite(@Nullable Shard base, MessageDigest sha256) {
        byte[] head = format.head(draft.prefix());
        byte[] tail = format.tail(draft.prefix());
        int size = head.length + draft.arraySize() + tail.length;
        ShardEncoder encoder = new ShardEncoder(head, draft.count(), size, tail.length, isLinked(base));
        int next = 0;
        for (int i = 0; i < draft.changed(); i++) {
            Change change = draft.change(i);
            if (base != null) {
                encoder.copy(base, next, change.position());
                next = change.position() + (change.replaces() ? 1 : 0);
            }
            if (!change.value.isNothing()) {
                encoder.write(change.key, change.value);
            }
        }
        if (base != null) {
            encoder.copy(base, next, base.count());
        }
        return encoder.finish(tail, draft.isOverlapping(), Midstates.NONE, 0, origin, sha256);
    }

    /** Whether any entry may link to a shard. */
    private boolean isLinked(@Nullable Shard base) {
        boolean linked = base != null && base.isLinked();
        for (int i = 0; i < draft.changed() && !linked; i++) {
            linked = draft.change(i).value.shard() != null;
        }
        return linked;
    }
}
