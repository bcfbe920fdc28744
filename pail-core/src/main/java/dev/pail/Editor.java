package dev.pail;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next version of a pail: takes changes, which may build on each other, and at the end encodes each shard that
 * is not as it was, once. All changes of a pail go through here.
 *
 * <p>A change that failed leaves an editor that must not be used any more. Not for use by several threads at once.
 */
final class Editor {
    /** So many shards are looked at for one key, at most. Only a pail made for it has more on the way of a key. */
    private static final int MAX_STEPS = 100_000;

    private final Shards shards;
    private final ShardRef rootRef;
    private final Draft root;

    /** The shards from the root to the one that {@link #locate} ended in. */
    private final ArrayList<Step> path = new ArrayList<>();

    /**
     * A shard on the way of a key.
     *
     * @param rest what is left of the key there
     * @param link the key of the link that led there, in the shard before
     */
    private record Step(Draft shard, KeyBytes rest, KeyBytes link) {}

    Editor(Shards shards, ShardRef root) {
        this.shards = shards;
        this.rootRef = root;
        this.root = Draft.open(shards.format, KeyBytes.EMPTY, root, shards.load(root, KeyBytes.EMPTY));
    }

    /** The value of a key. */
    @Nullable
    Cid get(KeyBytes key) {
        locate(key);
        return value().data();
    }

    /**
     * Gives a key a value.
     *
     * @throws ShardLimitException if the format has no room for it
     */
    void put(KeyBytes key, Cid value) {
        locate(key);
        shards.format.place(last().shard, last().rest, value);
    }

    /** Removes a key and its value, where there are any. */
    void delete(KeyBytes key) {
        locate(key);
        last().shard.set(last().rest, value().withoutData());
        for (int i = path.size() - 1; i > 0 && path.get(i).shard.isEmpty(); i--) {
            Draft parent = path.get(i - 1).shard;
            KeyBytes link = path.get(i).link;
            parent.set(link, parent.get(link).withoutShard());
        }
    }

    private Step last() {
        return path.get(path.size() - 1);
    }

    private ShardValue value() {
        return last().shard.get(last().rest);
    }

    /**
     * Goes to the shard that has user data for a key; if there is none, to the shard that it would be put into. That is
     * where the shortest links lead that are prefixes of it. Only where shards overlap can it be elsewhere.
     */
    private void locate(KeyBytes key) {
        path.clear();
        path.add(new Step(root, key, KeyBytes.EMPTY));
        descend();
        if (value().data() != null || path.stream().noneMatch(step -> step.shard.isOverlapping())) {
            return;
        }
        List<Step> first = List.copyOf(path);
        int steps = path.size();
        while (value().data() == null) {
            Step left = path.remove(path.size() - 1);
            if (path.isEmpty()) {
                path.addAll(first);
                return;
            }
            KeyBytes link = last().shard.linkTowards(last().rest, left.link.length());
            if (link != null) {
                follow(link);
                descend();
            }
            steps += path.size();
            if (steps > MAX_STEPS) {
                throw new MalformedShardException(
                        rootRef.cid, 0, "overlapping shards leave a key no more than " + MAX_STEPS + " places (V0.7)");
            }
        }
    }

    private void descend() {
        for (KeyBytes link = last().shard.linkTowards(last().rest, 0);
                link != null;
                link = last().shard.linkTowards(last().rest, 0)) {
            follow(link);
        }
    }

    private void follow(KeyBytes link) {
        Step step = last();
        KeyBytes rest = step.rest.without(link.length());
        ShardValue value = step.shard.get(link);
        Draft draft;
        if (value.shard() instanceof ShardRef ref) {
            KeyBytes prefix = new KeyBytes(rest.array, 0, rest.from);
            draft = Draft.open(shards.format, prefix, ref, shards.load(ref, prefix));
            step.shard.set(link, value.withShard(draft));
        } else if (value.shard() instanceof Draft open) {
            draft = open;
        } else {
            throw new IllegalStateException("a link leads nowhere");
        }
        path.add(new Step(draft, rest, link));
    }

    /** Stores what is new and returns the root. */
    ShardRef commit() {
        Shards.Made made = new Shards.Made();
        Deque<Draft> open = new ArrayDeque<>();
        open.push(root);
        while (true) {
            Draft unresolved = open.element().nextUnresolved();
            if (unresolved != null) {
                open.push(unresolved);
                continue;
            }
            Draft complete = open.pop();
            ShardRef ref = complete.unchanged();
            if (ref == null) {
                ref = made.add(complete.encode());
            }
            Draft parent = open.peek();
            if (parent == null) {
                shards.store(made);
                return ref;
            }
            parent.resolve(ref);
        }
    }
}
