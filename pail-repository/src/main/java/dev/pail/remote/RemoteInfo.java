package dev.pail.remote;

import dev.pail.ShardFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * What a remote says of itself. Immutable.
 *
 * <pre>{@code
 * RemoteInfo info = remote.info();
 * Repository clone = FileRepository.init(folder, info.format());
 * }</pre>
 *
 * @param format of pails that are made there
 * @param current the name of its current branch
 * @param maxBody the most bytes that one push may have
 * @param id the random id of the repository there; empty if it has none, or the server is of version 0.2.0
 */
public record RemoteInfo(ShardFormat format, String current, long maxBody, Optional<String> id) {
    /** @throws IllegalArgumentException if a push may have no bytes */
    public RemoteInfo {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(current, "current");
        Objects.requireNonNull(id, "id");
        if (maxBody < 1) {
            throw new IllegalArgumentException("a push has some bytes, not " + maxBody);
        }
    }
}
