package dev.pail.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Block;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies that follow a remote, with a clock and with pauses of the test. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FollowingTest {
    private static final String MAIN = Repository.MAIN;

    private final Repository there = Repository.inMemory();
    private final Repository here = Repository.inMemory();
    private final List<Duration> pauses = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Head> fetched = new ArrayList<>();
    private final AtomicReference<Following> following = new AtomicReference<>();

    private void put(String key) {
        there.update(MAIN, pail -> pail.putBytes(key, new byte[] {1}));
    }

    /** Follows until this many pauses were made. */
    private void follow(Remote remote, int mostPauses, Following.Pause each) throws InterruptedException {
        Exchange exchange = Exchange.of(here, "origin", remote);
        Following.Listener listener = new Following.Listener() {
            @Override
            public void fetched(FetchResult result) {
                here.merge(MAIN, result.ref(), MergeOptions.DEFAULT);
                fetched.add(result.now().head());
            }

            @Override
            public void failed(PailException failure, Duration pause) {
                failures.add(pause.toSeconds() + " " + failure.getMessage());
            }
        };
        AtomicLong nanos = new AtomicLong();
        following.set(Following.of(exchange, MAIN, listener, nanos::get, time -> {
            pauses.add(time);
            if (pauses.size() >= mostPauses) {
                following.get().close();
            }
            each.of(time);
        }));
        following.get().run();
    }

    private static Duration[] seconds(long... seconds) {
        Duration[] all = new Duration[seconds.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = Duration.ofSeconds(seconds[i]);
        }
        return all;
    }

    /** A remote that only lists its branches is asked less and less often, and an update makes the pauses short again. */
    @Test
    void takesEachUpdateOfARemoteWithoutAFeed_SY27() throws InterruptedException {
        put("a");
        follow(new Polled(there), 11, time -> {
            if (pauses.size() == 9) {
                put("b");
            }
        });
        assertThat(pauses).containsExactly(seconds(1, 2, 4, 8, 16, 32, 60, 60, 60, 1, 2));
        assertThat(here.head(MAIN)).isEqualTo(there.head(MAIN));
        assertThat(fetched).hasSize(2);
        assertThat(failures).isEmpty();
    }

    /** What a folder tells comes at once, without a pause. */
    @Test
    void followsTheFeedOfARepository_SY27() throws InterruptedException {
        put("a");
        Exchange exchange = Exchange.of(here, "origin", RepositoryRemote.of(there, "there"));
        List<Head> heads = new ArrayList<>();
        following.set(Following.of(
                exchange,
                MAIN,
                result -> {
                    heads.add(result.now().head());
                    if (heads.size() == 5) {
                        following.get().close();
                    } else {
                        put("key" + heads.size());
                    }
                },
                System::nanoTime,
                pauses::add));
        following.get().run();
        assertThat(heads).hasSize(5).doesNotHaveDuplicates();
        assertThat(pauses).isEmpty();
    }

    @Test
    void triesAgainAfterAFailure_SY27() throws InterruptedException {
        put("a");
        Polled remote = new Polled(there);
        follow(remote, 8, time -> {
            remote.fails = pauses.size() >= 2 && pauses.size() < 5;
            if (pauses.size() == 6) {
                put("b");
            }
        });
        assertThat(failures)
                .containsExactly(
                        "4 cannot fetch: there: the line is down",
                        "8 cannot fetch: there: the line is down",
                        "16 cannot fetch: there: the line is down");
        assertThat(pauses).containsExactly(seconds(1, 2, 4, 8, 16, 32, 1, 2));
        assertThat(here.head(MAIN)).isEqualTo(there.head(MAIN));
    }

    @Test
    void aFailureOfTheFirstExchangeEndsIt() {
        Polled remote = new Polled(there);
        remote.fails = true;
        assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> follow(remote, 1, time -> {}));
        assertThat(pauses).isEmpty();
    }

    @Test
    void endsWhenTheBranchIsRemoved() {
        put("a");
        there.branches().create("other", there.head(MAIN));
        Remote remote = RepositoryRemote.of(there, "there");
        Exchange exchange = Exchange.of(here, "origin", remote);
        Following removed =
                Following.of(exchange, "other", result -> there.branches().remove("other"));
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(removed::run)
                .matches(e -> e.reason() == RemoteException.Reason.NO_BRANCH);
    }

    @Test
    void aConflictThatThePolicyRefusesEndsIt() {
        put("a");
        here.update(MAIN, pail -> pail.putBytes("a", new byte[] {2}));
        MergeOptions options = MergeOptions.DEFAULT
                .withUnrelated(UnrelatedHistories.MERGE_FROM_EMPTY)
                .withPolicy(MergePolicy.fail());
        Exchange exchange = Exchange.of(here, "origin", new Polled(there));
        Following refused = Following.of(exchange, MAIN, result -> here.merge(MAIN, result.ref(), options));
        assertThatExceptionOfType(MergeConflictException.class).isThrownBy(refused::run);
    }

    /** A server gets at most two requests for each pause, for any answer to a watcher. */
    @ParameterizedTest
    @ValueSource(strings = {"events", "garbage", "line", "redirect", "page", "cut", "refusal"})
    void aHostileFeedCostsTwoRequestsForEachPause_SY27(String kind) throws IOException, InterruptedException {
        try (HostileServer server = new HostileServer((request, out) -> {
            if (request.startsWith("POST /v1/fetch")) {
                HostileServer.head(out, 204, "Pail-Generation: 0");
            } else {
                answer(kind, out);
            }
        })) {
            follow(server.remote(), 8, time -> {});
            assertThat(server.requests()).isLessThanOrEqualTo(2 * 9);
        }
        assertThat(pauses).containsExactly(seconds(1, 2, 4, 8, 16, 32, 60, 60));
        String sentence = switch (kind) {
            case "garbage", "line" -> "not an answer of a pail server.*: more than 65536 bytes without an event";
            case "redirect" -> ".*the server has moved, or wants a login, with status 302.*";
            case "page" -> ".*a web page with the title .Log in..*";
            case "refusal" -> "the remote refuses: .*status 403.*";
            default -> "";
        };
        assertThat(failures).hasSize(sentence.isEmpty() ? 0 : 8);
        assertThat(failures).allMatch(each -> each.replaceFirst("[0-9]+ ", "").matches(sentence));
    }

    private static void answer(String kind, OutputStream out) throws IOException {
        String[] feed = {"Content-Type: text/event-stream"};
        switch (kind) {
            case "events" -> {
                HostileServer.head(out, 200, feed);
                for (int i = 0; i < 10_000; i++) {
                    out.write(HostileServer.ascii("id: 9-0000000000000000\nevent: update\ndata: {}\n\n"));
                }
            }
            case "garbage", "line" -> {
                HostileServer.head(out, 200, feed);
                out.write(new byte[1 << 20]);
                out.write(HostileServer.ascii(kind.equals("line") ? "" : "\n\n:\n\ndata: event: update\n\n"));
                out.write(HostileServer.ascii("xevent: update".repeat(10_000)));
            }
            case "redirect" -> HostileServer.head(out, 302, "Location: http://127.0.0.1:1/", "Content-Length: 0");
            case "page" -> {
                HostileServer.head(out, 200, "Content-Type: text/html");
                out.write(HostileServer.ascii("<title>Log in</title>"));
            }
            case "cut" -> HostileServer.head(out, 200, feed[0], "Content-Length: 1000");
            default -> HostileServer.json(out, 403, "{\"error\":\"no\",\"code\":\"forbidden\"}");
        }
    }

    /** A remote without a feed, as the default of {@link Remote} has it. */
    private static final class Polled implements Remote {
        private final Remote remote;
        private boolean fails;

        Polled(Repository there) {
            remote = RepositoryRemote.of(there, "there");
        }

        @Override
        public String address() {
            return remote.address();
        }

        @Override
        public RemoteInfo info() {
            return remote.info();
        }

        @Override
        public List<RemoteBranch> branches() {
            return remote.branches();
        }

        @Override
        public FetchReply fetch(FetchRequest request, BlockStore target) {
            if (fails) {
                throw new StoreIOException("cannot fetch", "there", "the line is down", null);
            }
            return remote.fetch(request, target);
        }

        @Override
        public PushReply push(PushRequest request, CarExport export) {
            return remote.push(request, export);
        }

        @Override
        public void send(String branch, List<Block> blocks) {
            remote.send(branch, blocks);
        }

        @Override
        public void close() {
            remote.close();
        }
    }
}
