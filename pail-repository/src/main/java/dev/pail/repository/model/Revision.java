package dev.pail.repository.model;

import dev.pail.Pail;
import dev.pail.clock.Head;
import java.util.Objects;
import java.util.Optional;

/**
 * A resolved version, with the text that named it: {@link dev.pail.repository.Repository#resolve}.
 *
 * <pre>{@code
 * Revision before = repository.resolve("main~1"); // also a branch, a tag, a root, or @{2026-11-20}
 * PailDiff diff = before.pail().diff(repository.pail("main"));
 * }</pre>
 *
 * @param text the text that named it
 * @param head its head; empty if it was found by a root that is in no history
 * @param pail the version
 */
public record Revision(String text, Optional<Head> head, Pail pail) {
    public Revision {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(pail, "pail");
    }
}
