package dev.pail.repository.model;

import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The blocks that an erasure removes: {@link dev.pail.repository.Erasing#plan}. Immutable.
 *
 * <pre>{@code
 * repository.maintenance().erasing().plan(List.of(value)).blocks().forEach(System.out::println);
 * }</pre>
 *
 * @param values the erased value of each block, by the raw CID of the block, in the order in which the value leads to them
 * @param shared the blocks below the values that stay, since another value leads to them
 * @param bytes the size of the removed blocks that are here, in bytes
 * @param unreferenced the values that no version has
 */
public record ErasurePlan(Map<Cid, Cid> values, List<Cid> shared, long bytes, List<Cid> unreferenced) {
    public ErasurePlan {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        shared = List.copyOf(shared);
        unreferenced = List.copyOf(unreferenced);
    }

    /** Returns the raw CIDs of the removed blocks, each value before what is below it. */
    public List<Cid> blocks() {
        return new ArrayList<>(values.keySet());
    }
}
