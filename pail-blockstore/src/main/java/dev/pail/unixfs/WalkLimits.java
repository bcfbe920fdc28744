package dev.pail.unixfs;

/**
 * The limits of a {@link FolderWalk}. Rule FS14.
 *
 * <pre>{@code
 * FolderWalk walk = UnixFs.walk(blocks, value, new WalkLimits(100, 10_000, 1 << 20));
 * }</pre>
 *
 * @param depth the maximum number of names in a path
 * @param entries the maximum number of links to follow: to entries, and to shards of folders. A folder with several links to it counts
 *     each time
 * @param nodeBytes the maximum size of the nodes on the path from the root to an entry, in bytes
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
