package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Batch;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.Namespace;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.dag.Overlay;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.PailChange;
import dev.pail.repository.model.Snapshot;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An update whose function makes changes and returns the version without them. */
class LostChangesTest {
    private static final Cid VALUE = block("value").cid();
    private static final String MAIN = Repository.MAIN;

    private final Repository repository = Repository.inMemory(ShardFormat.v1());

    private static Block block(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void begin() {
        repository.update(MAIN, pail -> pail.put("there", VALUE));
    }

    private static Arguments change(String name, UnaryOperator<Pail> change) {
        return Arguments.of(name, change);
    }

    private static Pail uncommitted(Pail pail) {
        Batch batch = pail.batch();
        batch.put("a", VALUE);
        return pail;
    }

    static Stream<Arguments> lost() {
        return Stream.of(
                change("a put", pail -> without(pail, pail.put("a", VALUE))),
                change("the bytes of a value", pail -> without(pail, pail.putBytes("a", new byte[] {1}))),
                change("a delete", pail -> without(pail, pail.delete("there"))),
                change("a delete of a range", pail -> without(pail, pail.deleteRange(KeyRange.all()))),
                change(
                        "a put into a namespace",
                        pail -> without(
                                pail, pail.namespace("users").put("a", VALUE).pail())),
                change("a view of a namespace that was changed", pail -> {
                    Namespace users = pail.namespace("users");
                    Namespace unused = users.put("a", VALUE);
                    return users.pail();
                }),
                change(
                        "a committed batch",
                        pail -> without(pail, pail.batch().put("a", VALUE).commit())),
                change("an uncommitted batch", LostChangesTest::uncommitted),
                change("an uncommitted batch of deletes", pail -> {
                    Batch batch = pail.batch();
                    batch.delete("there");
                    return pail;
                }),
                change("an uncommitted batch of bytes", pail -> {
                    Batch batch = pail.batch();
                    batch.putBytes("a", new byte[] {1});
                    return pail;
                }),
                change("an uncommitted batch of a version that was made", pail -> uncommitted(pail.put("b", VALUE))),
                change("a version that requires blocks", pail -> {
                    Pail careful = pail.requiringBlocks();
                    Pail unused = careful.delete("there");
                    return careful;
                }),
                change("a merge", pail -> without(pail, Pail.merge(pail, pail, pail.put("a", VALUE)))),
                change("a put by another thread", pail -> {
                    Thread other = new Thread(() -> without(pail, pail.put("a", VALUE)));
                    other.start();
                    join(other);
                    return pail;
                }),
                change("the same version from elsewhere", pail -> {
                    Pail unused = pail.put("a", VALUE);
                    return Pail.open(pail.blocks(), pail.root());
                }),
                change("after a commit, another batch", pail -> {
                    Pail unused = pail.batch().delete("absent").commit();
                    return uncommitted(pail);
                }));
    }

    private static Pail without(Pail pail, Pail lost) {
        assertThat(lost.root()).isNotEqualTo(pail.root());
        return pail;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lost")
    void isRefused_REP33(String name, UnaryOperator<Pail> change) {
        Snapshot before = repository.snapshot(MAIN);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> repository.update(MAIN, change::apply))
                .withMessageContaining("would be lost")
                .withMessageContaining("unchanged()");
        assertThat(repository.snapshot(MAIN)).isEqualTo(before);
        assertThat(repository
                        .update(MAIN, pail -> pail.put("later", VALUE))
                        .pail()
                        .get("later"))
                .contains(VALUE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lost")
    void isNotRefusedWhereItIsMeant_REP33(String name, UnaryOperator<Pail> change) {
        Snapshot before = repository.snapshot(MAIN);
        AtomicInteger calls = new AtomicInteger();
        Pail after = repository
                .update(MAIN, pail -> {
                    calls.incrementAndGet();
                    Pail made = change.apply(pail);
                    return made.root().equals(pail.root()) ? pail.unchanged() : made.unchanged();
                })
                .pail();
        assertThat(calls).hasValue(1);
        assertThat(after.root()).isEqualTo(repository.root(MAIN));
        if (after.root().equals(before.root())) {
            assertThat(repository.snapshot(MAIN)).isEqualTo(before);
        }
    }

    static Stream<Arguments> kept() {
        return Stream.of(
                change("nothing", pail -> pail),
                change("a put of what is there", pail -> {
                    Pail unused = pail.put("there", VALUE);
                    return pail;
                }),
                change("a delete of what is not there", pail -> {
                    Pail unused = pail.delete("absent");
                    return pail;
                }),
                change("a put and its delete", pail -> pail.put("a", VALUE).delete("a")),
                change("an empty batch", pail -> {
                    Batch unused = pail.batch();
                    return pail;
                }),
                change("a committed batch that changes nothing", pail -> {
                    Pail unused = pail.batch().put("a", VALUE).delete("a").commit();
                    return pail;
                }),
                change("another version than the last", pail -> {
                    Pail first = pail.put("a", VALUE);
                    Pail unused = first.put("b", VALUE);
                    return first;
                }),
                change("another batch than the first", pail -> {
                    Batch batch = pail.batch();
                    batch.put("a", VALUE);
                    return pail.put("b", VALUE);
                }),
                change("a refused key", pail -> {
                    assertThatExceptionOfType(KeyNotAllowedException.class).isThrownBy(() -> pail.put("\ud800", VALUE));
                    return pail;
                }),
                change("a refused block", pail -> {
                    assertThatThrownBy(() -> pail.putBytes("a", new byte[Block.MAX_SIZE + 1]));
                    return pail;
                }),
                change("a trial elsewhere", pail -> {
                    Pail trial = pail.in(new Overlay(pail.blocks()));
                    Pail unused = trial.put("a", VALUE);
                    return pail;
                }),
                change("reading", pail -> {
                    assertThat(pail.get("there")).contains(VALUE);
                    assertThat(pail.entries()).hasSize(1);
                    return pail;
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kept")
    void whatLosesNothingIsTaken_REP33(String name, UnaryOperator<Pail> change) {
        Pail after = repository.update(MAIN, change::apply).pail();
        assertThat(after.root()).isEqualTo(repository.root(MAIN));
        assertThat(after.get("there")).contains(VALUE);
    }

    @Test
    void eachWayToUpdateRefuses_REP33() {
        Snapshot before = repository.snapshot(MAIN);
        PailChange<RuntimeException> losing = pail -> without(pail, pail.put("a", VALUE));
        assertRefused(() -> repository.update(MAIN, "reason", losing));
        assertRefused(() -> repository.update(before, losing));
        assertRefused(() -> repository.update(before, "reason", losing));
        assertRefused(() -> repository.replace(MAIN, "reason", losing));
        assertRefused(() -> repository.startHistory(MAIN, "reason", losing));
        assertRefused(() -> repository.branches().create("new", losing));
        assertThat(repository.snapshot(MAIN)).isEqualTo(before);
        assertThat(repository.branches().names()).containsExactly(MAIN);
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(call).withMessageContaining("would be lost");
    }

    @Test
    void aReplicaIsJudgedAlike_REP33() {
        Snapshot before = repository.snapshot(MAIN);
        assertRefused(() -> repository.change(MAIN, "reason", pail -> {
            ReplicatedPail unused = pail.put("a", VALUE);
            return pail;
        }));
        assertRefused(() -> repository.change(MAIN, "reason", pail -> {
            ReplicatedBatch batch = pail.batch();
            batch.put("a", VALUE);
            return pail;
        }));
        assertRefused(() -> repository.change(MAIN, "reason", pail -> {
            ReplicatedPail unused = pail.batch().delete("there").commit();
            return pail.with(UnrelatedHistories.MERGE_FROM_EMPTY);
        }));
        assertRefused(() -> repository.branches().create("new", "reason", pail -> {
            ReplicatedPail unused = pail.put("a", VALUE);
            return pail;
        }));
        assertThat(repository.snapshot(MAIN)).isEqualTo(before);

        ReplicatedPail same = repository.change(MAIN, "reason", pail -> {
            ReplicatedPail unused = pail.put("a", VALUE);
            ReplicatedBatch batch = pail.batch();
            batch.put("a", VALUE);
            return pail.unchanged();
        });
        assertThat(same.head()).isEqualTo(before.head());
        assertThat(repository
                        .change(MAIN, "reason", pail -> pail.put("a", VALUE))
                        .get("a"))
                .contains(VALUE);
    }

    /** The first attempt drops a version on purpose and loses the race. The second one is not judged by that. */
    @Test
    void eachAttemptIsJudgedAlone_REP33() {
        AtomicInteger attempts = new AtomicInteger();
        Pail after = repository
                .update(MAIN, pail -> {
                    if (attempts.incrementAndGet() == 1) {
                        repository.update(MAIN, other -> other.put("other", VALUE));
                        return pail.put("a", VALUE);
                    }
                    return pail;
                })
                .pail();
        assertThat(attempts).hasValue(2);
        assertThat(after.get("a")).isEmpty();
        assertThat(after.get("other")).contains(VALUE);
    }

    @Test
    void outsideOfUpdatesNothingIsWatched() {
        Pail pail = repository.pail();
        assertThat(pail.unchanged()).isSameAs(pail);
        assertThat(repository.replica(MAIN).unchanged()).isEqualTo(repository.replica(MAIN));
        Pail after = repository.update(MAIN, given -> given.put("a", VALUE)).pail();
        Pail unused = after.put("b", VALUE);
        assertThat(after.unchanged()).isSameAs(after);
        assertThat(repository.update(MAIN, given -> given).pail()).isEqualTo(after);
    }
}
