package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a view of a namespace shows, refuses and reads. */
class NamespaceTest {
    private static final Cid ONE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Cid TWO = Block.of(Cid.RAW, new byte[] {2}).cid();

    static List<ShardFormat> formats() {
        return List.of(ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2());
    }

    private static List<String> keys(Stream<NamespaceEntry> entries) {
        return entries.map(entry -> entry.key().toString()).toList();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void namespacesDoNotSeeEachOther(ShardFormat format) {
        Pail pail = Pail.create(new MapBlocks(), format);
        Namespace users = pail.namespace("users");
        Namespace europe = users.namespace("eu");
        Pail next = pail.batch()
                .put(users.key("ann"), ONE)
                .put(users.key(""), TWO)
                .put(europe.key("ann"), TWO)
                .put(europe.namespace("de", "be").key("größe"), ONE)
                .put(pail.namespace("user").key("sann"), ONE)
                .put("plain", ONE)
                .commit();

        assertThat(keys(users.in(next).entries())).containsExactly("", "ann");
        assertThat(users.in(next).get("ann")).contains(ONE);
        assertThat(keys(next.namespace("users", "eu").entries())).containsExactly("ann");
        assertThat(next.namespace("users", "eu", "de").entries()).isEmpty();
        assertThat(keys(next.namespace("users", "eu", "de", "be").entries())).containsExactly("größe");
        assertThat(users.entries()).isEmpty();

        Namespace without = users.in(next).delete("ann");
        assertThat(keys(without.entries())).containsExactly("");
        assertThat(europe.in(without.pail()).get("ann")).contains(TWO);
        assertThat(without.delete("nobody").pail().root())
                .isEqualTo(without.pail().root());
        assertThat(without.pail().delete("plain").namespaces()).containsExactly(Name.of("user"), Name.of("users"));
        assertThat(next.namespace("users").namespaces()).containsExactly(Name.of("eu"));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void bytesAreKeysInEachFormat(ShardFormat format) {
        Name zero = Name.of(new byte[] {0});
        Name high = Name.of(new byte[] {-1, -2});
        Namespace binary = Pail.create(new MapBlocks(), format).namespace("b").namespace(high);
        Namespace filled = binary.put(high, ONE).put(zero, TWO);

        assertThat(filled.entries()).containsExactly(new NamespaceEntry(zero, TWO), new NamespaceEntry(high, ONE));
        assertThat(filled.entries(NameRange.prefix(Name.of(new byte[] {-1})))).hasSize(1);
        assertThat(filled.delete(high).entries()).hasSize(1);
        assertThat(filled.pail().namespace("b").namespaces()).containsExactly(high);
    }

    @Test
    void namesAreInSeparatedHexadecimalByDefault_N10() {
        MapBlocks blocks = new MapBlocks();
        assertThat(Pail.create(blocks, ShardFormat.v0()).namespace("foo").key("bar"))
                .isEqualTo("666f6f\0" + "626172");
        assertThat(Pail.create(blocks, ShardFormat.v1()).namespace("foo").key("bar"))
                .isEqualTo("666f6f!626172");
        assertThat(Pail.create(blocks, ShardFormat.v2()).namespace("foo").key("bar"))
                .isEqualTo("666f6f!626172");
    }

    /** What is not stripped cannot open a way into another namespace, for reading no more than for writing. */
    @Test
    void delimitersAreRefusedWhereverTheyCome() {
        KeyCodec codec = KeyCodec.delimited('!');
        Pail pail = Pail.create(new MapBlocks());
        Namespace users = pail.namespace(codec, List.of(Name.of("users")));
        Namespace filled = users.namespace("root").put("password", ONE);

        assertThat(filled.pail().get("users!!root!password")).contains(ONE);
        Namespace view = users.in(filled.pail());
        String injected = "!root!password";
        assertThatThrownBy(() -> view.get(injected)).isInstanceOf(KeyNotAllowedException.class);
        assertThatThrownBy(() -> view.put(injected, TWO)).isInstanceOf(KeyNotAllowedException.class);
        assertThatThrownBy(() -> view.delete(injected)).isInstanceOf(KeyNotAllowedException.class);
        assertThatThrownBy(() -> view.namespace("a!b")).isInstanceOf(KeyNotAllowedException.class);
        assertThatThrownBy(() -> view.entries(KeyRange.prefix("!root!"))).isInstanceOf(KeyNotAllowedException.class);
        assertThat(view.entries()).isEmpty();
    }

    @Test
    void aKeyThatTheFormatRefusesIsNamed() {
        Pail pail = Pail.create(new MapBlocks(), ShardFormat.v1());
        assertThatThrownBy(() -> pail.namespace(KeyCodec.separatedHex('\0'), List.of(Name.of("a")))
                        .put("k", ONE))
                .isInstanceOf(KeyNotAllowedException.class)
                .hasMessageContaining("not printable ASCII, at index 2");
        assertThatThrownBy(() -> pail.namespace("n").put("k".repeat(2047), ONE))
                .isInstanceOf(KeyNotAllowedException.class)
                .hasMessageContaining("over maxKeySize");
        assertThat(pail.namespace("n").put("k".repeat(2046), ONE).entries()).hasSize(1);
        assertThatThrownBy(() -> pail.namespace(KeyCodec.lengthPrefixed(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pail.namespace("a\ud800")).isInstanceOf(KeyNotAllowedException.class);
    }

    @Test
    void foreignKeysAreNamed() {
        Namespace users =
                Pail.create(new MapBlocks(), ShardFormat.v1()).namespace("u").put("a", ONE);
        Namespace mixed = users.in(users.pail().put("75!zz", TWO));
        assertThat(mixed.get("a")).contains(ONE);
        assertThatThrownBy(() -> mixed.entries().toList())
                .isInstanceOf(MalformedDataException.class)
                .hasMessage("malformed key: \"75!zz\": \"z\" is none of the digits 0-9a-f (N2) (at offset 3)");
        Pail beside = users.pail().put("readme", TWO);
        assertThat(users.in(beside).entries()).hasSize(1);
        assertThatThrownBy(() -> beside.namespaces().toList())
                .isInstanceOf(MalformedDataException.class)
                .hasMessageContaining("malformed key: \"readme\": ");
    }

    /** Neither the keys of a namespace nor those of the ones within it are read to list the other. */
    @ParameterizedTest
    @MethodSource("codecs")
    void readsWhatItShows(KeyCodec codec) {
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks, ShardFormat.v1());
        Batch batch = pail.batch();
        Namespace outer = pail.namespace(codec, List.of(Name.of("outer")));
        for (int i = 0; i < 5_000; i++) {
            batch.put(outer.key("k" + i), ONE);
            batch.put(outer.namespace("n" + i % 7).key("k" + i), ONE);
        }
        Pail full = batch.commit();
        long scan = reads(blocks, full, version -> assertThat(version.entries()).hasSize(10_000));

        long listed = reads(
                blocks,
                full,
                version -> assertThat(outer.in(version).namespaces()).hasSize(7));
        long top = reads(
                blocks, full, version -> assertThat(version.namespaces(codec)).hasSize(1));
        long own = reads(
                blocks, full, version -> assertThat(outer.in(version).entries()).hasSize(5_000));
        long nested = reads(
                blocks,
                full,
                version ->
                        assertThat(outer.namespace("n3").in(version).entries()).hasSizeBetween(714, 715));
        long first = reads(
                blocks,
                full,
                version -> assertThat(outer.in(version).entries().limit(1)).hasSize(1));

        assertThat(listed).isLessThan(scan / 10);
        assertThat(top).isLessThan(scan / 50);
        assertThat(own).isLessThan(scan * 6 / 10);
        assertThat(nested).isLessThan(scan / 5);
        assertThat(first).isLessThan(scan / 50);
    }

    /**
     * A bound of a range of texts.
     *
     * @param narrow narrows a range by it
     * @param leaves whether it leaves a key where keys have an order
     */
    private record TextBound(
            String name, UnaryOperator<KeyRange> narrow, BiPredicate<String, Comparator<String>> leaves) {
        static List<TextBound> of(String text) {
            return List.of(
                    new TextBound(
                            "from " + text, range -> range.from(text), (key, order) -> order.compare(key, text) >= 0),
                    new TextBound(
                            "after " + text, range -> range.after(text), (key, order) -> order.compare(key, text) > 0),
                    new TextBound(
                            "through " + text,
                            range -> range.through(text),
                            (key, order) -> order.compare(key, text) <= 0),
                    new TextBound(
                            "before " + text,
                            range -> range.before(text),
                            (key, order) -> order.compare(key, text) < 0),
                    new TextBound("within " + text, range -> range.within(text), (key, order) -> key.startsWith(text)));
        }
    }

    private static List<String> texts(Stream<NamespaceEntry> entries) {
        return entries.map(entry -> entry.key().text().orElseThrow()).toList();
    }

    /** In the order of bytes, U+FFFF comes before what is beyond it; in that of String.compareTo, behind it. */
    @ParameterizedTest
    @MethodSource("codecs")
    void eachBoundOfARangeOfTextsCountsInTheOrderOfTheCodec(KeyCodec codec) {
        List<String> keys =
                List.of("", "a", "\ud7ff", "\ue000", "\uffff", "\ud83d\ude00", "\uffffa", "\ud83d\ude00\uffff");
        Namespace namespace = Pail.create(new MapBlocks()).namespace(codec, List.of(Name.of("n")));
        for (String key : keys) {
            namespace = namespace.put(key, ONE);
        }
        Comparator<String> order =
                codec.equals(KeyCodec.delimited('!')) ? Comparator.naturalOrder() : Comparator.comparing(Name::of);
        List<String> inOrder = keys.stream().sorted(order).toList();
        assertThat(texts(namespace.entries())).isEqualTo(inOrder);
        List<TextBound> bounds =
                keys.stream().map(TextBound::of).flatMap(List::stream).toList();
        for (TextBound one : bounds) {
            for (TextBound two : bounds) {
                KeyRange range = two.narrow.apply(one.narrow.apply(KeyRange.all()));
                assertThat(texts(namespace.entries(range)))
                        .as("%s, %s, %s", codec, one.name, two.name)
                        .isEqualTo(inOrder.stream()
                                .filter(key -> one.leaves.test(key, order) && two.leaves.test(key, order))
                                .toList());
            }
        }
    }

    @Test
    void nothingIsReadBeforeAnEntryIsAskedFor() {
        MapBlocks blocks = new MapBlocks();
        Pail base = Pail.create(blocks);
        Namespace theirs =
                Pail.create(new MapBlocks()).namespace("n").put("a", ONE).put("b", TWO);
        // The blocks are taken over; the version that has them has not read its root yet.
        Namespace merged = theirs.in(Pail.merge(base, base, theirs.pail()));
        long reads = blocks.reads.get();
        for (KeyRange range : List.of(KeyRange.all(), KeyRange.all().descending())) {
            assertThat(merged.entries(range)).isNotNull();
            assertThat(merged.entries(NameRange.all())).isNotNull();
        }
        assertThat(blocks.reads.get()).isEqualTo(reads);
        assertThat(keys(merged.entries())).containsExactly("a", "b");
        assertThat(keys(merged.entries(KeyRange.all().descending()))).containsExactly("b", "a");
        assertThat(blocks.reads.get()).isGreaterThan(reads);
    }

    static List<KeyCodec> codecs() {
        return List.of(KeyCodec.separatedHex('!'), KeyCodec.lengthPrefixed(), KeyCodec.delimited('!'));
    }

    private static long reads(MapBlocks blocks, Pail full, Consumer<Pail> work) {
        Pail fresh = Pail.open(blocks, full.root());
        long before = blocks.reads.get();
        work.accept(fresh);
        return blocks.reads.get() - before;
    }
}
