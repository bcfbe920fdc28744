package dev.pail.unixfs;

/**
 * How far a {@link FolderWalk} goes before it refuses a folder. Rule FS14.
 *
 * <pre>{@code
 * FolderWalk walk = UnixFs.walk(blocks, value, new WalkLimits(100, 10_000, 1 << 20));
 * }</pre>
 *
 * @param depth the most names in a path
 * @param entries the most links that are followed: to entries, and to shards of folders. A folder that many links lead to counts each
 *     time
 * @param nodeBytes the most bytes of nodes on the way from the root to an entry
 */
public record WalkLimits(int depth, long entries, long nodeBytes) {
    /** 1,000 names, 1,000,000 entries, 32 MiB. */
    public static final WalkLimits DEFAULT = new WalkLimits(1000, 1_000_000, 32 << 20);

    public WalkLimits {
        if (depth < 0 || entries < 0 || nodeBytes < 0) {
            throw new IllegalArgumentException("a limit is not negative: " + depth + ", " + entries + ", " + nodeBytes);
        }
    }
}
