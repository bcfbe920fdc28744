package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.VerifyOptions;
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
                Pail unused = repository.update("main", pail -> {
                    pail.blocks().put(value);
                    return pail.put(key, value.cid());
                });
            }
            repository.createTag("t", repository.head("main"));
            repository.createBranch("other", repository.head("main"));
            Pail unused = repository.update("other", pail -> pail.delete("a"));
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
        return S3Storage.of(memory::below, clock, new Counters()).withPatience(Duration.ofMillis(10));
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
            for (String branch : repository.branches()) {
                seen.append(branch).append(':').append(repository.head(branch)).append(' ');
                for (Entry each : repository.pail(branch).entries().toList()) {
                    seen.append(each.key()).append('=').append(repository.blocks().get(each.value()).isPresent());
                }
                seen.append(" log ").append(repository.log(branch).count()).append('\n');
            }
            for (String tag : repository.tags()) {
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
                repository.garbageCollection().run();
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
        System.out.println("LostObjectsTest: " + checks + " of " + (all.size() + pairs.size()) + " damaged repositories");
    }
}
