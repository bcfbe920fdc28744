package dev.pail.spark;

import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task returns: the root of the pail of its keys, with its spine, or a key that it refused. A plain class of arrays, as Kryo does
 * not read records.
 */
final class BuiltPart implements Serializable {
    private static final long serialVersionUID = 1;

    private final @Nullable String refused;
    private final byte[] root;

    /** Blocks; their CIDs follow from their bytes. */
    private final byte[][] spine;

    private BuiltPart(@Nullable String refused, byte[] root, byte[][] spine) {
        this.refused = refused;
        this.root = root;
        this.spine = spine;
    }

    static BuiltPart of(Pail pail) {
        List<byte[]> spine = PartBuilder.spine(pail);
        return new BuiltPart(null, pail.root().toBytes(), spine.toArray(byte[][]::new));
    }

    /** As data and not as an exception: Spark would run the task again, and its exception has no type that a caller could catch. */
    static BuiltPart refused(String key) {
        return new BuiltPart(key, new byte[0], new byte[0][]);
    }

    /** The key that ended the task; null if there is none. */
    @Nullable
    String refused() {
        return refused;
    }

    /** The pail, with no more than its spine. */
    Pail pail() {
        Chunk blocks = new Chunk();
        for (byte[] block : spine) {
            blocks.put(Block.of(Cid.DAG_CBOR, block));
        }
        return Pail.open(blocks, Cid.fromBytes(root));
    }
}
