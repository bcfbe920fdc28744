package dev.pail.unixfs;

/**
 * The kinds of nodes.
 *
 * <pre>{@code
 * boolean isFolder = UnixFs.node(blocks, value).kind() == NodeKind.FOLDER;
 * }</pre>
 */
public enum NodeKind {
    /** Bytes. */
    FILE,
    /** Names that lead to nodes; in one block, or sharded. */
    FOLDER,
    /** A symbolic link: a path that leads elsewhere. */
    LINK
}
