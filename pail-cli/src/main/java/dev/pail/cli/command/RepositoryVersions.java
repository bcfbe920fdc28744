package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.text.Values;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a repository.
 *
 * @param repository is closed with this
 * @param branch the branch to work on
 * @param at names the version asked for, if it is not the one that the branch stands at
 */
public record RepositoryVersions(
        Repository repository, String branch, @Nullable String at) implements Versions {
    private static final String HEAD = "HEAD";

    /** What a text names, with that text; {@code @{N}} and {@code HEAD} are of the branch to work on. */
    public static Revision resolve(Repository repository, String branch, String text) {
        Revision found = named(repository, branch, text, repository::resolve);
        return new Revision(text, found.head(), found.pail());
    }

    /** What a text names; without a text, the newest version of the branch to work on. */
    public static Revision resolveOrNewest(Repository repository, String branch, @Nullable String text) {
        return resolve(repository, branch, text == null ? branch + "@{0}" : text);
    }

    private static <T> T named(Repository repository, String branch, String text, Function<String, T> find) {
        String name = Values.alone(text);
        try {
            return find.apply(ofBranch(repository, branch, name));
        } catch (RepositoryException e) {
            String hint = Values.hint(text);
            boolean isForm = hint != null
                    && (e.reason() == RepositoryException.Reason.NAME
                            || e.reason() == RepositoryException.Reason.NO_VERSION);
            throw isForm ? new Failure.Found(Exit.USAGE, "no-such-version", Failure.message(e), hint) : e;
        }
    }

    private static String ofBranch(Repository repository, String branch, String name) {
        if (name.startsWith("@")) {
            return branch + name;
        }
        boolean isHead = name.startsWith(HEAD)
                && (name.length() == HEAD.length() || "@~".indexOf(name.charAt(HEAD.length())) >= 0)
                && !repository.branches().contains(HEAD)
                && repository.tags().head(HEAD).isEmpty();
        return isHead ? branch + name.substring(HEAD.length()) : name;
    }

    @Override
    public BlockStore blocks() {
        return repository.blocks();
    }

    @Override
    public Cid root() {
        return at == null ? repository.root(branch) : find(at).pail().root();
    }

    @Override
    public Pail pail() {
        return revision().pail();
    }

    @Override
    public Revision revision() {
        if (at != null) {
            return find(at);
        }
        Snapshot now = repository.snapshot(branch);
        return new Revision(branch, Optional.of(now.head()), now.pail());
    }

    @Override
    public Revision find(String text) {
        return resolve(repository, branch, text);
    }

    @Override
    public Optional<Head> head() {
        return at == null ? Optional.of(repository.head(branch)) : headOf(at);
    }

    @Override
    public Optional<Head> headOf(String text) {
        return named(repository, branch, text, repository::resolveHead);
    }

    @Override
    public OptionalLong openConflicts() {
        try {
            return head().map(repository.conflicts()::count).stream()
                    .mapToLong(Long::longValue)
                    .findFirst();
        } catch (MissingBlockException e) {
            // Of a copy that lacks old events, no one can tell.
            return OptionalLong.empty();
        }
    }

    @Override
    public Pail pailAt(Head head) {
        return repository.maintenance().recompute(head);
    }

    @Override
    public Stream<HistoryEntry> history(Head head, @Nullable Predicate<String> keys) {
        return keys == null
                ? repository.history().of(head)
                : repository.history().of(head, keys);
    }

    @Override
    public void close() {
        repository.close();
    }
}
