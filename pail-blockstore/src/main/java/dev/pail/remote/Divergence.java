package dev.pail.remote;

import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.repository.Repository;

/** Why a push of one head cannot follow another. Both heads are here. */
record Divergence(Repository repository, Head pushed, Head there) {
    /** Whether the shards of the two versions have different formats. An empty branch takes any. See SY6. */
    boolean isOfFormats() {
        return !there.isEmpty() && !format(pushed).equals(format(there));
    }

    private String format(Head head) {
        return repository.pailAt(head).format().name();
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
        if (MerkleClock.open(repository.blocks()).common(pushed, there).isEmpty()) {
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
