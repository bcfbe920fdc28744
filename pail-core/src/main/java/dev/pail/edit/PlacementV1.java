package dev.pail.edit;

import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.LayoutV1;
import dev.pail.shard.ShardValue;
import org.jspecify.annotations.Nullable;

/** In versions 1 and 2, a shard for each character that keys have in common; spec rules V1.2 to V1.5. */
final class PlacementV1 implements Placement {
    private final LayoutV1 layout;

    PlacementV1(LayoutV1 layout) {
        this.layout = layout;
    }

    @Override
    public boolean gathers() {
        return true;
    }

    @Override
    public void place(MutableShard shard, KeyBytes shardKey, Cid data) {
        MutableShard target = shard;
        KeyBytes rest = shardKey;
        for (KeyBytes rival = rival(target, rest); rival != null; rival = rival(target, rest)) {
            MutableShard child = pushDown(target, rival, rest.path(1));
            if (rest.length() > 1) {
                target = child;
                rest = rest.without(1);
            }
        }
        target.set(rest, target.get(rest).withData(data));
    }

    /** The other key of a shard that starts with the same character, if the key itself is not there. */
    private static @Nullable KeyBytes rival(MutableShard shard, KeyBytes shardKey) {
        if (shardKey.isEmpty() || !shard.get(shardKey).isNothing()) {
            return null;
        }
        KeyBytes below = shard.below(shardKey);
        if (below != null && !below.isEmpty() && below.first() == shardKey.first()) {
            return below;
        }
        KeyBytes above = shard.above(shardKey);
        return above != null && above.first() == shardKey.first() ? above : null;
    }

    /** Moves a key, but for its first character, to a new shard under that character. Rule V1.4. */
    private MutableShard pushDown(MutableShard shard, KeyBytes shardKey, KeyBytes prefix) {
        KeyBytes character = shardKey.prefix(1);
        ShardValue value = shard.get(shardKey);
        MutableShard child = MutableShard.empty(layout, prefix);
        if (shardKey.length() == 1) {
            shard.set(character, value.withShard(child));
        } else {
            child.set(shardKey.without(1), value);
            shard.set(shardKey, ShardValue.NOTHING);
            shard.set(character, ShardValue.NOTHING.withShard(child));
        }
        return child;
    }
}
