package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import java.util.stream.Collectors;

/** Why a push of one head cannot follow another. The blocks have both. */
record Divergence(BlockStore blocks, Head pushed, Head there) {
    /** Whether the shards of the two versions have different formats. An empty branch takes any. See SY6. */
    boolean isOfFormats() {
        return !there.isEmpty() && !format(pushed).equals(format(there));
    }

    private String format(Head head) {
        return head.events().stream()
                .map(event -> Event.fromBlock(blocks.require(event)).root())
                .map(root -> Pail.open(blocks, root).format().name())
                .distinct()
                .sorted()
                .collect(Collectors.joining(" and "));
    }

    /** @param branch where the other head is */
    RemoteException refusal(String branch) {
        if (isOfFormats()) {
            return new RemoteException(
                    RemoteException.Reason.FORMAT,
                    branch + " has the shard format " + format(there) + ", and the version here " + format(pushed),
                    "push with CONVERT if all its readers know the format",
                    null);
        }
        if (MerkleClock.open(blocks).common(pushed, there).isEmpty()) {
            return new RemoteException(
                    RemoteException.Reason.UNRELATED,
                    branch + " has another history, which began apart from the one here",
                    "force the push, or merge the histories here first",
                    null);
        }
        return new RemoteException(
                RemoteException.Reason.NOT_FAST_FORWARD,
                branch + " has changes that are not here",
                "pull, and push again; or let the remote merge",
                null);
    }
}
