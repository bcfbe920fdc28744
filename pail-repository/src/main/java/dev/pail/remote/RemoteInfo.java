package dev.pail.remote;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.repository.spi.RefStore;
import java.util.List;
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
 * @param needs the words for what readers of the repository there must understand: {@link dev.pail.repository.model.Need#word}
 * @param id the random id of the repository there; empty if it has none, or the server is of version 0.2.0
 */
public record RemoteInfo(ShardFormat format, String current, long maxBody, List<String> needs, Optional<String> id) {
    /** @throws IllegalArgumentException if a push may have no bytes */
    public RemoteInfo {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(current, "current");
        Objects.requireNonNull(id, "id");
        needs = List.copyOf(needs);
        if (maxBody < 1) {
            throw new IllegalArgumentException("a push has some bytes, not " + maxBody);
        }
    }

    /** Returns what a repository says of itself as a remote. */
    public static RemoteInfo of(Repository repository, long maxBody) {
        RefStore refs = repository.refs();
        return new RemoteInfo(
                repository.format(),
                refs.current(),
                maxBody,
                Need.list(Need.ofEvents(refs.needs())),
                refs.repositoryId());
    }
}
