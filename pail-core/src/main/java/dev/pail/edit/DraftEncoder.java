package dev.pail.edit;

import dev.pail.shard.Layout;
import dev.pail.shard.Midstates;
import dev.pail.shard.NewShard;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardEncoder;
import dev.pail.unsafe.UnsafeBlocks;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes shards of drafts in which all links have CIDs: copies from their bases what did not change, and writes what did.
 *
 * <p>Not for use by several threads at once.
 */
final class DraftEncoder {
    /** From so many drafts on, encoding them is worth several threads. */
    private static final int MANY_DRAFTS = 64;

    private final Layout layout;
    private final MessageDigest sha256 = UnsafeBlocks.sha256();

    DraftEncoder(Layout layout) {
        this.layout = layout;
    }

    /**
     * Encodes drafts and names what they became; on all cores, where that is much work.
     *
     * @param made is given the shards that are new
     */
    static void encodeAll(Layout layout, List<Draft> drafts, List<NewShard> made) {
        if (drafts.size() < MANY_DRAFTS) {
            made.addAll(encoded(layout, drafts));
            return;
        }
        int parts = Math.min(
                drafts.size() / (MANY_DRAFTS / 2), 4 * Runtime.getRuntime().availableProcessors());
        IntStream.range(0, parts)
                .mapToObj(i -> drafts.subList(part(drafts, i, parts), part(drafts, i + 1, parts)))
                .parallel()
                .map(some -> encoded(layout, some))
                .forEachOrdered(made::addAll);
    }

    private static int part(List<Draft> drafts, int i, int parts) {
        return (int) ((long) drafts.size() * i / parts);
    }

    private static List<NewShard> encoded(Layout layout, List<Draft> drafts) {
        DraftEncoder encoder = new DraftEncoder(layout);
        List<NewShard> made = new ArrayList<>(drafts.size());
        for (Draft draft : drafts) {
            NewShard one = draft.end(encoder);
            if (one != null) {
                made.add(one);
            }
        }
        return made;
    }

    /** The shard that a draft has become, and its block. */
    NewShard encode(Draft draft) {
        Shard base = draft.base();
        return base != null && isPatch(draft, base) ? patch(draft, base) : rewrite(draft, base);
    }

    /** Whether all that differs is values, each of the size that it had. */
    private static boolean isPatch(Draft draft, Shard base) {
        if (draft.count() != base.count() || draft.isOverlapping() != base.overlapping) {
            return false;
        }
        for (int place = 0; place < draft.changesEnd(); place = draft.nextChange(place)) {
            Change change = draft.change(place);
            if (!change.replaces()
                    || change.isNothing()
                    || ShardEncoder.size(change.key, change.value())
                            != base.starts[change.at + 1] - base.starts[change.at]
                    || (change.shard() != null) != base.hasShard(change.at)) {
                return false;
            }
        }
        return true;
    }

    private NewShard patch(Draft draft, Shard base) {
        ShardEncoder encoder = new ShardEncoder(base);
        for (int place = 0; place < draft.changesEnd(); place = draft.nextChange(place)) {
            Change change = draft.change(place);
            encoder.replace(change.at, base.keyEnd(change.at), change.value());
        }
        int same = base.starts[draft.change(0).at];
        return encoder.finish(
                layout.trailer(draft.prefix()), draft.isOverlapping(), base.midstates, same, draft.origin(), sha256);
    }

    private NewShard rewrite(Draft draft, @Nullable Shard base) {
        byte[] head = layout.header(draft.prefix());
        byte[] tail = layout.trailer(draft.prefix());
        int size = head.length + draft.arraySize() + tail.length;
        ShardEncoder encoder = new ShardEncoder(head, draft.count(), size, tail.length, isLinked(draft, base));
        int next = 0;
        for (int place = 0; place < draft.changesEnd(); place = draft.nextChange(place)) {
            Change change = draft.change(place);
            if (base != null) {
                encoder.copy(base, next, change.position());
                next = change.position() + (change.replaces() ? 1 : 0);
            }
            if (!change.isNothing()) {
                encoder.write(change.key, change.value());
            }
        }
        if (base != null) {
            encoder.copy(base, next, base.count());
        }
        return encoder.finish(tail, draft.isOverlapping(), Midstates.NONE, 0, draft.origin(), sha256);
    }

    /** Whether any entry may link to a shard. */
    private static boolean isLinked(Draft draft, @Nullable Shard base) {
        boolean linked = base != null && base.isLinked();
        for (int place = 0; place < draft.changesEnd() && !linked; place = draft.nextChange(place)) {
            linked = draft.isLink(place);
        }
        return linked;
    }
}
