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
 * @param name not empty, {@code .} or {@code ..}, and without a slash or a NUL; apart from that it may have any characters
 * @param cid the root block of what it leads to
 */
public record FolderLink(String name, Cid cid) {
    public FolderLink {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(cid, "cid");
    }
}
