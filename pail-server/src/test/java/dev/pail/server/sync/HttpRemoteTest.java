package dev.pail.server.sync;

import dev.pail.remote.HttpRemote;
import dev.pail.remote.Remote;
import dev.pail.repository.Repository;
import dev.pail.server.PailServer;
import dev.pail.testkit.remote.RemoteContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** A server as a remote. */
class HttpRemoteTest extends RemoteContract {
    private final List<PailServer> servers = new ArrayList<>();

    @Override
    protected synchronized Remote open(Repository repository) {
        PailServer server = PailServer.over(repository).start();
        servers.add(server);
        return HttpRemote.open("http://127.0.0.1:" + server.address().getPort(), Optional.empty());
    }

    @AfterEach
    void stop() {
        servers.forEach(PailServer::close);
    }
}
