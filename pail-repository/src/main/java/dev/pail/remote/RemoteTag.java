package dev.pail.remote;

import dev.pail.clock.Head;
import dev.pail.repository.model.RefToken;
import java.util.Objects;

/**
 * A tag of a remote at the time of the answer. Immutable.
 *
 * <pre>{@code
 * for (RemoteTag tag : remote.tags()) {
 *     System.out.println(tag.name() + " names " + tag.head());
 * }
 * }</pre>
 *
 * @param name the name of the tag on the remote
 * @param head the head that it names; not empty
 */
public record RemoteTag(String name, Head head) {
    /** @throws IllegalArgumentException if the head is empty */
    public RemoteTag {
        Objects.requireNonNull(name, "name");
        if (head.isEmpty()) {
            throw new IllegalArgumentException("a tag names an event");
        }
    }

    /** Returns the token by which a request names this tag with this head: a tag has no generation, so it begins with 0. */
    public RefToken token() {
        return RefToken.of(name, 0, head);
    }
}
