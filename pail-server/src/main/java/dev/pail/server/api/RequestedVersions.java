package dev.pail.server.api;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MalformedBlockException;
import dev.pail.Pail;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions that parameters name: a branch, a tag or a remote-tracking ref, {@code BRANCH@{N}} or {@code BRANCH@{TIME}}, the events of a
 * head with commas between them, or a root. Other than {@link Repository#resolve} it takes no beginnings of CIDs and looks for no root in
 * a history, which may take long. Safe for use by several threads.
 */
final class RequestedVersions {
    /** The most events of a head in an address. */
    static final int MOST_EVENTS = 64;

    private final Repository repository;
    private final MerkleClock clock;

    RequestedVersions(Repository repository) {
        this.repository = repository;
        this.clock = MerkleClock.open(repository.blocks());
    }

    /** The version that a parameter names; that of {@link Repository#MAIN}, if it is not there. */
    Pail at(Parameters parameters, String name) {
        return pail(parameters.find(name).orElse(Repository.MAIN));
    }

    private Pail pail(String text) {
        if (isName(text)) {
            return repository.resolve(text).pail();
        }
        List<Cid> cids = cids(text);
        if (cids.size() > 1 || isEvent(cids.get(0))) {
            return repository.pailAt(head(cids));
        }
        try {
            return Pail.open(repository.blocks(), cids.get(0));
        } catch (MalformedBlockException e) {
            throw absent("neither an event nor a root: " + cids.get(0), e);
        }
    }

    /** The head of the version that a parameter names. */
    Head headAt(Parameters parameters, String name) {
        String text = parameters.find(name).orElse(Repository.MAIN);
        if (!isName(text)) {
            return head(cids(text));
        }
        return repository.resolveHead(text).orElseThrow(() -> absent("a version without a history: " + text, null));
    }

    private boolean isName(String text) {
        // To list the branches takes as long as the rest of a request for a value.
        return text.equals(Repository.MAIN)
                || text.contains("@{")
                || (RefName.isValid(text)
                        && (repository.branches().contains(text)
                                || repository.tags().head(text).isPresent()))
                || (Tracking.isName(text) && repository.remotes().refs().containsKey(text));
    }

    /** The CIDs of a text, of blocks that are here. */
    private List<Cid> cids(String text) {
        List<Cid> cids = new ArrayList<>();
        for (String each : text.split(",", MOST_EVENTS + 1)) {
            Cid cid = parse(each)
                    .orElseThrow(() -> absent("no such branch, tag, event or root: " + Escapes.brief(text), null));
            if (cids.size() == MOST_EVENTS) {
                throw Refusal.malformed("a head has at most " + MOST_EVENTS + " events here");
            }
            if (!cid.isShardLink() || repository.blocks().get(cid).isEmpty()) {
                throw absent("not in this repository: " + cid, null);
            }
            cids.add(cid);
        }
        return cids;
    }

    private Head head(List<Cid> cids) {
        for (Cid cid : cids) {
            if (!isEvent(cid)) {
                throw absent("no event: " + cid, null);
            }
        }
        // An event may follow another one of the list.
        return clock.merge(Head.of(cids), Head.empty());
    }

    private boolean isEvent(Cid cid) {
        BlockStore blocks = repository.blocks();
        Block block = blocks.require(cid);
        try {
            return Event.fromBlock(block).cid().equals(cid);
        } catch (MalformedBlockException e) {
            return false;
        }
    }

    static Optional<Cid> parse(String text) {
        try {
            return Optional.of(Cid.parse(text));
        } catch (MalformedDataException e) {
            return Optional.empty();
        }
    }

    private static RepositoryException absent(String message, @Nullable Throwable cause) {
        return new RepositoryException(
                RepositoryException.Reason.NO_VERSION, message, "name a branch, a tag, an event or a root", cause);
    }
}
