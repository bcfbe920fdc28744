package dev.pail.cli.command;

import dev.pail.repository.Repository;
import dev.pail.repository.model.RefName;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A range {@code A..B}: what B has and A does not.
 *
 * @param from A; null for the current version
 * @param to B; null for the current version
 */
public record RevisionRange(@Nullable String from, @Nullable String to) {
    private static final String BETWEEN = "..";

    /**
     * The range that a text names; empty if it names one revision.
     *
     * @param repository its branches and tags may have points in their names; null if there are none
     */
    public static Optional<RevisionRange> of(@Nullable Repository repository, String text) {
        int at = text.indexOf(BETWEEN);
        return at < 0 || isName(repository, text)
                ? Optional.empty()
                : Optional.of(
                        new RevisionRange(side(text.substring(0, at)), side(text.substring(at + BETWEEN.length()))));
    }

    private static @Nullable String side(String revision) {
        return revision.isBlank() ? null : revision;
    }

    private static boolean isName(@Nullable Repository repository, String text) {
        return repository != null
                && RefName.isValid(text)
                && (repository.branches().contains(text)
                        || repository.tags().head(text).isPresent());
    }
}
