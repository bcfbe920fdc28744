package dev.pail.segment;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Blocks that are made one from the other, as the shards of versions are: by putting in, removing or changing an entry. */
final class Lineages {
    private static final int ENTRY = 30;

    private final Random random;
    private final List<List<byte[]>> entries = new ArrayList<>();
    private final List<Cid> last = new ArrayList<>();
    final Map<Cid, Cid> origins = new HashMap<>();

    Lineages(Random random, int count, int size) {
        this.random = random;
        for (int i = 0; i < count; i++) {
            List<byte[]> first = new ArrayList<>();
            for (int n = 0; n < size; n++) {
                first.add(entry());
            }
            entries.add(first);
            last.add(block(first).cid());
        }
    }

    private byte[] entry() {
        byte[] bytes = new byte[ENTRY + random.nextInt(10)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Block block(List<byte[]> from) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("entries: " + from.size()).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        from.forEach(out::writeBytes);
        return Block.of(Cid.DAG_CBOR, out.toByteArray());
    }

    /** The next block of one of the lineages. */
    Block next() {
        int lineage = random.nextInt(entries.size());
        List<byte[]> now = entries.get(lineage);
        int kind = now.isEmpty() ? 0 : random.nextInt(4);
        int at = random.nextInt(now.size() + (kind < 2 ? 1 : 0));
        switch (kind) {
            case 2 -> now.remove(at);
            case 3 -> now.set(at, entry());
            default -> now.add(at, entry());
        }
        Block block = block(now);
        origins.put(block.cid(), last.get(lineage));
        last.set(lineage, block.cid());
        return block;
    }
}
