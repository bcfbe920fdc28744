package dev.pail.remote;

import dev.pail.clock.Head;
import dev.pail.repository.model.RefToken;
import java.util.Objects;
import java.util.Optional;

/**
 * A request to move a remote branch to a head (SY6). Immutable.
 *
 * <pre>{@code
 * Snapshot snapshot = repository.snapshot("main");
 * Optional<RefToken> seen = Optional.of(snapshot.token());
 * PushRequest request = new PushRequest("main", snapshot.head(), seen, PushMode.FAST_FORWARD);
 * }</pre>
 *
 * @param branch its name there
 * @param head the new head
 * @param expected names the current state of the branch; empty if it is absent or has no events
 * @param mode what the push may do
 */
public record PushRequest(String branch, Head head, Optional<RefToken> expected, PushMode mode) {
    /** @throws IllegalArgumentException if the head is empty */
    public PushRequest {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(expected, "expected");
        Objects.requireNonNull(mode, "mode");
        if (head.isEmpty()) {
            throw new IllegalArgumentException("a push moves a branch to an event");
        }
    }
}
