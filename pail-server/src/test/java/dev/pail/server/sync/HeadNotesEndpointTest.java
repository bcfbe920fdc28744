package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.server.Served;
import dev.pail.server.ServerOptions;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The signed heads of a server, as any program may ask for them. */
class HeadNotesEndpointTest {
    private static final String PATH = "/v1/signed-heads";

    private static Head head(int events) {
        return Head.of(IntStream.range(0, events)
                .mapToObj(i -> Block.of(Cid.DAG_CBOR, new byte[] {(byte) i, (byte) (i >> 8)})
                        .cid())
                .toList());
    }

    private static HeadNote note(String name, long generation, int events) {
        Head head = head(events);
        return HeadNote.parse(new SignedHead(name, generation, head.events().get(0), head)
                .sign(SigningKey.generate("example.com/ann")));
    }

    private static HttpResponse<byte[]> put(Served served, String name, HeadNote... notes) {
        return served.ask(
                "PUT",
                PATH + "/" + name,
                HttpRequest.BodyPublishers.ofByteArray(Messages.headNotes(List.of(notes))),
                "Content-Type",
                "application/json");
    }

    private static void fill(Repository repository) {
        repository.update(Repository.MAIN, pail -> pail.putBytes("a", new byte[] {1}));
    }

    @Test
    void aNoteIsKeptOnce_SY23() {
        try (Served served = new Served()) {
            fill(served.repository);
            HeadNote note = note("main", 1, 1);
            assertThat(put(served, "main", note).statusCode()).isEqualTo(201);
            assertThat(put(served, "main", note).statusCode()).isEqualTo(200);
            assertThat(put(served, "none", note("none", 1, 1)).statusCode()).isEqualTo(404);
            assertThat(put(served, "other", note).statusCode()).isEqualTo(400);
            assertThat(put(served, "main").statusCode()).isEqualTo(400);
            assertThat(put(served, "main", note, note).statusCode()).isEqualTo(400);
            HttpResponse<byte[]> foreign = served.ask(
                    "PUT",
                    PATH + "/main",
                    HttpRequest.BodyPublishers.ofString("{\"notes\":[\"pail/main\\n\"]}"),
                    "Content-Type",
                    "application/json");
            assertThat(foreign.statusCode()).isEqualTo(400);
            assertThat(served.get(PATH + "/main").statusCode()).isEqualTo(405);
            assertThat(Messages.readHeadNotes(served.get(PATH).body())).containsExactly(note);
            assertThat(Messages.readHeadNotes(served.get(PATH + "?after=main").body()))
                    .isEmpty();
        }
    }

    @Test
    void noOneWithoutTheRightAddsOne_SY23() {
        try (Served served = new Served(Repository.inMemory(), ServerOptions::readOnly)) {
            fill(served.repository);
            assertThat(put(served, "main", note("main", 1, 1)).statusCode()).isEqualTo(403);
            assertThat(served.repository.headNotes().all()).isEmpty();
        }
    }

    @Test
    void aLongListComesInPages_SY22() {
        try (Served served = new Served();
                HttpRemote remote = HttpRemote.open("http://" + served.host(), Optional.empty())) {
            fill(served.repository);
            List<HeadNote> all = new ArrayList<>();
            for (int i = 10; i < 50; i++) {
                HeadNote note = note("b" + i, 1, 1000);
                Object unused = served.repository.branches().create("b" + i, Head.empty());
                assertThat(served.repository.headNotes().keep(note)).isEqualTo(HeadNotes.Outcome.KEPT);
                all.add(note);
            }
            assertThat(Messages.readHeadNotes(served.get(PATH).body())).hasSizeLessThan(40);
            assertThat(remote.headNotes().all()).isEqualTo(all);
        }
    }
}
