package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import dev.pail.testkit.remote.CuttingProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A peer or the server is killed by {@code kill -9} at any byte of an exchange. Nothing is lost, and the next exchange resumes. */
@Tag("stress")
class KilledPeersTest {
    private static final int KILLS = Randomness.times(24, 400);
    private static final int MOST_BYTES = 9000;

    @TempDir
    Path folder;

    private Launched server;
    private Shell shared;

    private int serve() throws IOException {
        server = Launched.pail(shared.folder(), "serve", "--listen", "127.0.0.1:0", "--json", "-q");
        return URI.create(Answer.parse(server.readLine()).get("url").asText()).getPort();
    }

    @Test
    void aKilledPeerLosesNothing() throws IOException {
        Random random = Randomness.random("KilledPeersTest.aKilledPeerLosesNothing");
        shared = Shell.withRepository(Files.createDirectory(folder.resolve("shared")), "--format", "v1");
        shared.run("put", "first", "--text", "1").done();
        List<String> made = new ArrayList<>(List.of("first"));
        try (CuttingProxy proxy = new CuttingProxy(serve())) {
            List<Shell> peers = new ArrayList<>();
            for (String name : List.of("ann", "bob")) {
                Shell peer = Shell.in(Files.createDirectory(folder.resolve(name)));
                assertThat(peer.run("clone", "http://127.0.0.1:" + proxy.port(), ".pail")
                                .status())
                        .isZero();
                peers.add(peer);
            }
            int killed = 0;
            for (int i = 0; i < KILLS; i++) {
                Shell peer = peers.get(random.nextInt(2));
                boolean isServer = random.nextBoolean();
                String key = "key/" + i;
                peer.run("put", key, "--text", key).done();
                made.add(key);
                String[] command = random.nextBoolean() ? new String[] {"pull"} : new String[] {"push", "--merge"};
                // The process looks where it leads only when bytes pass.
                AtomicReference<Launched> victim = new AtomicReference<>(server);
                Launched client = Launched.pail(peer.folder(), command);
                if (!isServer) {
                    victim.set(client);
                }
                proxy.cutAfter(random.nextInt(MOST_BYTES), () -> victim.get().kill());
                Answer answer = client.answer();
                killed += answer.status() == 0 ? 0 : 1;
                proxy.heal();
                if (!server.process().isAlive()) {
                    server.answer();
                    proxy.lead(serve());
                }
                assertThat(peer.run("get", key).done().lines()).hasSize(1);
            }
            for (int round = 0; round < 2; round++) {
                for (Shell peer : peers) {
                    assertThat(peer.run("pull").status()).isZero();
                    assertThat(peer.run("push", "--merge").status()).isZero();
                }
            }
            System.out.println("KilledPeersTest: " + killed + " of " + KILLS + " exchanges ended early");
            assertThat(killed).isPositive();
            for (Shell each : List.of(shared, peers.get(0), peers.get(1))) {
                assertThat(each.keys()).containsExactlyInAnyOrderElementsOf(made);
                assertThat(each.root()).isEqualTo(shared.root());
                assertThat(each.run("verify", "--all").status()).isZero();
            }
        } finally {
            server.kill();
        }
    }
}
