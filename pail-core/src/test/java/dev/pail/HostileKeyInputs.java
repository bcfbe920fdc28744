package dev.pail;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Row H6: keys that have no encoding, or are far too long. And settings that are out of range (H16). */
@SuppressWarnings("CheckReturnValue") // What is called throws.
final class HostileKeyInputs {
    private static final Map<String, String> LONE = new TreeMap<>(Map.of(
            "a high surrogate", "\ud800",
            "a low surrogate", "\udfff",
            "a pair the wrong way round", "\ude00\ud83d",
            "a high surrogate at the end", "key\udbff",
            "a low surrogate behind a pair", "\ud83d\ude00\ude00 key"));

    private HostileKeyInputs() {}

    static List<HostileInput> all() {
        List<HostileInput> all = new ArrayList<>();
        calls().forEach((what, call) -> {
            LONE.forEach((name, key) -> all.add(lone(ShardFormat.v0(), what, call, name, key)));
            all.add(lone(ShardFormat.v1(), what, call, "a high surrogate", "\ud800"));
        });
        addLongKeys(all);
        addSettings(all);
        return all;
    }

    /** All that takes a key. */
    private static Map<String, BiConsumer<Pail, String>> calls() {
        Map<String, BiConsumer<Pail, String>> calls = new LinkedHashMap<>();
        calls.put("get", Pail::get);
        calls.put("put", (pail, key) -> pail.put(key, HostileShards.value(1)));
        calls.put("delete", Pail::delete);
        calls.put("put in a batch", (pail, key) -> pail.batch().put(key, HostileShards.value(1)));
        calls.put("delete in a batch", (pail, key) -> pail.batch().delete(key));
        calls.put("check", (pail, key) -> pail.format().checkKey(key));
        calls.put("prefix", (pail, key) -> KeyRange.prefix(key));
        calls.put("within", (pail, key) -> KeyRange.all().within(key));
        calls.put("from", (pail, key) -> KeyRange.all().from(key));
        calls.put("after", (pail, key) -> KeyRange.all().after(key));
        calls.put("through", (pail, key) -> KeyRange.all().through(key));
        calls.put("before", (pail, key) -> KeyRange.all().before(key));
        calls.put("contains", (pail, key) -> KeyRange.all().contains(key));
        return calls;
    }

    private static HostileInput lone(
            ShardFormat format, String what, BiConsumer<Pail, String> call, String name, String key) {
        return HostileInput.refusedCall(
                "H6 " + format.name() + ' ' + what + ' ' + name,
                KeyNotAllowedException.class,
                2 * key.length(),
                () -> call.accept(Pail.create(new HostileBlocks(), format), key));
    }

    private static void addLongKeys(List<HostileInput> all) {
        String million = "k".repeat(1_000_000);
        String spoilt = million + "\ud800";
        all.add(HostileInput.refusedCall(
                "H6 v1 put of a million characters", million.length(), () -> put(ShardFormat.v1(), million)));
        all.add(HostileInput.refusedCall(
                "H6 v1 put of 4,097 characters", () -> put(ShardFormat.v1(), "k".repeat(4097))));
        all.add(HostileInput.refusedCall(
                "H6 v0 put of a million characters and a surrogate",
                2 * spoilt.length(),
                () -> put(ShardFormat.v0(), spoilt)));
        all.add(HostileInput.boundedCall("H6 v0 put of a million characters", () -> put(ShardFormat.v0(), million)));
        all.add(HostileInput.boundedCall(
                "H6 v0 put of 600,000 characters", () -> put(ShardFormat.v0(), million.substring(0, 600_000))));
        all.add(HostileInput.boundedCall(
                "H6 v0 put of 10,000 characters, one a shard",
                () -> put(ShardFormat.v0(512 << 10, 1), million.substring(0, 10_000))));
        all.add(HostileInput.acceptedCall("H6 a batch continues after a refused key", HostileKeyInputs::goOn));
    }

    private static Pail put(ShardFormat format, String key) {
        return Pail.create(new HostileBlocks(), format).put(key, HostileShards.value(1));
    }

    private static void goOn() {
        Pail empty = Pail.create(new HostileBlocks());
        Batch batch = empty.batch().put("a", HostileShards.value(1));
        try {
            batch.put("\ud800", HostileShards.value(2));
            throw new AssertionError("a lone surrogate was put");
        } catch (KeyNotAllowedException e) {
            HostilePail.require(e.key().equals("\ud800"), "the error has the key");
        }
        Pail next = batch.commit();
        HostilePail.require(
                next.root().equals(empty.put("a", HostileShards.value(1)).root()), "the batch is as it was");
    }

    private static void addSettings(List<HostileInput> all) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("maxSize 63", () -> ShardFormat.v0(63, 64));
        calls.put("maxSize 8 MiB and one", () -> ShardFormat.v0((8 << 20) + 1, 64));
        calls.put("maxSize 0", () -> ShardFormat.v0(0, 64));
        calls.put("maxKeyLength 0", () -> ShardFormat.v0(512 << 10, 0));
        calls.put("maxKeyLength -1", () -> ShardFormat.v0(512 << 10, -1));
        calls.put("maxKeyLength 4,097", () -> ShardFormat.v0(512 << 10, 4097));
        calls.put("v1 maxKeySize 0", () -> ShardFormat.v1(0));
        calls.put("v1 maxKeySize 4,097", () -> ShardFormat.v1(4097));
        calls.put("v2 maxKeySize 10^9", () -> ShardFormat.v2(1_000_000_000));
        calls.forEach((what, call) ->
                all.add(HostileInput.refusedCall("H16 a format of " + what, IllegalArgumentException.class, 0, call)));
    }
}
