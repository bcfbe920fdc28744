package dev.pail.remote;

import dev.pail.repository.Repository;
import dev.pail.testkit.remote.RemoteContract;

/** A repository of this process as a remote. */
class RepositoryRemoteTest extends RemoteContract {
    @Override
    protected Remote open(Repository repository) {
        return RepositoryRemote.of(repository, "there");
    }
}
