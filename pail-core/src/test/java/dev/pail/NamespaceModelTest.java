package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import dev.pail.keys.NamespacedKey;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Views of namespaces beside a plain map of paths and keys, in every format and with every codec. */
class NamespaceModelTest {
    private static final int STEPS = Randomness.times(300, 5_000);
    private static final Comparator<Name> BYTES = Comparator.naturalOrder();

    /**
     * A format and a codec.
     *
     * @param namespaces the order of namespaces
     * @param names of namespaces
     * @param keys of all namespaces, in order
     */
    record World(ShardFormat format, KeyCodec codec, Comparator<Name> namespaces, List<Name> names, List<Name> keys) {
        @Override
        public String toString() {
            return format.name() + ", " + codec;
        }
    }

    private static final List<Name> TEXTS = names("", " ", "!", "/", "0", "a", "a ", "aa", "ab", "b", "~");

    private static List<Name> names(String... texts) {
        return Stream.of(texts).map(Name::of).toList();
    }

    private static List<Name> without(char c) {
        return TEXTS.stream().filter(name -> name.toString().indexOf(c) < 0).toList();
    }

    static List<World> worlds() {
        List<Name> binary = new ArrayList<>(TEXTS);
        for (byte[] bytes : new byte[][] {{0}, {0, 0}, {-1}, {-1, 0}, {-1, -1}, {'a', -1}, {'a', -1, 'b'}, {-128}}) {
            binary.add(Name.of(bytes));
        }
        binary.addAll(names("é", "\ue000", "😀", "a😀"));
        binary.sort(BYTES);
        Comparator<Name> lengths = Comparator.comparing(Name::length).thenComparing(BYTES);
        List<World> worlds = new ArrayList<>();
        for (ShardFormat format :
                List.of(ShardFormat.v0(3_000, 8), ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2())) {
            worlds.add(new World(format, format.keyCodec(), BYTES, binary, binary));
            worlds.add(new World(format, KeyCodec.lengthPrefixed(), lengths, binary, binary));
            List<Name> texts = without('!');
            // As a delimiter comes behind some of what texts have, names are in the order of what they are with it.
            Comparator<Name> delimited =
                    Comparator.comparing(name -> name.text().orElseThrow() + "!");
            worlds.add(new World(format, KeyCodec.delimited('!'), delimited, texts, texts));
        }
        List<Name> texts = new ArrayList<>(TEXTS);
        texts.addAll(names("é", "\ue000", "😀", "a😀"));
        Comparator<Name> order = Comparator.comparing(name -> name.text().orElseThrow());
        texts.sort(order);
        worlds.add(new World(ShardFormat.v0(3_000, 8), KeyCodec.delimited('\0'), order, texts, texts));
        worlds.add(new World(ShardFormat.v1(), KeyCodec.delimited(' '), BYTES, without(' '), without(' ')));
        worlds.add(new World(ShardFormat.v0(), KeyCodec.separatedHex('!'), BYTES, binary, binary));
        return worlds;
    }

    private static <T> T any(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private static List<Name> path(Random random, World world) {
        List<Name> few = world.names.subList(0, 5);
        return Stream.generate(() -> any(random, few))
                .limit(1 + random.nextInt(3))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void asAPlainMap(World world) {
        Random random = new Random(Randomness.seed("NamespaceModelTest.asAPlainMap"));
        Map<NamespacedKey, Cid> model = new HashMap<>();
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks, world.format);
        int compared = 0;
        for (int step = 0; step < STEPS; step++) {
            Batch batch = pail.batch();
            Pail before = pail;
            for (int i = random.nextInt(20); i >= 0; i--) {
                NamespacedKey key = new NamespacedKey(path(random, world), any(random, world.keys));
                Namespace namespace = before.namespace(world.codec, key.path());
                if (random.nextInt(5) > 0) {
                    Cid value = Block.of(Cid.RAW, new byte[] {(byte) random.nextInt(50)})
                            .cid();
                    model.put(key, value);
                    batch.put(namespace.key(key.key()), value);
                } else {
                    model.remove(key);
                    batch.delete(namespace.key(key.key()));
                }
            }
            pail = batch.commit();
            List<Name> path = path(random, world);
            pail = single(random, world, model, pail.namespace(world.codec, path));
            compared += check(random, world, model, pail, path);
            if (step % 100 == 99) {
                // All versions of thousands of steps take more memory than there is.
                blocks.keepOnly(pail);
            }
        }
        compared += check(random, world, model, pail, List.of(world.names.get(0)));
        assertThat(Pail.open(pail.blocks(), pail.root()).entries()).hasSameSizeAs(model.keySet());
        assertThat(compared).isPositive();
    }

    /** One put and one delete through the view; the view before stays as it was. */
    private static Pail single(Random random, World world, Map<NamespacedKey, Cid> model, Namespace namespace) {
        Name put = any(random, world.keys);
        Name deleted = any(random, world.keys);
        Cid value = Block.of(Cid.RAW, new byte[] {99}).cid();
        Optional<Cid> before = namespace.get(put);
        Namespace next = namespace.put(put, value);
        assertThat(namespace.get(put)).isEqualTo(before);
        assertThat(next.get(put)).contains(value);
        assertThat(next.path()).isEqualTo(namespace.path());
        next = next.delete(deleted);
        assertThat(next.get(deleted)).isEmpty();
        model.put(new NamespacedKey(namespace.path(), put), value);
        model.remove(new NamespacedKey(namespace.path(), deleted));
        return next.pail();
    }

    private static int check(Random random, World world, Map<NamespacedKey, Cid> model, Pail pail, List<Name> path) {
        Namespace namespace = pail.namespace(world.codec, path);
        List<NamespaceEntry> all = world.keys.stream()
                .filter(key -> model.containsKey(new NamespacedKey(path, key)))
                .map(key -> new NamespaceEntry(key, model.get(new NamespacedKey(path, key))))
                .toList();
        assertThat(namespace.entries()).containsExactlyElementsOf(all);
        for (Name key : world.keys) {
            assertThat(namespace.get(key)).isEqualTo(Optional.ofNullable(model.get(new NamespacedKey(path, key))));
        }
        for (int i = 0; i < 20; i++) {
            checkRange(random, world, namespace, all);
        }
        for (int depth = 0; depth <= path.size(); depth++) {
            List<Name> outer = path.subList(0, depth);
            List<Name> expected = model.keySet().stream()
                    .map(NamespacedKey::path)
                    .filter(found -> found.size() > outer.size()
                            && found.subList(0, outer.size()).equals(outer))
                    .map(found -> found.get(outer.size()))
                    .distinct()
                    .sorted(world.namespaces)
                    .toList();
            Stream<Name> found = depth == 0
                    ? pail.namespaces(world.codec)
                    : pail.namespace(world.codec, outer).namespaces();
            assertThat(found).as("%s in %s", world, outer).containsExactlyElementsOf(expected);
        }
        return all.size();
    }

    /** Up to three bounds, where all are texts as a range of texts too. */
    private static void checkRange(Random random, World world, Namespace namespace, List<NamespaceEntry> all) {
        NameRange range = NameRange.all();
        KeyRange texts = KeyRange.all();
        Predicate<Name> wanted = key -> true;
        boolean isText = true;
        for (int i = random.nextInt(4); i > 0; i--) {
            Name bound = any(random, world.keys);
            int place = world.keys.indexOf(bound);
            String text = bound.text().orElse("");
            isText &= bound.text().isPresent();
            switch (random.nextInt(5)) {
                case 0 -> {
                    range = range.from(bound);
                    texts = texts.from(text);
                    wanted = wanted.and(key -> world.keys.indexOf(key) >= place);
                }
                case 1 -> {
                    range = range.after(bound);
                    texts = texts.after(text);
                    wanted = wanted.and(key -> world.keys.indexOf(key) > place);
                }
                case 2 -> {
                    range = range.through(bound);
                    texts = texts.through(text);
                    wanted = wanted.and(key -> world.keys.indexOf(key) <= place);
                }
                case 3 -> {
                    range = range.before(bound);
                    texts = texts.before(text);
                    wanted = wanted.and(key -> world.keys.indexOf(key) < place);
                }
                default -> {
                    range = range.within(bound);
                    texts = texts.within(text);
                    wanted = wanted.and(key -> startsWith(key.bytes(), bound.bytes()));
                }
            }
        }
        List<NamespaceEntry> expected = new ArrayList<>();
        boolean descending = random.nextBoolean();
        for (NamespaceEntry entry : all) {
            if (wanted.test(entry.key())) {
                expected.add(descending ? 0 : expected.size(), entry);
            }
        }
        assertThat(namespace.entries(descending ? range.descending() : range))
                .as("%s: %s of %s", world, range, all)
                .containsExactlyElementsOf(expected);
        if (isText) {
            assertThat(namespace.entries(descending ? texts.descending() : texts))
                    .containsExactlyElementsOf(expected);
        }
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        int different = Arrays.mismatch(bytes, prefix);
        return different < 0 || different == prefix.length;
    }
}
