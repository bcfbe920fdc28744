package dev.pail.unixfs;

import dev.pail.ipld.Block;

/**
 * The layout of a file: the size of every chunk but the last, and the maximum number of nodes or chunks that a node links to. The CID
 * of a file depends on both. Chunks are raw blocks, the tree is balanced, and CIDs have version 1.
 *
 * <pre>{@code
 * Cid file = UnixFs.write(blocks, Files.newInputStream(folder.resolve("a.txt")), FileLayout.KIBI_256);
 * }</pre>
 *
 * @param chunkSize in bytes, from 1 to 8 MiB
 * @param links from 2 to 8,192
 */
public record FileLayout(int chunkSize, int links) {
    /** The profile {@code unixfs-v1-2025} of IPIP-499: chunks of 1 MiB, 1,024 links a node. */
    public static final FileLayout V1_2025 = new FileLayout(1 << 20, 1024);

    /**
     * Chunks of 256 KiB, 174 links a node: the layout of {@code ipfs add --cid-version 1} in Kubo up to version 0.39. IPIP-499 names the
     * same sizes {@code unixfs-v0-2015}, but that profile has CIDs of version 0 and chunks within dag-pb, so its CIDs differ.
     */
    public static final FileLayout KIBI_256 = new FileLayout(256 << 10, 174);

    private static final int MOST_LINKS = 8192;

    public FileLayout {
        if (chunkSize < 1 || chunkSize > Block.MAX_SIZE) {
            throw new IllegalArgumentException("a chunk has 1 to " + Block.MAX_SIZE + " bytes, not " + chunkSize);
        }
        if (links < 2 || links > MOST_LINKS) {
            throw new IllegalArgumentException("a node has 2 to " + MOST_LINKS + " links, not " + links);
        }
    }
}
