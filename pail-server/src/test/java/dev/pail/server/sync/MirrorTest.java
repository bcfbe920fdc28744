package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockException;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.remote.Exchange;
import dev.pail.remote.Following;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.Mirror;
import dev.pail.remote.PushMode;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.server.Served;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.remote.CuttingProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Mirrors of a server (SY28). */
@Timeout(300)
class MirrorTest {
    private static final String MAIN = Repository.MAIN;
    private static final List<String> NAMES = List.of(MAIN, "a", "b", "c/d");

    private final Repository origin = Repository.inMemory();
    private final Repository copy = Repository.inMemory();

    /** All heads that each branch of the origin ever had. */
    private final Map<String, Set<Head>> heads = new HashMap<>();

    private void put(String branch, String key, int size, Random random) {
        byte[] value = new byte[size];
        random.nextBytes(value);
        var unused = origin.update(branch, pail -> pail.putBytes(key, value));
    }

    private void note() {
        origin.branches()
                .heads()
                .forEach((name, head) ->
                        heads.computeIfAbsent(name, each -> new HashSet<>()).add(head));
    }

    private void change(Random random) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        boolean isThere = origin.branches().contains(name);
        boolean isTag = origin.tags().names().contains(name);
        switch (random.nextInt(8)) {
            case 0 -> {
                if (isTag) {
                    origin.tags().remove(name);
                } else if (!isThere && !origin.head(MAIN).isEmpty()) {
                    origin.tags().create(name, origin.head(MAIN));
                }
            }
            case 1 -> {
                if (isThere
                        && !name.equals(MAIN)
                        && !name.equals(origin.branches().current())) {
                    origin.branches().remove(name);
                }
            }
            case 2 -> {
                List<Head> all = List.copyOf(heads.getOrDefault(name, Set.of()));
                if (isThere && !all.isEmpty()) {
                    var unused = origin.move(origin.snapshot(name), all.get(random.nextInt(all.size())), "reset");
                }
            }
            case 3 -> {
                if (isThere) {
                    origin.branches().switchTo(name);
                }
            }
            default -> {
                if (!isThere && !isTag) {
                    var unused = origin.branches().create(name, origin.head(MAIN));
                } else if (isThere) {
                    put(name, "key" + random.nextInt(50), 1 + random.nextInt(20_000), random);
                }
            }
        }
        note();
    }

    /** Each head of the mirror was one of the origin. */
    private void check() {
        copy.branches().heads().forEach((name, head) -> {
            if (!head.isEmpty()) {
                assertThat(heads.get(name)).as(name).contains(head);
            }
        });
    }

    private void assertEqual() {
        Map<String, Head> there = new HashMap<>(origin.branches().heads());
        assertThat(copy.branches().heads()).isEqualTo(there);
        assertThat(copy.branches().current()).isEqualTo(origin.branches().current());
        assertThat(copy.tags().names()).isEqualTo(origin.tags().names());
        for (String tag : origin.tags().names()) {
            assertThat(copy.tags().head(tag)).isEqualTo(origin.tags().head(tag));
        }
        assertThat(copy.root(MAIN)).isEqualTo(origin.root(MAIN));
    }

    /** Cuts and restarts of both sides, at random. */
    @Test
    @SuppressWarnings("try") // The registration is there to be closed.
    void followsThroughCutsAndRestarts_SY28() throws IOException {
        Random random = Randomness.random("MirrorTest.followsThroughCutsAndRestarts");
        int most = Randomness.times(50, 1000);
        List<AssertionError> wrong = new ArrayList<>();
        AtomicInteger moves = new AtomicInteger();
        Served served = new Served(origin);
        try (CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                var unused = copy.listen(update -> {
                    moves.incrementAndGet();
                    try {
                        check();
                    } catch (AssertionError e) {
                        wrong.add(e);
                    }
                })) {
            note();
            Mirror mirror = Mirror.of(copy, remote, change -> {});
            int failures = 0;
            while (failures + proxy.cuts() < most) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    change(random);
                }
                switch (random.nextInt(20)) {
                    case 0 -> {
                        served.server.close();
                        failures += failed(mirror) ? 1 : 0;
                        served = new Served(origin);
                        proxy.lead(served.server.address().getPort());
                    }
                    case 1, 2, 3 -> mirror = Mirror.of(copy, remote, change -> {});
                    default -> proxy.cutAfter(random.nextInt(60_000), () -> {});
                }
                boolean unusedToo = failed(mirror);
                check();
            }
            System.out.println(failures + " restarts, " + proxy.cuts() + " cuts, " + moves + " moves");
            proxy.cutAfter(Long.MAX_VALUE, () -> {});
            mirror.take();
            assertEqual();
        } finally {
            served.close();
        }
        assertThat(wrong).isEmpty();
        assertThat(moves).hasPositiveValue();
    }

    private static boolean failed(Mirror mirror) {
        try {
            mirror.take();
            return false;
        } catch (StoreIOException | RemoteException | BlockException e) {
            return true;
        }
    }

    /** Over the feed of a server: each change is made when the one before has come. */
    @Test
    void takesEachUpdateWithoutAPause_SY27_SY28() throws InterruptedException {
        Random random = Randomness.random("MirrorTest.takesEachUpdate");
        try (Served served = new Served(origin);
                HttpRemote remote = HttpRemote.open("http://" + served.host(), Optional.empty())) {
            put(MAIN, "first", 10, random);
            AtomicReference<Following> following = new AtomicReference<>();
            List<Mirror.Kind> kinds = new ArrayList<>();
            Head first = origin.head(MAIN);
            following.set(Mirror.of(copy, remote, change -> {
                        kinds.add(change.kind());
                        switch (kinds.size()) {
                            case 1, 2 -> put(MAIN, "key" + kinds.size(), 10, random);
                            case 3 -> {
                                var unused = origin.move(origin.snapshot(MAIN), first, "reset");
                            }
                            default -> following.get().close();
                        }
                    })
                    .following());
            following.get().run();
            assertThat(kinds)
                    .containsExactly(Mirror.Kind.BRANCH, Mirror.Kind.BRANCH, Mirror.Kind.BRANCH, Mirror.Kind.BACK);
            assertEqual();
        }
    }

    /** A change that another program makes in the copy does not stay, and its log has it. */
    @Test
    void aChangeInTheCopyDoesNotStay_SY28() {
        Random random = new Random(1);
        put(MAIN, "first", 10, random);
        Mirror mirror = Mirror.of(copy, RepositoryRemote.of(origin, "origin"), change -> {});
        mirror.take();
        var unused = copy.update(MAIN, pail -> pail.putBytes("mine", new byte[] {1}));
        mirror.take();
        assertEqual();
        assertThat(copy.pailAt(copy.resolve("@{1}").head().orElseThrow()).get("mine"))
                .isPresent();
    }

    @Test
    void aRepositoryWithChangesIsNoMirror_SY28() {
        put(MAIN, "first", 10, new Random(1));
        var unused = copy.update(MAIN, pail -> pail.putBytes("mine", new byte[] {1}));
        Head before = copy.head(MAIN);
        Mirror mirror = Mirror.of(copy, RepositoryRemote.of(origin, "origin"), change -> {});
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(mirror::take)
                .withMessageContaining("cannot mirror origin in a repository that has changes, in the branch \"main\"");
        assertThat(copy.head(MAIN)).isEqualTo(before);
    }

    @Test
    void theServerOfAMirrorNamesItsOrigin_SY28() {
        var unused = copy.update(MAIN, pail -> pail.putBytes("a", "a".getBytes(StandardCharsets.UTF_8)));
        try (Served served = new Served(origin, options -> options.mirrorOf("https://pail.example.org"));
                HttpRemote remote = HttpRemote.open("http://" + served.host(), Optional.empty())) {
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> Exchange.of(copy, "origin", remote).push(MAIN, PushMode.FAST_FORWARD))
                    .withMessageContaining(
                            "the server is a read-only mirror of https://pail.example.org: change it there");
            assertThat(origin.head(MAIN).isEmpty()).isTrue();
        }
    }
}
