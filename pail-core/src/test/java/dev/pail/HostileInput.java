package dev.pail;

import dev.pail.ipld.Block;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A hostile input.
 *
 * @param name the row of the threat model that it belongs to, and what it is
 * @param expected what must become of it
 * @param work makes it
 */
record HostileInput(String name, Expected expected, Supplier<? extends Work> work) {
    /** What must become of an input. Nothing may ever end in an error that is not ours. */
    enum Expected {
        /** The first thing that is done with it fails. */
        REFUSED,
        /** As above, for it is no dag-cbor: it cannot be read as anything else, either. */
        MALFORMED,
        /** As above, though it is dag-cbor. */
        NO_SHARD,
        /** It can be opened, but nothing that comes to the bad place goes past it. */
        REFUSED_BELOW,
        /** Everything works. */
        ACCEPTED,
        /** Each thing works, or fails, soon. */
        BOUNDED
    }

    /** An input that was made. */
    interface Work {
        /** The number of blocks. */
        int blocks();

        /** The size of all blocks together in bytes. */
        long size();

        /** How often a block was asked for. */
        long reads();

        void run(HostileSteps steps);
    }

    /** A root that is not dag-cbor. */
    static HostileInput malformed(String name, Supplier<byte[]> root) {
        return pail(name, Expected.MALFORMED, () -> HostilePail.of(root.get(), "a"));
    }

    /** A root that is dag-cbor, but no root shard. */
    static HostileInput noShard(String name, Supplier<byte[]> root) {
        return pail(name, Expected.NO_SHARD, () -> HostilePail.of(root.get(), "a"));
    }

    /** A root shard that is sound. */
    static HostileInput soundRoot(String name, String key, Supplier<byte[]> root) {
        return pail(name, Expected.ACCEPTED, () -> HostilePail.of(root.get(), key));
    }

    /** A bad v0 shard, linked from a sound root. */
    static HostileInput childOfV0(String name, Supplier<byte[]> child) {
        return below(name, "ba", blocks -> {
            Block bad = blocks.shard(child.get());
            blocks.shard(HostileShards.v0(HostileShards.entry("a"), HostileShards.entry("b", bad)));
        });
    }

    /** A bad v1 shard with the prefix {@code b}, linked from a sound root. */
    static HostileInput childOfV1(String name, Supplier<byte[]> child) {
        return below(name, "ba", blocks -> {
            Block bad = blocks.shard(child.get());
            blocks.shard(HostileShards.v1("", HostileShards.entry("a"), HostileShards.entry("b", bad)));
        });
    }

    /**
     * Blocks with something bad below a sound root, which is added last.
     *
     * @param key a key for which one has to pass the bad place
     */
    static HostileInput below(String name, String key, Consumer<HostileBlocks> fill) {
        return pail(name, Expected.REFUSED_BELOW, () -> HostilePail.of(fill, key));
    }

    static HostileInput pail(String name, Expected expected, Supplier<HostilePail> pail) {
        return new HostileInput(name, expected, pail);
    }

    /** A call that must throw an error of ours. */
    static HostileInput refusedCall(String name, Runnable call) {
        return refusedCall(name, PailException.class, 0, call);
    }

    /** @param size of what the call is given, in bytes */
    static HostileInput refusedCall(String name, int size, Runnable call) {
        return refusedCall(name, PailException.class, size, call);
    }

    /** @param documented what the call must throw */
    static HostileInput refusedCall(
            String name, Class<? extends RuntimeException> documented, int size, Runnable call) {
        return new HostileInput(name, Expected.REFUSED, () -> new Call(documented, size, call));
    }

    static HostileInput acceptedCall(String name, Runnable call) {
        return new HostileInput(name, Expected.ACCEPTED, () -> new Call(PailException.class, 0, call));
    }

    static HostileInput boundedCall(String name, Runnable call) {
        return new HostileInput(name, Expected.BOUNDED, () -> new Call(PailException.class, 0, call));
    }

    private record Call(Class<? extends RuntimeException> documented, long size, Runnable call) implements Work {
        @Override
        public int blocks() {
            return 1;
        }

        @Override
        public long reads() {
            return 0;
        }

        @Override
        public void run(HostileSteps steps) {
            steps.step(HostileSteps.CALL, documented, call);
        }
    }
}
