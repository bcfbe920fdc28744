package dev.pail.unixfs;

import dev.pail.ipld.Cid;
import java.util.Objects;

/**
 * A file, a folder or a symbolic link below a folder.
 *
 * <pre>{@code
 * FolderEntry entry = UnixFs.walk(blocks, value).next();
 * if (entry.node().kind() == NodeKind.FILE) {
 *     UnixFs.open(blocks, entry.cid()).transferTo(System.out);
 * }
 * }</pre>
 *
 * @param path the names on the way from the root, joined by {@code /}. None is empty, {@code .} or {@code ..}, or has a slash or a NUL;
 *     apart from that they may have any characters
 * @param cid the root block
 * @param node what the root block says
 */
public record FolderEntry(String path, Cid cid, UnixFsNode node) {
    public FolderEntry {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(cid, "cid");
        Objects.requireNonNull(node, "node");
    }
}
