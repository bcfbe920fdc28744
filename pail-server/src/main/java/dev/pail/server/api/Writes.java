package dev.pail.server.api;

import dev.pail.remote.RemoteBranch;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.PailChange;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.server.http.Caller;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Refusal;
import java.util.Optional;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Makes the changes of requests: each is one ref update. If another writer is faster, a change is made again from the newer version, unless
 * the request names the generation that it follows. Safe for use by several threads.
 */
final class Writes {
    private final Repository repository;

    Writes(Repository repository) {
        this.repository = repository;
    }

    Repository repository() {
        return repository;
    }

    /**
     * Checks that the sender may update a branch, and that the branch is what the request follows: before the body is read.
     *
     * @throws Refusal if not
     */
    Precondition check(Request request, String branch) {
        Caller.of(request).checkWrite(branch);
        Precondition precondition = Precondition.of(request);
        if (precondition.isAbsent()) {
            if (repository.branches().contains(branch)) {
                throw Precondition.present(branch);
            }
        } else {
            precondition.check(repository.snapshot(branch));
        }
        return precondition;
    }

    /** Makes a change in the name of the sender, and answers where the branch stands. */
    void make(
            Request request,
            Response response,
            Callback callback,
            String branch,
            Precondition precondition,
            PailChange<RuntimeException> change) {
        Snapshot now = made(repository.withNote(Caller.of(request).note()), branch, precondition, change);
        RemoteBranch made = new RemoteBranch(branch, now.generation(), now.head());
        JsonReply.sendBranch(request, response, callback, made, Optional.of(now.root()));
    }

    private static Snapshot made(
            Repository repository, String branch, Precondition precondition, PailChange<RuntimeException> change) {
        if (precondition.isAny()) {
            return repository.update(branch, change).after();
        }
        if (!precondition.isAbsent()) {
            return following(repository, branch, precondition, change);
        }
        try {
            return repository.branches().create(branch, change);
        } catch (RepositoryException e) {
            throw e.reason() == RepositoryException.Reason.EXISTS ? Precondition.present(branch) : e;
        }
    }

    private static Snapshot following(
            Repository repository, String branch, Precondition precondition, PailChange<RuntimeException> change) {
        Snapshot seen = repository.snapshot(branch);
        precondition.check(seen);
        try {
            return repository.update(seen, change).after();
        } catch (HeadMovedException e) {
            precondition.check(repository.snapshot(branch));
            throw e;
        }
    }
}
