package dev.pail.walk;

import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.Shards;
import java.util.function.Consumer;

/**
 * A shard where a link leads to it.
 *
 * @param prefix what {@link Shards#load} needs to know of the place
 */
record ShardPlace(ShardRef ref, KeyBytes prefix) {
    Shard load(Shards shards) {
        return shards.load(ref, prefix);
    }

    /**
     * Gives the places that the shard here links to, in order.
     *
     * @param shard what {@link #load} has given
     */
    void forEachLink(Shards shards, Shard shard, Consumer<ShardPlace> action) {
        if (!shard.isLinked()) {
            return;
        }
        for (int entry = 0; entry < shard.count(); entry++) {
            if (shard.hasShard(entry)) {
                KeyBytes key = shard.key(entry);
                // Without a prefix in it, a shard can be long ways down: the sum of all paths would have no bounds.
                KeyBytes next = shards.layout.isPrefixed() ? prefix.append(key) : key;
                action.accept(new ShardPlace(shard.ref(entry), next));
            }
        }
    }
}
