package dev.pail.s3;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads packs: an index whole, and blocks in chunks, since blocks that were put together are read together. A pack that is no larger than a
 * chunk takes one request. Both are cached. Safe for use by several threads.
 */
final class Packs {
    /** How many bytes are read together, from a multiple of this on. */
    static final int CHUNK = 128 << 10;

    /** How many chunks one request reads at most. */
    private static final int MOST_CHUNKS = 32;

    private static final long MOST_CHUNK_BYTES = 16 << 20;
    private static final int CHUNK_OVERHEAD = 300;

    /** Where a block is. */
    private record Place(PackIndex index, PackIndex.Entry entry) {}

    private record ChunkKey(String pack, int number) {}

    /** A pack that a state names is not there. */
    static final class MissingPackException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final String pack;

        MissingPackException(String pack) {
            super(pack);
            this.pack = pack;
        }

        String pack() {
            return pack;
        }
    }

    private final Bucket bucket;
    private final Fetches fetches;

    private final Cache<String, PackIndex> indexes = Caffeine.newBuilder()
            .maximumWeight(Runtime.getRuntime().maxMemory() / 8)
            .executor(Runnable::run)
            .weigher((String name, PackIndex index) -> index.weight())
            .build();

    private final Cache<ChunkKey, byte[]> chunks = Caffeine.newBuilder()
            .maximumWeight(MOST_CHUNK_BYTES)
            .executor(Runnable::run)
            .weigher((ChunkKey key, byte[] bytes) -> CHUNK_OVERHEAD + bytes.length)
            .build();

    /** The packs of the state that was asked for last, in the order in which they are looked through. */
    private volatile Looked looked = new Looked(State.EMPTY, List.of());

    private record Looked(State state, List<Pack> packs) {}

    Packs(Bucket bucket, Fetches fetches) {
        this.bucket = bucket;
        this.fetches = fetches;
    }

    private String where(Pack pack) {
        return bucket.where(Keys.pack(pack.name()));
    }

    /** The index of a pack. */
    PackIndex index(Pack pack) {
        PackIndex known = indexes.getIfPresent(pack.name());
        if (known == null) {
            known = read(pack);
            indexes.put(pack.name(), known);
        }
        return known;
    }

    /**
     * The index of a pack that must be there.
     *
     * @throws PailException if the pack is missing
     */
    PackIndex needed(Pack pack) {
        try {
            return index(pack);
        } catch (MissingPackException e) {
            throw missing(e);
        }
    }

    private PackIndex read(Pack pack) {
        try {
            return decoded(pack, indexBytes(pack));
        } catch (CorruptBlockException | MalformedDataException e) {
            // An answer may have been cut short.
            forget(pack);
        }
        try {
            return decoded(pack, indexBytes(pack));
        } catch (CorruptBlockException | MalformedDataException e) {
            throw Frame.damaged("the index of a pack is damaged: " + where(pack) + ": " + e.getMessage(), e);
        }
    }

    private static PackIndex decoded(Pack pack, byte[] bytes) {
        return PackFile.index(pack, Block.verified(pack.checksum(), bytes).bytes());
    }

    /** Forgets what is cached of a pack. */
    void forget(Pack pack) {
        indexes.invalidate(pack.name());
        chunks.asMap().keySet().removeIf(key -> key.pack.equals(pack.name()));
    }

    private byte[] indexBytes(Pack pack) {
        int length = (int) (pack.size() - pack.index());
        if (pack.size() <= CHUNK) {
            return part(pack, pack.index(), length, chunks(pack, new TreeSet<>(List.of(0))));
        }
        return bucket.get(Keys.pack(pack.name()), pack.index(), length)
                .orElseThrow(() -> new MissingPackException(pack.name()));
    }

    /** The indexes of packs, in their order; null for those that are missing. Requests are sent at once. */
    private List<@Nullable PackIndex> indexes(List<Pack> packs) {
        List<Supplier<@Nullable PackIndex>> requests = new ArrayList<>();
        for (Pack pack : packs) {
            requests.add(() -> {
                try {
                    return index(pack);
                } catch (MissingPackException e) {
                    return null;
                }
            });
        }
        return fetches.all(requests);
    }

    /**
     * Looks for blocks.
     *
     * @param packs in this order
     * @param raw the raw CIDs of blocks; those that are found are taken out
     * @throws MissingPackException if a pack is missing in which others of them may be
     */
    private Map<Cid, Place> locate(List<Pack> packs, Collection<Cid> raw) {
        Map<Cid, Place> places = new LinkedHashMap<>();
        String missing = null;
        for (int from = 0; from < packs.size() && !raw.isEmpty(); ) {
            PackIndex known = indexes.getIfPresent(packs.get(from).name());
            if (known != null) {
                take(known, raw, places);
                from++;
                continue;
            }
            List<Pack> some = packs.subList(from, Math.min(packs.size(), from + Fetches.AT_ONCE));
            List<@Nullable PackIndex> found = indexes(some);
            for (int i = 0; i < some.size(); i++) {
                PackIndex index = found.get(i);
                if (index == null) {
                    missing = some.get(i).name();
                } else {
                    take(index, raw, places);
                }
            }
            from += some.size();
        }
        if (missing != null && !raw.isEmpty()) {
            throw new MissingPackException(missing);
        }
        return places;
    }

    private static void take(PackIndex index, Collection<Cid> raw, Map<Cid, Place> places) {
        raw.removeIf(each -> {
            PackIndex.Entry entry = index.find(each);
            if (entry != null) {
                places.put(each, new Place(index, entry));
            }
            return entry != null;
        });
    }

    @SuppressWarnings("ReferenceEquality") // An equal state would do, too, but takes long to compare.
    private List<Pack> inOrder(State state) {
        Looked last = looked;
        if (last.state != state) {
            last = new Looked(state, state.inOrder());
            looked = last;
        }
        return last.packs;
    }

    /** Whether a pack has a block, also in the trash. */
    boolean has(State state, Cid cid) {
        return !locate(inOrder(state), new ArrayList<>(List.of(cid.raw()))).isEmpty();
    }

    /** Reads blocks that are there, also in the trash. */
    Map<Cid, Block> find(State state, Collection<Cid> cids) {
        List<Cid> raw =
                new ArrayList<>(new TreeSet<>(cids.stream().map(Cid::raw).toList()));
        Map<Cid, Place> places = locate(inOrder(state), raw);
        Map<String, List<Place>> byPack = new TreeMap<>();
        places.values()
                .forEach(place -> byPack.computeIfAbsent(place.index.pack().name(), any -> new ArrayList<>())
                        .add(place));
        Map<Cid, Block> found = new LinkedHashMap<>();
        byPack.values().forEach(some -> found.putAll(read(some.get(0).index, entries(some))));
        Map<Cid, Block> named = new LinkedHashMap<>();
        for (Cid cid : cids) {
            Block block = found.get(cid.raw());
            if (block != null) {
                named.put(cid, named(cid, block));
            }
        }
        return named;
    }

    private static List<PackIndex.Entry> entries(List<Place> places) {
        return places.stream().map(Place::entry).toList();
    }

    private static Block named(Cid cid, Block block) {
        return block.cid().equals(cid) ? block : Block.verified(cid, block.bytes());
    }

    /** Reads blocks of a pack, by the raw CIDs of their multihashes. Each is verified. */
    Map<Cid, Block> read(PackIndex index, List<PackIndex.Entry> entries) {
        Pack pack = index.pack();
        TreeSet<Integer> numbers = new TreeSet<>();
        for (PackIndex.Entry each : entries) {
            long end = each.from() + index.length(each) - 1;
            for (long number = each.from() / CHUNK; number <= end / CHUNK; number++) {
                numbers.add((int) number);
            }
        }
        Map<Integer, byte[]> read = chunks(pack, numbers);
        Map<Cid, Block> blocks = new LinkedHashMap<>();
        for (PackIndex.Entry each : entries) {
            blocks.put(each.raw(), block(index, each, read));
        }
        return blocks;
    }

    private Block block(PackIndex index, PackIndex.Entry entry, Map<Integer, byte[]> read) {
        Pack pack = index.pack();
        int length = index.length(entry);
        try {
            return verified(entry, part(pack, entry.from(), length, read));
        } catch (CorruptBlockException | MalformedDataException e) {
            // An answer may have been wrong.
            forget(pack);
        }
        byte[] again = bucket.get(Keys.pack(pack.name()), entry.from(), length)
                .orElseThrow(() -> new MissingPackException(pack.name()));
        try {
            return verified(entry, again);
        } catch (MalformedDataException e) {
            throw new CorruptBlockException(entry.raw(), e.getMessage() + " in " + where(pack));
        }
    }

    private static Block verified(PackIndex.Entry entry, byte[] section) {
        byte[] content = PackFile.content(entry.raw(), section);
        return Block.verified(PackFile.name(section), content);
    }

    private static byte[] part(Pack pack, long from, int length, Map<Integer, byte[]> read) {
        byte[] part = new byte[length];
        for (int at = 0; at < length; ) {
            byte[] chunk = read.get((int) ((from + at) / CHUNK));
            int begin = (int) ((from + at) % CHUNK);
            if (chunk == null || begin >= chunk.length) {
                throw new MalformedDataException(at, "a pack that ends early: " + Keys.pack(pack.name()));
            }
            int some = Math.min(length - at, chunk.length - begin);
            System.arraycopy(chunk, begin, part, at, some);
            at += some;
        }
        return part;
    }

    /** Chunks of a pack by their numbers. Those side by side are read by one request. */
    private Map<Integer, byte[]> chunks(Pack pack, SortedSet<Integer> numbers) {
        Map<Integer, byte[]> found = new TreeMap<>();
        List<Supplier<Map<Integer, byte[]>>> requests = new ArrayList<>();
        int first = -1;
        int end = -1;
        for (int number : numbers) {
            byte[] known = chunks.getIfPresent(new ChunkKey(pack.name(), number));
            if (known != null) {
                found.put(number, known);
                continue;
            }
            if (number != end || end - first == MOST_CHUNKS) {
                if (first >= 0) {
                    requests.add(request(pack, first, end));
                }
                first = number;
            }
            end = number + 1;
        }
        if (first >= 0) {
            requests.add(request(pack, first, end));
        }
        if (!requests.isEmpty()) {
            fetches.all(requests).forEach(found::putAll);
        }
        return found;
    }

    private Supplier<Map<Integer, byte[]>> request(Pack pack, int first, int end) {
        return () -> {
            long from = (long) first * CHUNK;
            int length = (int) (Math.min((long) end * CHUNK, pack.size()) - from);
            byte[] bytes = bucket.get(Keys.pack(pack.name()), from, length)
                    .orElseThrow(() -> new MissingPackException(pack.name()));
            Map<Integer, byte[]> read = new TreeMap<>();
            for (int number = first; number < end; number++) {
                int at = (number - first) * CHUNK;
                if (at < bytes.length) {
                    byte[] chunk = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + CHUNK));
                    chunks.put(new ChunkKey(pack.name(), number), chunk);
                    read.put(number, chunk);
                }
            }
            return read;
        };
    }

    /** All blocks of a pack, read anew by one request, in their order. */
    List<Block> all(Pack pack) {
        byte[] bytes = bucket.get(Keys.pack(pack.name())).orElseThrow(() -> new MissingPackException(pack.name()));
        PackIndex index = index(pack);
        List<Block> blocks = new ArrayList<>();
        for (PackIndex.Entry each : index.inOrder()) {
            blocks.add(section(bytes, index, each)
                    .orElseGet(() -> read(index, List.of(each)).get(each.raw())));
        }
        return blocks;
    }

    private static Optional<Block> section(byte[] bytes, PackIndex index, PackIndex.Entry entry) {
        int from = (int) entry.from();
        try {
            return from + index.length(entry) > bytes.length
                    ? Optional.empty()
                    : Optional.of(verified(entry, Arrays.copyOfRange(bytes, from, from + index.length(entry))));
        } catch (CorruptBlockException | MalformedDataException e) {
            return Optional.empty();
        }
    }

    /** What to say of a missing pack that is needed. */
    PailException missing(MissingPackException e) {
        return Frame.damaged("a pack is missing: " + bucket.where(Keys.pack(e.pack())), null);
    }
}
