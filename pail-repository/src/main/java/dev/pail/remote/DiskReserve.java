package dev.pail.remote;

import dev.pail.StoreIOException;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The free space that what arrives leaves on the disk, so that no remote fills it (SY17). For one transfer. */
final class DiskReserve {
    /** The part of the free space that is reserved when a transfer begins, and the most of it, in bytes. */
    private static final int RESERVED_PART = 10;

    private static final long MOST_RESERVED = 1L << 30;

    /** Fewer bytes may use the reserve. */
    private static final long SMALL = 256 << 10;

    private final Supplier<OptionalLong> usable;
    private final long reserve;
    private long arrived;

    /** @param usable the free bytes of the disk, if they are known */
    DiskReserve(Supplier<OptionalLong> usable) {
        this.usable = usable;
        this.reserve = Math.min(MOST_RESERVED, usable.get().orElse(0) / RESERVED_PART);
    }

    /**
     * Takes space for blocks.
     *
     * @throws StoreIOException if they would use the reserve
     */
    void take(long bytes, String address) {
        arrived += bytes;
        OptionalLong free = arrived > SMALL ? usable.get() : OptionalLong.empty();
        if (free.isPresent() && free.getAsLong() - bytes < reserve) {
            throw new StoreIOException(
                    "cannot store what arrives",
                    address,
                    "the disk of this repository has " + free.getAsLong() + " free bytes, and a transfer leaves "
                            + reserve + " of them; the blocks that arrived stay",
                    null);
        }
    }
}
