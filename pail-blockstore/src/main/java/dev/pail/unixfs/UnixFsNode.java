package dev.pail.unixfs;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the root block of a file, a folder or a symbolic link says of it.
 *
 * <pre>{@code
 * UnixFsNode node = UnixFs.node(blocks, value);
 * System.out.println(node.kind() + " " + node.size() + " " + node.mtime().orElse(Instant.EPOCH));
 * }</pre>
 *
 * @param kind what it is
 * @param size the bytes of a file; 0 for others
 * @param target the target of a symbolic link, as it is stored: any text; empty for others
 * @param mode the permissions, from 0 to 07777, if the block has some
 * @param mtime when it was last modified, if the block says so
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
