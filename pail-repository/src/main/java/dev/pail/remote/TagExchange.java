package dev.pail.remote;

import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The part of an {@link Exchange} that is about tags. */
final class TagExchange {
    private final Repository repository;
    private final String name;
    private final Remote remote;
    private final Runnable progress;
    private final Function<String, FetchResult> fetching;

    /**
     * @param name the local name of the remote
     * @param fetching fetches a branch
     */
    TagExchange(
            Repository repository,
            String name,
            Remote remote,
            Runnable progress,
            Function<String, FetchResult> fetching) {
        this.repository = repository;
        this.name = name;
        this.remote = remote;
        this.progress = progress;
        this.fetching = fetching;
    }

    /** As {@link Exchange#fetchTags}. */
    List<FetchedTag> fetch() {
        return remote.tags().stream()
                .map(tag -> new FetchedTag(tag, taken(tag)))
                .toList();
    }

    /** As {@link Exchange#fetchAllTags}. */
    List<FetchedTag> fetchAll() {
        return fetch().stream()
                .map(fetched -> fetched.outcome() == FetchedTag.Outcome.NOT_HERE
                        ? new FetchedTag(fetched.tag(), takenWithVersion(fetched.tag()))
                        : fetched)
                .toList();
    }

    /** Fetches the version of a tag as that of a branch, and needs no ref to it when the tag is here. */
    private FetchedTag.Outcome takenWithVersion(RemoteTag tag) {
        try {
            String ref = fetching.apply(tag.name()).ref();
            FetchedTag.Outcome outcome = taken(tag);
            repository.remotes().untrack(ref);
            return outcome;
        } catch (RemoteException e) {
            if (e.reason() == RemoteException.Reason.NO_BRANCH) {
                // It was removed meanwhile.
                return FetchedTag.Outcome.NOT_HERE;
            }
            throw e;
        }
    }

    private FetchedTag.Outcome taken(RemoteTag tag) {
        if (!RefName.isValid(tag.name())) {
            return FetchedTag.Outcome.LEFT;
        }
        Optional<Head> here = repository.tags().head(tag.name());
        if (here.isPresent()) {
            return here.get().equals(tag.head()) ? FetchedTag.Outcome.UNCHANGED : FetchedTag.Outcome.LEFT;
        }
        if (!tag.head().events().stream().allMatch(repository.blocks()::has)) {
            return FetchedTag.Outcome.NOT_HERE;
        }
        try {
            repository.tags().create(tag.name(), tag.head());
            return FetchedTag.Outcome.CREATED;
        } catch (MissingBlockException e) {
            // A part of the version is here, as after a fetch that broke off.
            return FetchedTag.Outcome.NOT_HERE;
        } catch (RepositoryException e) {
            if (e.reason() == RepositoryException.Reason.EXISTS || e.reason() == RepositoryException.Reason.NAME) {
                return FetchedTag.Outcome.LEFT;
            }
            throw e;
        }
    }

    /** As {@link Exchange#pushTag}. */
    boolean push(String tag) {
        Head head = repository
                .tags()
                .head(tag)
                .orElseThrow(() -> new RepositoryException(
                        RepositoryException.Reason.NO_TAG,
                        "no such tag: " + Escapes.brief(tag),
                        "there are: " + String.join(", ", repository.tags().names()),
                        null));
        RemoteTag pushed = new RemoteTag(tag, head);
        MerkleClock clock = MerkleClock.open(repository.blocks());
        Head known = Head.empty();
        for (String ref : repository.refs().trackings()) {
            Optional<Tracking> seen =
                    ref.startsWith(name + "/") ? repository.refs().tracking(ref) : Optional.empty();
            known = clock.merge(known, seen.map(Tracking::head).orElse(Head.empty()));
        }
        try {
            return push(pushed, known);
        } catch (MissingBlockException e) {
            if (known.isEmpty() || !repository.blocks().has(e.cid())) {
                throw e;
            }
            // The remote has lost what it had (SY7).
            return push(pushed, Head.empty());
        }
    }

    private boolean push(RemoteTag tag, Head known) {
        new Sending(repository, remote, progress).sendBlocks(tag, known);
        return remote.pushTag(tag);
    }
}
