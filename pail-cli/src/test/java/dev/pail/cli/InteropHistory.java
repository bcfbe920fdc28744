package dev.pail.cli;

import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Changes for a pail that is empty at first.
 *
 * @param tame whether no key starts with another one and no value comes twice. Such a history loses data nowhere: what is
 *     the same below two keys cannot go with one of them (D03), either
 */
record InteropHistory(ShardFormat format, boolean tame, List<Change> changes) {
    private static final String END = "$";

    /** What is done at once. */
    sealed interface Change {
        void applyTo(Batch batch);

        void applyTo(Map<String, Cid> entries);

        default Pail applyTo(Pail pail) {
            Batch batch = pail.batch();
            applyTo(batch);
            return batch.commit();
        }
    }

    record Put(String key, Cid value) implements Change {
        @Override
        public void applyTo(Batch batch) {
            batch.put(key, value);
        }

        @Override
        public void applyTo(Map<String, Cid> entries) {
            entries.put(key, value);
        }

        @Override
        public String toString() {
            return "put " + Escapes.quote(key) + " " + value;
        }
    }

    record Delete(String key) implements Change {
        @Override
        public void applyTo(Batch batch) {
            batch.delete(key);
        }

        @Override
        public void applyTo(Map<String, Cid> entries) {
            entries.remove(key);
        }

        @Override
        public String toString() {
            return "del " + Escapes.quote(key);
        }
    }

    record Several(List<Put> puts) implements Change {
        @Override
        public void applyTo(Batch batch) {
            puts.forEach(put -> put.applyTo(batch));
        }

        @Override
        public void applyTo(Map<String, Cid> entries) {
            puts.forEach(put -> put.applyTo(entries));
        }

        @Override
        public String toString() {
            return puts.stream().map(Object::toString).collect(Collectors.joining("; ", "batch {", "}"));
        }
    }

    InteropHistory with(List<Change> others) {
        return new InteropHistory(format, tame, others);
    }

    /** One change a line. */
    @Override
    public String toString() {
        return changes.stream().map(Object::toString).collect(Collectors.joining("\n  ", format + "\n  ", ""));
    }

    /** Puts of the same value. */
    static InteropHistory of(ShardFormat format, String... keys) {
        return new InteropHistory(
                format,
                false,
                Arrays.stream(keys).<Change>map(key -> new Put(key, value(0))).toList());
    }

    InteropHistory and(Change change) {
        return with(Stream.concat(changes.stream(), Stream.of(change)).toList());
    }

    static InteropHistory random(Random random, String format) {
        boolean tame = random.nextBoolean();
        ShardFormat settings = format.equals("v0") ? v0(random, tame) : v1(random);
        return new InteropHistory(settings, tame, new Source(random, settings, tame).changes(10 + random.nextInt(50)));
    }

    private static ShardFormat v0(Random random, boolean tame) {
        boolean cutsMuch = !tame && random.nextInt(3) == 0;
        return ShardFormat.v0(130 + random.nextInt(700), cutsMuch ? 1 + random.nextInt(8) : 64);
    }

    private static ShardFormat v1(Random random) {
        return random.nextInt(3) == 0 ? ShardFormat.v1(1 + random.nextInt(40)) : ShardFormat.v1();
    }

    /** Makes changes whose keys have to do with each other. */
    private static final class Source {
        private final Random random;
        private final boolean tame;
        private final InteropKeys fresh;
        private final int values;
        private final List<String> keys = new ArrayList<>();
        private int puts;

        Source(Random random, ShardFormat format, boolean tame) {
            this.random = random;
            this.tame = tame;
            this.fresh = new InteropKeys(random, alphabet(random, format, tame), 1 + random.nextInt(12));
            this.values = random.nextBoolean() ? 1 + random.nextInt(2) : 1000;
        }

        private static String alphabet(Random random, ShardFormat format, boolean tame) {
            List<String> alphabets = format.name().equals("v1")
                    ? List.of("ab", InteropKeys.ASCII)
                    : List.of("ab", InteropKeys.ASCII, InteropKeys.BASIC_PLANE, InteropKeys.ASTRAL);
            // Beyond the basic plane there is nothing tame: keys are cut inside a surrogate pair (D07).
            return alphabets.get(random.nextInt(tame ? Math.min(3, alphabets.size()) : alphabets.size()));
        }

        List<Change> changes(int count) {
            return IntStream.range(0, count).mapToObj(i -> change()).collect(Collectors.toCollection(ArrayList::new));
        }

        private Change change() {
            int kind = random.nextInt(20);
            if (kind == 0) {
                return new Several(IntStream.rangeClosed(0, random.nextInt(10))
                        .mapToObj(i -> put())
                        .toList());
            }
            return kind < 7 ? new Delete(key()) : put();
        }

        private Put put() {
            return new Put(key(), value(tame ? ++puts : random.nextInt(values)));
        }

        private String key() {
            String known = keys.isEmpty() ? "" : keys.get(random.nextInt(keys.size()));
            if (!keys.isEmpty() && random.nextInt(3) == 0) {
                return known;
            }
            // Where all keys have an end that is nowhere else in them, none starts with another one (D01, D02).
            String key = tame ? fresh.next(known.replace(END, "")) + END : fresh.next(known);
            keys.add(key);
            return key;
        }
    }

    /** CIDs of several kinds and lengths. */
    private static Cid value(int number) {
        byte[] digits = Integer.toString(number).getBytes(StandardCharsets.US_ASCII);
        Block raw = Block.of(Cid.RAW, digits);
        return switch (number % 7) {
            case 3 -> Block.of(Cid.DAG_CBOR, digits).cid();
            case 4 -> Cid.fromBytes(raw.cid().multihash());
            case 5 -> identity(digits);
            default -> raw.cid();
        };
    }

    private static Cid identity(byte[] data) {
        byte[] cid =
                Arrays.copyOf(new byte[] {1, (byte) Cid.RAW, (byte) Cid.IDENTITY, (byte) data.length}, 4 + data.length);
        System.arraycopy(data, 0, cid, 4, data.length);
        return Cid.fromBytes(cid);
    }
}
