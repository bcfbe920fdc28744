package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.PailDiff;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.NextReads;
import dev.pail.remote.PushMode;
import dev.pail.remote.PushReply;
import dev.pail.remote.PushRequest;
import dev.pail.remote.RemoteException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.server.Served;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import dev.pail.testkit.remote.CuttingProxy;
import dev.pail.through.ServedRepository;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServedRepositoryTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static final List<ShardFormat> FORMATS =
            List.of(ShardFormat.v0(2000, 64), ShardFormat.v1(), ShardFormat.v2());

    private final AtomicInteger requests = new AtomicInteger();

    private HttpRemote remote(Served served) {
        return HttpRemote.open("http://" + served.host(), Optional.empty()).withConnector(url -> {
            requests.incrementAndGet();
            return (HttpURLConnection) url.openConnection();
        });
    }

    private int requests(Runnable action) {
        requests.set(0);
        action.run();
        return requests.get();
    }

    private static Cid value(int number) {
        return Block.of(Cid.RAW, Integer.toString(number).getBytes(StandardCharsets.US_ASCII))
                .cid();
    }

    private static String key(int number) {
        return value(number).toString().substring(20, 30) + number;
    }

    private static Repository filled(ShardFormat format, int count) {
        Repository repository = Repository.inMemory(format);
        for (int from = 0; from < count; from += 5000) {
            int first = from;
            var unused = repository.update("main", pail -> {
                Pail next = pail;
                for (int i = first; i < Math.min(count, first + 5000); i++) {
                    next = next.put(key(i), value(i));
                }
                return next;
            });
        }
        return repository;
    }

    /** Reads of a version take few requests, and none but one for the state when they are made again. */
    @Test
    void readsAFewBlocksAhead_SY24_SY25() {
        try (Served served = new Served(filled(ShardFormat.v1(), 20_000))) {
            for (int time = 0; time < 2; time++) {
                int most = time == 0 ? 3 : 1;
                assertThat(requests(() -> {
                            try (Repository there = ServedRepository.open(remote(served), folder)) {
                                assertThat(there.pail().get(key(77))).contains(value(77));
                            }
                        }))
                        .isLessThanOrEqualTo(most);
            }
            KeyRange range = KeyRange.prefix(key(5).substring(0, 1));
            List<Entry> all = served.repository.pail().entries(range).toList();
            assertThat(all).hasSizeGreaterThan(300);
            for (KeyRange each : List.of(range, range.descending())) {
                List<Entry> expected = served.repository.pail().entries(each).toList();
                assertThat(requests(() -> {
                            try (Repository there = ServedRepository.open(remote(served))) {
                                assertThat(there.pail().entries(each).toList()).isEqualTo(expected);
                            }
                        }))
                        .isLessThanOrEqualTo(12);
            }
        }
    }

    @Test
    void comparesVersionsAndFollowsEvents_SY24() {
        try (Served served = new Served(filled(ShardFormat.v1(), 2_000))) {
            Head before = served.repository.head("main");
            for (int i = 0; i < 300; i++) {
                int number = i;
                var unused = served.repository.update("main", pail -> pail.put("one/" + number, value(number)));
            }
            assertThat(requests(() -> {
                        try (Repository there = ServedRepository.open(remote(served), folder)) {
                            assertThat(there.history().of(there.head("main"))).hasSize(301);
                            PailDiff diff = there.pailAt(before).diff(there.pail());
                            assertThat(diff.keys()).hasSize(300);
                        }
                    }))
                    .isLessThanOrEqualTo(14);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void changesArePushed(int format) {
        try (Served served = new Served(filled(FORMATS.get(format), 500));
                Repository there = ServedRepository.open(remote(served), folder)) {
            var updated = there.update("main", pail -> pail.putBytes("title", new byte[] {1, 2}));
            assertThat(served.repository.head("main")).isEqualTo(updated.after().head());
            assertThat(served.repository.pail().getBytes("title")).contains(new byte[] {1, 2});
            assertThat(there.pail().root()).isEqualTo(served.repository.pail().root());

            Snapshot draft = there.branches().create("draft", there.head("main"));
            assertThat(served.repository.head("draft")).isEqualTo(draft.head());
            there.tags().create("v", draft.head());
            assertThat(served.repository.tags().head("v")).contains(draft.head());
            there.tags().remove("v");
            assertThat(served.repository.tags().names()).isEmpty();
            there.branches().remove("draft");
            assertThat(there.branches().names()).containsExactly("main");
        }
    }

    /** A writer that lost the race makes its change again; one with a condition gets an error. */
    @Test
    void writersThatLoseARaceTryAgain() {
        try (Served served = new Served(filled(ShardFormat.v1(), 100));
                Repository there = ServedRepository.open(remote(served), folder)) {
            Snapshot seen = there.snapshot("main");
            AtomicInteger tries = new AtomicInteger();
            var unused = there.update("main", pail -> {
                if (tries.incrementAndGet() == 1) {
                    var unusedOther = served.repository.update("main", before -> before.put("theirs", value(1)));
                }
                return pail.put("ours", value(2));
            });
            assertThat(tries).hasValue(2);
            assertThat(served.repository.pail().get("theirs")).contains(value(1));
            assertThat(served.repository.pail().get("ours")).contains(value(2));
            Head head = served.repository.head("main");
            assertThatThrownBy(() -> there.move(seen, head, "again")).isInstanceOf(HeadMovedException.class);
        }
    }

    @Test
    void refusesWhatStaysWithTheServer() {
        try (Served served = new Served(filled(ShardFormat.v1(), 100));
                Repository there = ServedRepository.open(remote(served), folder)) {
            assertThatThrownBy(() -> there.branches().switchTo("main"))
                    .isInstanceOf(RepositoryException.class)
                    .hasMessageContaining("behind a server");
            assertThatThrownBy(() -> there.update("main", pail -> {
                        Pail next = pail;
                        for (int i = 0; i < 10; i++) {
                            byte[] large = new byte[7 << 20];
                            large[0] = (byte) i;
                            next = next.putBytes("large/" + i, large);
                        }
                        return next;
                    }))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("at most 67108864 bytes");
            // The next one begins anew.
            var unused = there.update("main", pail -> pail.put("small", value(1)));
            assertThat(served.repository.pail().get("small")).contains(value(1));
        }
    }

    /** Random reads and changes over a server give what they give without one. */
    @Test
    void readsAndWritesAsWithoutAServer() {
        Random random = Randomness.random("ServedRepositoryTest");
        for (int round = 0; round < 6; round++) {
            ShardFormat format = FORMATS.get(round % FORMATS.size());
            Repository plain = filled(format, 300);
            try (Served served = new Served(filled(format, 300))) {
                for (int step = 0; step < 30; step++) {
                    try (Repository there = ServedRepository.open(remote(served), folder)) {
                        int number = random.nextInt(400);
                        if (random.nextBoolean()) {
                            var unused = there.update("main", pail -> pail.put(key(number), value(number + 1)));
                            var unusedPlain = plain.update("main", pail -> pail.put(key(number), value(number + 1)));
                        }
                        String from = key(random.nextInt(400));
                        KeyRange range = switch (random.nextInt(5)) {
                            case 0 -> KeyRange.all();
                            case 1 -> KeyRange.all().from(from).descending();
                            case 2 -> KeyRange.all().through(from).descending();
                            case 3 -> KeyRange.prefix(from.substring(0, 2));
                            default -> KeyRange.all().after(from);
                        };
                        assertThat(there.pail().entries(range).limit(200))
                                .isEqualTo(
                                        plain.pail().entries(range).limit(200).toList());
                        assertThat(there.pail().get(key(number)))
                                .isEqualTo(plain.pail().get(key(number)));
                    }
                }
                assertThat(served.repository.root("main")).isEqualTo(plain.root("main"));
            }
        }
    }

    /** What a connection brought before it broke is not asked for again; a block that no connection carries comes in parts. */
    @Test
    void readsContinueOnANewConnection_SY16() throws IOException {
        Random random = Randomness.random("ServedRepositoryTest.readsContinueOnANewConnection");
        Repository filled = filled(ShardFormat.v1(), 20_000);
        var unused = filled.update("main", pail -> {
            Pail next = pail;
            for (int i = 0; i < 150; i++) {
                byte[] bytes = new byte[i == 70 ? 900_000 : 20_000];
                random.nextBytes(bytes);
                next = next.putBytes("large/" + i, bytes);
            }
            return next;
        });
        try (Served served = new Served(filled);
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                Repository there = ServedRepository.open(
                        HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty()), folder)) {
            Pail pail = there.pail();
            proxy.cutEach(() -> 150_000 + random.nextInt(100_000));
            List<Entry> entries = served.repository.pail().entries().toList();
            assertThat(pail.entries().toList()).isEqualTo(entries);
            for (Entry entry : entries) {
                if (entry.key().startsWith("large/")) {
                    assertThat(pail.getBytes(entry.key()).orElseThrow())
                            .isEqualTo(served.repository
                                    .pail()
                                    .getBytes(entry.key())
                                    .orElseThrow());
                }
            }
            System.out.println(proxy.cuts() + " cuts of reads");
            assertThat(proxy.cuts()).isBetween(15, 60);
        }
    }

    /** A push cannot write into the log that it is an undo to a version that the branch never had, or had at another time. */
    @Test
    void anUndoThatDoesNotFitTheLogIsRefused_SY29() throws Exception {
        try (Served served = new Served(filled(ShardFormat.v1(), 10))) {
            Snapshot first = served.repository.snapshot("main");
            var unused = served.repository.update("main", pail -> pail.put("a", value(1)));
            Snapshot now = served.repository.snapshot("main");
            for (String reason : List.of("undo to generation 0", "undo to generation 2", "redo to generation 9")) {
                PushReply reply = remote(served)
                        .push(
                                new PushRequest("main", first.head(), Optional.of(now.token()), PushMode.FORCE, reason),
                                CarExport.of(served.blocks(), first.head().events()));
                assertThat(reply.outcome()).as(reason).isEqualTo(PushReply.Outcome.MOVED);
            }
            for (String query : List.of("undo=1", "force=1&undo=x", "force=1&undo=1&redo=1", "merge=1&undo=1")) {
                assertThat(served.ask(
                                        "POST",
                                        "/v1/push/main?" + query,
                                        HttpRequest.BodyPublishers.ofByteArray(new byte[0]),
                                        "If-Match",
                                        "\"" + now.token() + "\"",
                                        "Content-Type",
                                        "application/vnd.ipld.car")
                                .statusCode())
                        .as(query)
                        .isEqualTo(400);
            }
            assertThat(served.repository.head("main")).isEqualTo(now.head());
            try (Repository there = ServedRepository.open(remote(served))) {
                assertThat(there.undo(there.snapshot("main"), 1).head()).isEqualTo(first.head());
            }
            assertThat(served.repository
                            .history()
                            .log("main")
                            .findFirst()
                            .orElseThrow()
                            .reason())
                    .isEqualTo("undo to generation 1");
        }
    }

    /** Hints of all peers are bounded. */
    @Test
    void hintsAreBounded_SY24() {
        assertThatThrownBy(() -> new NextReads.History(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NextReads.History(NextReads.MOST + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
