package dev.pail.repository;

import dev.pail.Pail;
import dev.pail.clock.Head;
import java.util.Objects;
import java.util.Optional;

/**
 * A version that a text names: {@link Repository#resolve}.
 *
 * <pre>{@code
 * Revision before = repository.resolve("main~1"); // also a branch, a tag, a root, or @{2026-11-20}
 * PailDiff diff = before.pail().diff(repository.pail("main"));
 * }</pre>
 *
 * @param text what names it
 * @param head the head that it follows from; none, if it was found by a root that is in no history
 * @param pail the version
 */
public record Revision(String text, Optional<Head> head, Pail pail) {
    public Revision {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(pail, "pail");
    }
}
