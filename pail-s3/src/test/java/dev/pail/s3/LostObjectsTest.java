package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Entry;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Objects that are taken away, copied, swapped and renumbered, up to two at a time. The result is right data or a sentence. */
class LostObjectsTest {
    /**
     * A change of the objects, by their keys.
     *
     * @param name says what it does
     */
    private record Damage(String name, Consumer<Map<String, byte[]>> change) {}

    private final HandClock clock = new HandClock();

    /** The objects of a small repository, and what it has. */
    private Map<String, byte[]> whole() {
        MemoryBucket memory = new MemoryBucket(clock);
        try (Repository repository = storage(memory).init("r", ShardFormat.v1())) {
            for (String key : List.of("a", "b", "c")) {
                Block value = Block.of(Cid.RAW, key.getBytes(StandardCharsets.US_ASCII));
                repository.update("main", pail -> {
                    pail.blocks().put(value);
                    return pail.put(key, value.cid());
                });
            }
            repository.tags().create("t", repository.head("main"));
            repository.branches().create("other", repository.head("main"));
            repository.update("other", pail -> pail.delete("a"));
        }
        return objects(memory);
    }

    private static Map<String, byte[]> objects(MemoryBucket memory) {
        Map<String, byte[]> all = new TreeMap<>();
        for (Bucket.Listed each : memory.below("r/").list("", "", 1000)) {
            all.put(each.key(), memory.below("r/").get(each.key()).orElseThrow());
        }
        return all;
    }

    private S3Storage storage(MemoryBucket memory) {
        return S3Storage.of(memory::below, clock, new S3Counters()).withPatience(Duration.ofMillis(10));
    }

    private MemoryBucket bucket(Map<String, byte[]> objects) {
        MemoryBucket memory = new MemoryBucket(clock);
        objects.forEach((key, bytes) -> memory.below("r/").put(key, bytes));
        return memory;
    }

    /** All that a reader sees; a sentence, if it is refused. */
    private String read(MemoryBucket memory) {
        StringBuilder seen = new StringBuilder();
        try (Repository repository = storage(memory).open("r")) {
            for (String branch : repository.branches().names()) {
                seen.append(branch).append(':').append(repository.head(branch)).append(' ');
                for (Entry each : repository.pail(branch).entries().toList()) {
                    seen.append(each.key())
                            .append('=')
                            .append(repository.blocks().get(each.value()).isPresent());
                }
                seen.append(" log ")
                        .append(repository.history().log(branch).count())
                        .append('\n');
            }
            for (String tag : repository.tags().names()) {
                seen.append(tag).append(':').append(repository.refs().tag(tag)).append('\n');
            }
            return seen.toString();
        } catch (PailException e) {
            assertThat(e.code()).isNotEmpty();
            return "refused: " + e.getMessage();
        }
    }

    private boolean isSound(MemoryBucket memory) {
        try (Repository repository = storage(memory).open("r")) {
            return repository.verify(VerifyOptions.DEFAULT.withAllVersions()).isSound();
        } catch (PailException e) {
            return false;
        }
    }

    private void collect(MemoryBucket memory) {
        try (Repository repository = storage(memory).open("r")) {
            for (int i = 0; i < 3; i++) {
                clock.pass(Duration.ofDays(400));
                repository.maintenance().garbageCollection().run();
            }
        } catch (PailException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    private static List<Damage> damages(Map<String, byte[]> whole) {
        List<String> keys = List.copyOf(whole.keySet());
        List<Damage> all = new ArrayList<>();
        for (String key : keys) {
            all.add(new Damage("without " + key, objects -> objects.remove(key)));
            for (String other : keys) {
                boolean isSameKind = key.substring(0, 3).equals(other.substring(0, 3));
                if (key.equals(other) || !isSameKind) {
                    continue;
                }
                all.add(new Damage(other + " is a copy of " + key, objects -> copy(objects, key, other)));
                if (key.compareTo(other) < 0) {
                    all.add(new Damage(key + " and " + other + " are swapped", objects -> {
                        byte[] first = objects.get(key);
                        copy(objects, other, key);
                        if (first != null) {
                            objects.put(other, first);
                        }
                    }));
                }
            }
            if (key.startsWith(Keys.LOG)) {
                for (long number = 1; number <= 12; number += 1) {
                    String next = Keys.log(number);
                    all.add(new Damage(key + " is renumbered " + number, objects -> {
                        copy(objects, key, next);
                        if (!next.equals(key)) {
                            objects.remove(key);
                        }
                    }));
                }
            }
        }
        return all;
    }

    private static void copy(Map<String, byte[]> objects, String from, String to) {
        byte[] bytes = objects.get(from);
        if (bytes != null) {
            objects.put(to, bytes);
        }
    }

    private void check(Map<String, byte[]> whole, String right, List<Damage> damages) {
        Map<String, byte[]> objects = new TreeMap<>(whole);
        damages.forEach(each -> each.change.accept(objects));
        String what = damages.stream().map(Damage::name).toList().toString();
        String seen = read(bucket(objects));
        if (!seen.startsWith("refused")) {
            assertThat(seen).as(what).isEqualTo(right);
        }
        if (isSound(bucket(objects))) {
            assertThat(seen).as("sound, %s", what).isEqualTo(right);
        }
        MemoryBucket collected = bucket(objects);
        collect(collected);
        Map<String, byte[]> left = objects(collected);
        if (seen.startsWith("refused")) {
            assertThat(left.keySet()).as("collected, %s", what).containsAll(objects.keySet());
        } else {
            assertThat(read(collected)).as("after a collection, %s", what).isEqualTo(right);
        }
    }

    @Test
    void whatIsLostIsNoticed_OS11_OS12_OS16_G20() {
        Map<String, byte[]> whole = whole();
        String right = read(bucket(whole));
        assertThat(right).contains("main:", "other:", "t:").doesNotContain("refused");
        assertThat(isSound(bucket(whole))).isTrue();
        List<Damage> all = damages(whole);
        int checks = 0;
        for (Damage each : all) {
            check(whole, right, List.of(each));
            checks++;
        }
        List<List<Damage>> pairs = new ArrayList<>();
        for (Damage first : all) {
            for (Damage second : all) {
                pairs.add(List.of(first, second));
            }
        }
        Random random = Randomness.random(Randomness.seed("LostObjectsTest"));
        Collections.shuffle(pairs, random);
        int most = Randomness.times(1_000, pairs.size());
        for (List<Damage> each : pairs.subList(0, Math.min(most, pairs.size()))) {
            check(whole, right, each);
            checks++;
        }
        System.out.println(
                "LostObjectsTest: " + checks + " of " + (all.size() + pairs.size()) + " damaged repositories");
    }

    /** After a recovery, each event that was stored is in a branch, and the repository works. */
    @Test
    void aRecoveryFindsAllEvents_OS13_REF8() {
        Map<String, byte[]> whole = whole();
        assertThat(storage(bucket(whole)).recover("r")).isEmpty();
        List<String> logs =
                whole.keySet().stream().filter(key -> key.startsWith(Keys.LOG)).toList();
        for (int from = 0; from < logs.size(); from++) {
            for (int to = from + 1; to <= logs.size(); to++) {
                MemoryBucket memory = bucket(whole);
                logs.subList(from, to).forEach(memory.below("r/")::delete);
                Recovered found = storage(memory).recover("r").orElseThrow();
                assertThat(found.events()).isEqualTo(4);
                clock.pass(Duration.ofDays(400));
                try (Repository repository = storage(memory).open("r")) {
                    List<Integer> sizes = new ArrayList<>();
                    for (String branch : repository.branches().names()) {
                        sizes.add((int) repository.pail(branch).entries().count());
                        repository
                                .history()
                                .log(branch)
                                .forEach(entry -> assertThat(entry.reason()).isNotEmpty());
                    }
                    assertThat(sizes).as("without %s to %s", from, to).contains(2);
                    repository.update("main", pail -> pail.delete("b"));
                    repository.maintenance().garbageCollection().run();
                    assertThat(repository
                                    .verify(VerifyOptions.DEFAULT.withAllVersions())
                                    .isSound())
                            .isTrue();
                }
                assertThat(storage(memory).recover("r")).isEmpty();
                Map<String, byte[]> left = objects(memory);
                left.keySet().removeIf(key -> key.startsWith(Keys.CHECKPOINTS));
                assertThat(read(bucket(left))).doesNotContain("refused").isEqualTo(read(memory));
            }
        }
    }

    /** A process whose bucket is restored beneath it stops. */
    @Test
    void aProcessNoticesThatTheBucketWentBack_OS14() {
        MemoryBucket memory = bucket(whole());
        try (Repository open = storage(memory).open("r")) {
            open.update("main", pail -> pail.delete("b"));
            Map<String, byte[]> now = objects(memory);
            String last = now.keySet().stream()
                    .filter(key -> key.startsWith(Keys.LOG))
                    .reduce("", (a, b) -> b);
            memory.below("r/").delete(last);
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> open.update("main", pail -> pail.delete("c")))
                    .withMessageContaining("went back");
            memory.below("r/").put(last, now.get(Keys.log(1)));
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> {
                        for (int i = 0; i < 20; i++) {
                            open.head("main");
                        }
                    })
                    .withMessageContaining("went back");
        }
    }

    /** A store that overwrites what {@code If-None-Match} protects. */
    @Test
    void aStoreThatOverwritesIsRefused_OS15() {
        FaultyBucket careless = new FaultyBucket(bucket(whole()).below("r/"));
        careless.overwrites();
        S3Storage storage = S3Storage.of(prefix -> careless, clock, new S3Counters());
        try (Repository copied = storage.open("r")) {
            assertThat(copied.pail().entries()).isNotEmpty();
            for (ThrowingCallable each : List.<ThrowingCallable>of(
                    () -> copied.verify(VerifyOptions.DEFAULT),
                    () -> copied.update("main", pail -> pail.delete("b")),
                    () -> storage.init("r", ShardFormat.v1()))) {
                assertThatExceptionOfType(RepositoryException.class).isThrownBy(each);
            }
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> copied.refs().probe())
                    .withMessageContaining("If-None-Match");
        }
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage(bucket(Map.of("hint", new byte[0]))).init("r", ShardFormat.v1()))
                .withMessageContaining("the object repository is missing");
    }
}
