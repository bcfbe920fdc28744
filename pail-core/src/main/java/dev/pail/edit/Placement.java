package dev.pail.edit;

import dev.pail.LimitException;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Layout;
import dev.pail.shard.LayoutV0;
import dev.pail.shard.LayoutV1;

/** Where an entry goes: which shards a put makes and splits. One for each layout. */
sealed interface Placement permits PlacementV0, PlacementV1 {
    /** The one place that finds out which placement a layout has. */
    static Placement of(Layout layout) {
        return layout instanceof LayoutV0 v0 ? new PlacementV0(v0) : new PlacementV1((LayoutV1) layout);
    }

    /** Whether nothing but the keys decides where puts go, so that {@link GatheredPuts} can make them (spec rules V1.2 to V1.4). */
    boolean gathers();

    /**
     * Puts user data into the shard that traversal ended in. A shard link beside it stays. Rule P1.
     *
     * @param shardKey the rest of the key there. No link of the shard is a proper prefix of it
     * @throws LimitException if there is no room
     */
    void place(MutableShard shard, KeyBytes shardKey, Cid data);
}
