package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The examples of the specification of Pail, as they stand there: a shard is the dag-json of its entries, and CIDs have the names that
 * the page gives them. {@code spec/pail.md}, section 9, has the list.
 */
class SpecificationPageTest {
    /** A line of the table "What a character is": key, code points, code units, pieces. */
    private static final Pattern CASE =
            Pattern.compile("(?m)^\\| (\\d+ × `.*) \\| (\\d+) \\| (\\d+) \\| ([0-9, ]+) \\|$");

    private static final Pattern PART = Pattern.compile("(\\d+) × `([^`]+)`");
    private static final int MAX_SIZE = 512 * 1024;

    private final MapBlocks blocks = new MapBlocks();
    private final Map<Cid, String> names = new HashMap<>();

    /** A value with a name such as bafyvaluea. */
    private Cid value(String name) {
        Cid cid = Block.of(Cid.RAW, name.getBytes(StandardCharsets.UTF_8)).cid();
        names.put(cid, name);
        return cid;
    }

    private static byte[] data(Cid cid) {
        return HostileCbor.link(cid.toBytes());
    }

    /** A shard of version 0 in the store, linked as bafyshard. */
    private Cid bafyshard(byte[]... entries) {
        Block block = HostileShards.block(HostileShards.v0(entries));
        blocks.put(block);
        names.put(block.cid(), "bafyshard");
        return block.cid();
    }

    private Pail root(byte[]... entries) {
        Block block = HostileShards.block(HostileShards.v0(entries));
        blocks.put(block);
        return Pail.open(blocks, block.cid());
    }

    private static byte[] entry(String key, byte[] value) {
        return HostileShards.entry(key, value);
    }

    private static byte[] tuple(byte[]... items) {
        return HostileCbor.array(items);
    }

    private String link(Cid cid) {
        return "{ '/': '" + names.getOrDefault(cid, cid.toString()) + "' }";
    }

    private String dagJson(ShardView.Item item) {
        String value = item.data().map(this::link).orElse("");
        if (item.shard().isPresent()) {
            value = "[" + link(item.shard().get().cid()) + (value.isEmpty() ? "" : ", " + value) + "]";
        }
        return "['" + item.shardKey() + "', " + value + "]";
    }

    private String dagJson(ShardView shard) {
        return shard.items().map(this::dagJson).collect(Collectors.joining(", ", "[", "]"));
    }

    private String dagJson(Pail pail) {
        return dagJson(pail.shard());
    }

    private static ShardView below(ShardView shard, int entry) {
        return shard.items().toList().get(entry).shard().orElseThrow();
    }

    /** A picture of a shard: the entries, with the shards that they link to in brackets. */
    private static String picture(ShardView shard) {
        return shard.items()
                .map(item -> item.shardKey()
                        + item.shard()
                                .map(below -> " -> [" + picture(below) + "]")
                                .orElse(""))
                .collect(Collectors.joining(", "));
    }

    /** "Shard Link": with and without user data, with the CIDs of the page. */
    @Test
    void aShardLinkIsATuple_S5() {
        Cid shard = Cid.parse("bafyreibq6w6xgqluv7ubskavehlfsnvodmh2gbc2q4c3d4ijlf7gva2day");
        Cid user = Cid.parse("bafkreiem4twkqzsq2aj4shbycd4yvoj2cx72vezicletlhi7dijjciqpui");
        assertThat(dagJson(root(entry("a", data(user))))).isEqualTo("[['a', { '/': '" + user + "' }]]");
        assertThat(dagJson(root(entry("a", tuple(data(shard)))))).isEqualTo("[['a', [{ '/': '" + shard + "' }]]]");
        assertThat(dagJson(root(entry("a", tuple(data(shard), data(user))))))
                .isEqualTo("[['a', [{ '/': '" + shard + "' }, { '/': '" + user + "' }]]]");
    }

    /** "Shard Link": one or two elements, the first not null. */
    @Test
    void anotherShardLinkIsRefused_S5() {
        byte[] link = data(bafyshard(HostileShards.entry("a")));
        byte[] none = HostileCbor.NULL;
        for (byte[] wrong :
                List.of(tuple(), tuple(none), tuple(none, link), tuple(link, none), tuple(link, link, link))) {
            assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> root(entry("a", wrong)));
        }
        assertThat(root(entry("a", tuple(link, link))).get("a")).isPresent();
    }

    /** "New Value". */
    @Test
    void aNewValue_P1() {
        Pail before = root(entry("a", data(value("bafyvaluea"))), entry("c", data(value("bafyvaluec"))));
        assertThat(dagJson(before)).isEqualTo("[['a', { '/': 'bafyvaluea' }], ['c', { '/': 'bafyvaluec' }]]");
        assertThat(dagJson(before.put("b", value("bafyvalueb"))))
                .isEqualTo(
                        "[['a', { '/': 'bafyvaluea' }], ['b', { '/': 'bafyvalueb' }], ['c', { '/': 'bafyvaluec' }]]");
    }

    /** "Existing User Data Value". */
    @Test
    void anExistingUserDataValue_P1() {
        Pail before = root(entry("a", data(value("bafyvaluea"))));
        assertThat(dagJson(before.put("a", value("bafyvalueaaa")))).isEqualTo("[['a', { '/': 'bafyvalueaaa' }]]");
    }

    /** "Existing Shard Link Value": both examples. */
    @Test
    void anExistingShardLinkValue_P1() {
        Pail before = root(entry("a", tuple(data(bafyshard(HostileShards.entry("b"))))));
        assertThat(dagJson(before)).isEqualTo("[['a', [{ '/': 'bafyshard' }]]]");
        Pail after = before.put("a", value("bafyvaluea"));
        assertThat(dagJson(after)).isEqualTo("[['a', [{ '/': 'bafyshard' }, { '/': 'bafyvaluea' }]]]");
        assertThat(dagJson(after.put("a", value("bafyvalueaaa"))))
                .isEqualTo("[['a', [{ '/': 'bafyshard' }, { '/': 'bafyvalueaaa' }]]]");
    }

    /** "Long Keys": 64, 64 and 10 characters. */
    @Test
    void longKeys_V0_3() {
        String ax64 = "a".repeat(64);
        String bx64 = "b".repeat(64);
        String cx10 = "c".repeat(10);
        Pail pail = Pail.create(blocks).put(ax64 + bx64 + cx10, value("bafyvalue"));
        ShardView bafyshard1 = below(pail.shard(), 0);
        ShardView bafyshard0 = below(bafyshard1, 0);
        names.put(bafyshard1.cid(), "bafyshard1");
        names.put(bafyshard0.cid(), "bafyshard0");
        assertThat(dagJson(pail)).isEqualTo("[['" + ax64 + "', [{ '/': 'bafyshard1' }]]]");
        assertThat(dagJson(bafyshard1)).isEqualTo("[['" + bx64 + "', [{ '/': 'bafyshard0' }]]]");
        assertThat(dagJson(bafyshard0)).isEqualTo("[['" + cx10 + "', { '/': 'bafyvalue' }]]");
    }

    /** The pieces of a key, in the shards from the root down. */
    private List<Integer> pieces(String key) {
        List<Integer> lengths = new ArrayList<>();
        ShardView shard = Pail.create(blocks).put(key, value("bafyvalue")).shard();
        while (true) {
            ShardView.Item item = shard.items().findFirst().orElseThrow();
            lengths.add(item.shardKey().length());
            if (item.shard().isEmpty()) {
                return lengths;
            }
            shard = item.shard().get();
        }
    }

    /** "Key", "Long Keys": 64 characters are 64 code units, and no pair is cut. The cases are those of the page. */
    @Test
    void charactersAreUtf16CodeUnits_V0_2_V0_3() throws IOException {
        String page = Files.readString(
                Path.of(System.getProperty("pail.project", "..")).resolve("spec/pail.md"));
        List<MatchResult> cases = CASE.matcher(page).results().toList();
        assertThat(cases).hasSize(7);
        int beyond = 0;
        for (MatchResult each : cases) {
            String key = PART.matcher(each.group(1))
                    .results()
                    .map(part -> part.group(2).repeat(Integer.parseInt(part.group(1))))
                    .collect(Collectors.joining());
            assertThat(key.codePointCount(0, key.length())).as(key).isEqualTo(Integer.parseInt(each.group(2)));
            assertThat(key).hasSize(Integer.parseInt(each.group(3)));
            assertThat(pieces(key).toString()).as(key).isEqualTo("[" + each.group(4) + "]");
            beyond += key.contains("\ud83d") ? 1 : 0;
        }
        assertThat(beyond).isEqualTo(4);
    }

    /** "Sharding": both pictures, from puts one by one. */
    @Test
    void sharding_V0_4_V0_5() {
        Pail pail = Pail.create(blocks, ShardFormat.v0(330, 64));
        for (String key : List.of("abel", "foobarbaz", "foobarwooz", "food", "somethingelse")) {
            pail = pail.put(key, value(key));
        }
        assertThat(picture(pail.shard())).isEqualTo("abel, foobarbaz, foobarwooz, food, somethingelse");
        pail = pail.put("foobarboz", value("foobarboz"));
        assertThat(picture(pail.shard())).isEqualTo("abel, foobarb -> [az, oz], foobarwooz, food, somethingelse");
        pail = pail.put("foopey", value("foopey"));
        assertThat(picture(pail.shard())).isEqualTo("abel, foo -> [barb -> [az, oz], barwooz, d, pey], somethingelse");
    }

    /** "Shard", "Sharding": after each put, the shards that it wrote have at most 512 KiB, and most of the room is used. */
    @Test
    void noShardIsLargerThan512KiB_V0_1_V0_4() {
        Random random = Randomness.random("SpecificationPageTest.noShardIsLargerThan512KiB");
        Batch batch = Pail.create(blocks).batch();
        Cid cid = value("bafyvalue");
        int before = blocks.blocks.size();
        for (int i = 0; i < 20_000; i++) {
            batch.put("key/" + Integer.toString(random.nextInt(1 << 20), 36) + "/" + i, cid);
        }
        Pail pail = batch.commit();
        assertThat(blocks.blocks).hasSizeGreaterThan(before + 1);
        assertThat(PailStatistics.of(pail).largestShard()).isBetween(MAX_SIZE / 2, MAX_SIZE);
        assertThat(PailStatistics.of(pail).entries()).isEqualTo(20_000);
    }

    /** "Delete": from a root shard. */
    @Test
    void aDeleteFromTheRoot_P2() {
        assertThat(dagJson(root(entry("a", data(value("bafyvaluea")))).delete("a")))
                .isEqualTo("[]");
    }

    /** "Delete": from a non-root shard, with and without user data in key abb. */
    @Test
    void aDeleteFromANonRootShard_P2() {
        Cid bafyshard = bafyshard(entry("a", data(value("bafyvalue"))));
        Pail without = root(entry("abb", tuple(data(bafyshard))));
        assertThat(dagJson(without)).isEqualTo("[['abb', [{ '/': 'bafyshard' }]]]");
        assertThat(dagJson(below(without.shard(), 0))).isEqualTo("[['a', { '/': 'bafyvalue' }]]");
        assertThat(dagJson(without.delete("abba"))).isEqualTo("[]");
        Pail with = root(entry("abb", tuple(data(bafyshard), data(value("bafyvalueabb")))));
        assertThat(dagJson(with)).isEqualTo("[['abb', [{ '/': 'bafyshard' }, { '/': 'bafyvalueabb' }]]]");
        assertThat(dagJson(with.delete("abba"))).isEqualTo("[['abb', { '/': 'bafyvalueabb' }]]");
    }

    /** "Propagating Changes": a change below reaches the root, by a put and by a delete. */
    @Test
    void changesReachTheRoot_P3() {
        Cid bafyshard = bafyshard(entry("a", data(value("bafyvalue"))), entry("b", data(value("bafyvalue"))));
        Pail pail = root(entry("abb", tuple(data(bafyshard))), entry("z", data(value("bafyvalue"))));
        for (Pail next : List.of(pail.put("abba", value("bafyother")), pail.delete("abba"))) {
            assertThat(below(next.shard(), 0).cid()).isNotEqualTo(bafyshard);
            assertThat(next.root()).isNotEqualTo(pail.root());
            assertThat(Pail.open(blocks, next.root()).entries().toList())
                    .isEqualTo(next.entries().toList());
        }
    }

    /** "Shard Traversal": an exact key ends it, a prefix with a shard link continues it, and a prefix with user data does not. */
    @Test
    void traversal_S7() {
        Cid bafyshard = bafyshard(entry("a", data(value("bafyvalue"))));
        Pail pail = root(
                entry("ab", data(value("bafyvalue"))),
                entry("abb", tuple(data(bafyshard), data(value("bafyvalueabb")))),
                entry("z", data(value("bafyvalue"))));
        assertThat(pail.traverse("abba").stream().map(ShardView::prefix)).containsExactly("", "abb");
        assertThat(pail.traverse("abbx").stream().map(ShardView::prefix)).containsExactly("", "abb");
        assertThat(pail.traverse("abb").stream().map(ShardView::prefix)).containsExactly("");
        assertThat(pail.traverse("abc").stream().map(ShardView::prefix)).containsExactly("");
        assertThat(dagJson(below(pail.put("abbx", value("bafyx")).shard(), 1)))
                .isEqualTo("[['a', { '/': 'bafyvalue' }], ['x', { '/': 'bafyx' }]]");
    }
}
