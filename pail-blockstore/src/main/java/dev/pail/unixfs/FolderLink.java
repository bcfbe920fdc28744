package dev.pail.unixfs;

import dev.pail.ipld.Cid;
import java.util.Objects;

/**
 * An entry of a folder that was not read: {@link UnixFs#links}.
 *
 * <pre>{@code
 * Iterator<FolderLink> links = UnixFs.links(blocks, value, Optional.empty(), WalkLimits.DEFAULT);
 * while (links.hasNext()) {
 *     System.out.println(links.next().name());
 * }
 * }</pre>
 *
 * @param name not empty, {@code .} or {@code ..}, and without a slash or a NUL; it may have any other characters
 * @param cid the root block of the entry
 */
public record FolderLink(String name, Cid cid) {
    public FolderLink {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(cid, "cid");
    }
}
