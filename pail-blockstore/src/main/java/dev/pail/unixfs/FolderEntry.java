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
 * @param path the names from the root to the entry, joined by {@code /}. No name is empty, {@code .} or {@code ..}, or has a slash or a
 *     NUL; names may have any other characters
 * @param cid the root block
 * @param node the description in the root block
 */
public record FolderEntry(String path, Cid cid, UnixFsNode node) {
    public FolderEntry {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(cid, "cid");
        Objects.requireNonNull(node, "node");
    }
}
