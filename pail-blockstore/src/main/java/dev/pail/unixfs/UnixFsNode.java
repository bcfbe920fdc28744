package dev.pail.unixfs;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The description of a file, a folder or a symbolic link in its root block.
 *
 * <pre>{@code
 * UnixFsNode node = UnixFs.node(blocks, value);
 * System.out.println(node.kind() + " " + node.size() + " " + node.mtime().orElse(Instant.EPOCH));
 * }</pre>
 *
 * @param kind the kind of node
 * @param size the size of a file, in bytes; 0 for other kinds
 * @param target the target of a symbolic link, as stored: any text; empty for other kinds
 * @param mode the permissions, from 0 to 07777, if the block has some
 * @param mtime the time of the last modification, if the block has one
 */
public record UnixFsNode(NodeKind kind, long size, String target, OptionalInt mode, Optional<Instant> mtime) {
    public UnixFsNode {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(mtime, "mtime");
    }

    /** A file without mode and mtime. */
    static UnixFsNode file(long size) {
        return new UnixFsNode(NodeKind.FILE, size, "", OptionalInt.empty(), Optional.empty());
    }
}
