package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.car.CarExport;
import dev.pail.clock.Description;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.Query;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.segment.format.Delta;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import dev.pail.unixfs.FolderWriter;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes in the examples of {@code spec/} are those that the library writes. */
class SpecExamplesTest {
    private static final byte[] MILK = "milk".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TEA = "tea".getBytes(StandardCharsets.UTF_8);

    /** The random bytes of an update, behind the first byte of an array and the first of a byte string. */
    private static final int RANDOM_END = 18;

    @TempDir
    Path folder;

    private static List<String> blocks(String page, String kind) throws IOException {
        String text = Files.readString(Path.of(System.getProperty("pail.project", ".."))
                .resolve("spec")
                .resolve(page));
        return Pattern.compile("```" + kind + "\\n(.*?)```", Pattern.DOTALL)
                .matcher(text.substring(text.indexOf("## Example")))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    /** The bytes of the examples of a page, without what follows {@code #} on a line. */
    private static List<String> hex(String page) throws IOException {
        return blocks(page, "hex").stream()
                .map(block -> block.replaceAll("#[^\\n]*", "").replaceAll("\\s", ""))
                .toList();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static Pail pail(ShardFormat format) {
        return Pail.create(new MemoryBlockStore(), format)
                .batch()
                .putBytes("ab", MILK)
                .putBytes("ac", TEA)
                .commit();
    }

    private static Stream<Block> shards(ShardFormat format) {
        Pail pail = pail(format);
        return pail.traverse("ab").stream()
                .map(shard -> pail.blocks().get(shard.cid()).orElseThrow());
    }

    private static ReplicatedPail put() {
        return ReplicatedPail.create(new MemoryBlockStore(), ShardFormat.v1())
                .put("ab", Block.of(Cid.RAW, MILK).cid());
    }

    /** The page names the CID of each block, too. */
    private static void check(String page, Stream<Block> expected) throws IOException {
        List<Block> blocks = expected.toList();
        String text = Files.readString(Path.of(System.getProperty("pail.project", ".."))
                .resolve("spec")
                .resolve(page));
        assertThat(blocks)
                .allSatisfy(block -> assertThat(text).contains(block.cid().toString()));
        assertThat(hex(page))
                .containsExactlyElementsOf(
                        blocks.stream().map(block -> hex(block.bytes())).toList());
    }

    @Test
    void shardsOfEachFormat() throws IOException {
        check(
                "pail.md",
                Stream.of(ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2()).flatMap(SpecExamplesTest::shards));
    }

    @Test
    void events() throws IOException {
        ReplicatedPail before = put();
        ReplicatedPail after = before.delete("ab");
        check(
                "clock.md",
                Stream.of(before, after)
                        .map(pail -> after.clock()
                                .blocks()
                                .get(pail.head().events().get(0))
                                .orElseThrow()));
    }

    @Test
    void aDescribedEvent() throws IOException {
        Description why =
                Description.of("Ann <ann@example.org>", "for breakfast", Instant.parse("2026-11-26T17:21:28.783Z"));
        ReplicatedPail pail = ReplicatedPail.create(new MemoryBlockStore(), ShardFormat.v1())
                .described(why)
                .put("ab", Block.of(Cid.RAW, MILK).cid());
        check(
                "described-events.md",
                Stream.of(pail.clock().event(pail.head().events().get(0)).block()));
    }

    @Test
    void anExport() throws IOException {
        Pail pail = pail(ShardFormat.v1());
        ByteArrayOutputStream car = new ByteArrayOutputStream();
        CarExport.of(pail.blocks(), List.of(pail.root())).writeTo(car, "car");
        assertThat(hex("car.md")).containsExactly(hex(car.toByteArray()));
    }

    @Test
    void aProof() throws IOException {
        Pail pail = pail(ShardFormat.v1());
        assertThat(hex("proofs.md")).containsExactly(hex(pail.prove("ab").bytes()));
        Proof proof = Proof.read(HexFormat.of().parseHex(hex("proofs.md").get(0)));
        assertThat(proof.verify(pail.root(), new Query.Key("ab")))
                .isEqualTo(new Answer.Present(Block.of(Cid.RAW, MILK).cid()));
        assertThat(pail.prove("ad").bytes()).isEqualTo(pail.prove("ab").bytes());
    }

    @Test
    void aFolderAndAFile() throws IOException {
        MemoryBlockStore blocks = new MemoryBlockStore();
        FolderWriter writer = new FolderWriter(blocks, blocks);
        writer.add("milk.txt", UnixFs.write(blocks, new ByteArrayInputStream(MILK)));
        Cid made = writer.finish();
        Cid file = UnixFs.write(blocks, new ByteArrayInputStream(new byte[(1 << 20) + 1]));
        check("files.md", Stream.of(made, file).map(cid -> blocks.get(cid).orElseThrow()));
    }

    @Test
    void aSegmentIsRead() throws IOException {
        Path store = Files.createDirectory(folder.resolve("blocks"));
        Files.write(
                store.resolve("00000.open"),
                HexFormat.of().parseHex(hex("segments.md").get(0)));
        try (SegmentBlockStore blocks = SegmentBlockStore.open(store)) {
            assertThat(blocks.get(Block.of(Cid.RAW, MILK).cid()).orElseThrow().bytes())
                    .isEqualTo(MILK);
        }
    }

    @Test
    void aDelta() throws IOException {
        byte[] delta = Delta.of(
                "buy milk today".getBytes(StandardCharsets.UTF_8),
                "buy bread today".getBytes(StandardCharsets.UTF_8),
                100);
        assertThat(hex("segments.md").get(1)).isEqualTo(hex(delta));
    }

    @Test
    void aSignedHead() throws IOException {
        List<String> texts = blocks("signed-heads.md", "text");
        List<String> keys = texts.get(0).lines().toList();
        SigningKey key = SigningKey.parse(keys.get(0));
        ReplicatedPail pail = put().delete("ab");
        byte[] note = new SignedHead("main", 2, pail.root(), pail.head()).sign(key);
        assertThat(texts.get(1)).isEqualTo(new String(note, StandardCharsets.UTF_8));
        assertThat(keys.get(1)).isEqualTo(key.verifierKey().toString());
    }

    @Test
    void aRepository() throws IOException {
        List<String> texts = blocks("repository.md", "text");
        Path place = folder.resolve("repository");
        Head head;
        try (Repository repository = FileRepository.init(place, ShardFormat.v1())) {
            repository.update("main", pail -> pail.putBytes("ab", MILK));
            repository.update("main", pail -> pail.delete("ab"));
            head = repository.head("main");
        }
        String id = texts.get(0)
                .lines()
                .filter(line -> line.startsWith("id = "))
                .findFirst()
                .orElseThrow();
        assertThat(Files.readString(place.resolve("config")).replaceFirst("id = [0-9a-f-]{36}", id))
                .isEqualTo(texts.get(0));
        assertThat(Files.readString(place.resolve("heads/main"))).isEqualTo(texts.get(1));
        Files.writeString(place.resolve("logs/main"), texts.get(2));
        try (Repository repository = FileRepository.open(place);
                Stream<LogEntry> log = repository.history().log("main")) {
            assertThat(log.map(LogEntry::reason)).containsExactly("delete \"ab\"", "put \"ab\"");
            assertThat(repository.head("main")).isEqualTo(head);
        }
        assertThat(place.resolve("blocks/CQ/BCIQIQJPHMUYPQ77VY433GJKMNE3LYCUQXOR2CCURXO5HHETIECGTPCQ.data"))
                .hasBinaryContent(MILK);
    }

    @Test
    void aRecord() throws IOException {
        MemoryRefs.Records records = new MemoryRefs.Records();
        Clock clock = Clock.fixed(Instant.parse("2026-11-26T08:30:00.5Z"), ZoneOffset.UTC);
        try (Repository repository =
                Repository.open(new RecordRefs(records, "records", clock), new MemoryBlocks(), ShardFormat.v1())) {
            repository.update("main", "put \"ab\"", pail -> pail.putBytes("ab", MILK));
        }
        byte[] content = records.newest("branch/main").orElseThrow().getValue();
        byte[] example = HexFormat.of().parseHex(hex("repository.md").get(0));
        Arrays.fill(content, 2, RANDOM_END, (byte) 0);
        Arrays.fill(example, 2, RANDOM_END, (byte) 0);
        assertThat(hex(example)).isEqualTo(hex(content));
    }
}
