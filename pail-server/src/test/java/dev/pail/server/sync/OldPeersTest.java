package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.remote.Exchange;
import dev.pail.remote.FetchResult;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Pushed;
import dev.pail.remote.RemoteException;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Snapshot;
import dev.pail.server.Served;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import dev.pail.testkit.remote.OldServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exchanges with a server of version 0.2.0: it knows generations, but no tokens and no ids. */
@Timeout(120)
class OldPeersTest {
    private static final String MAIN = Repository.MAIN;

    private static OldServer old(Served served) throws IOException {
        return new OldServer(served.server.address().getPort());
    }

    private static HttpRemote remote(OldServer old) {
        return HttpRemote.open("http://127.0.0.1:" + old.port(), Optional.empty());
    }

    private static void put(Repository repository, String key) {
        repository.update(MAIN, pail -> pail.putBytes(key, key.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aServerOfVersion020ExchangesNoTags_SY19() throws IOException {
        try (Served served = new Served();
                OldServer old = old(served);
                HttpRemote remote = remote(old);
                Repository here = Repository.inMemory()) {
            put(served.repository, "a");
            served.repository.tags().create("v1", served.repository.head(MAIN));
            Exchange exchange = Exchange.of(here, "origin", remote);
            assertThat(exchange.cloneAll(remote.info()).current().head()).isEqualTo(served.repository.head(MAIN));
            assertThat(exchange.fetchTags()).isEmpty();
            here.tags().create("v2", here.head(MAIN));
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.pushTag("v2"))
                    .withMessageContaining("the remote takes no tags");
            assertThat(served.repository.tags().names()).containsExactly("v1");
        }
    }

    @Test
    void aServerOfVersion020KeepsNoSignedHeads_SY22_SY23() throws IOException {
        try (Served served = new Served();
                OldServer old = old(served);
                HttpRemote remote = remote(old)) {
            put(served.repository, "a");
            Snapshot now = served.repository.snapshot(MAIN);
            HeadNote note = HeadNote.parse(
                    new SignedHead(MAIN, 1, now.root(), now.head()).sign(SigningKey.generate("example.com/ann")));
            assertThat(remote.headNotes().keep(note)).isEqualTo(HeadNotes.Outcome.LEFT);
            assertThat(remote.headNotes().all()).isEmpty();
            assertThat(served.repository.headNotes().all()).isEmpty();
        }
    }

    @Test
    void aServerOfVersion020IsFetchedFromAndPushedTo_SY6() throws IOException {
        try (Served served = new Served();
                OldServer old = old(served);
                HttpRemote remote = remote(old);
                Repository here = Repository.inMemory()) {
            put(served.repository, "a");
            Exchange exchange = Exchange.of(here, "origin", remote);
            assertThat(remote.info().id()).isEmpty();
            MergeResult first = exchange.pull(MAIN, MergeOptions.DEFAULT);
            assertThat(first.root()).isEqualTo(served.repository.root(MAIN));
            FetchResult again = exchange.fetch(MAIN);
            assertThat(again.isChanged()).isFalse();
            put(here, "b");
            Pushed pushed = exchange.push(MAIN, PushMode.FAST_FORWARD);
            assertThat(pushed.branch().generation()).isEqualTo(2);
            assertThat(served.repository.head(MAIN)).isEqualTo(here.head(MAIN));
            put(here, "c");
            put(served.repository, "d");
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.push(MAIN, PushMode.FORCE))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.MOVED));
            assertThat(exchange.push(MAIN, PushMode.MERGE).isMerged()).isTrue();
        }
    }

    @Test
    void aServerOfVersion020ThatWentBackLosesNothing_SY13() throws IOException {
        try (Served lost = new Served();
                OldServer oldLost = old(lost);
                Served served = new Served();
                OldServer old = old(served);
                HttpRemote before = remote(oldLost);
                HttpRemote remote = remote(old);
                Repository here = Repository.inMemory()) {
            put(lost.repository, "a");
            put(lost.repository, "b");
            MergeResult unused = Exchange.of(here, "origin", before).pull(MAIN, MergeOptions.DEFAULT);
            put(served.repository, "a");
            put(served.repository, "important");
            Exchange exchange = Exchange.of(here, "origin", remote);
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.push(MAIN, PushMode.FORCE))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.MOVED));
            assertThat(served.repository.pail().getBytes("important")).isPresent();
            FetchResult fetched = exchange.fetch(MAIN);
            assertThat(fetched.isBack()).isTrue();
            assertThat(fetched.now().head()).isEqualTo(served.repository.head(MAIN));
        }
    }
}
