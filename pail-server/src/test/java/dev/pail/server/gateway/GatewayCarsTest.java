package dev.pail.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.WatchedBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.server.Served;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.FolderWriter;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.WalkLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** CARs of the gateway: the cases of ipfs/gateway-conformance, over its fixtures, and those of the text that it leaves out. */
class GatewayCarsTest {
    private static final Cid HELLO = Cid.parse("bafkqaf3imvwgy3zaneqgc3janfxgy2lomvscay3jmqfa");

    /** The chunks of {@code multiblock.txt}: four of 256 bytes and one of 2. */
    private static final List<Cid> CHUNKS = cids(
            "bafkreie5noke3mb7hqxukzcy73nl23k6lxszxi5w3dtmuwz62wnvkpsscm",
            "bafkreih4ephajybraj6wnxsbwjwa77fukurtpl7oj7t7pfq545duhot7cq",
            "bafkreigu7buvm3cfunb35766dn7tmqyh2um62zcio63en2btvxuybgcpue",
            "bafkreicll3huefkc3qnrzeony7zcfo7cr3nbx64hnxrqzsixpceg332fhe",
            "bafkreifst3pqztuvj57lycamoi7z34b4emf7gawxs74nwrc2c7jncmpaqm");

    private final Served served = new Served();

    @AfterEach
    void close() {
        served.close();
    }

    private static List<Cid> cids(String... texts) {
        return List.of(texts).stream().map(Cid::parse).toList();
    }

    private Cid find(Cid root, String... names) {
        Cid found = root;
        for (String name : names) {
            found = UnixFs.find(served.blocks(), found, name).orElseThrow();
        }
        return found;
    }

    private static List<Cid> all(Object... parts) {
        List<Cid> all = new ArrayList<>();
        for (Object part : parts) {
            if (part instanceof Cid cid) {
                all.add(cid);
            } else {
                ((List<?>) part).forEach(each -> all.add((Cid) each));
            }
        }
        return all;
    }

    private List<Cid> shardsOf(Cid folder) {
        List<Cid> read = new ArrayList<>();
        UnixFs.names(noting(read), folder, WalkLimits.DEFAULT).forEachRemaining(name -> {});
        return read;
    }

    /** The blocks of the server, which notes each that it gives. */
    private BlockStore noting(List<Cid> read) {
        return new WatchedBlockStore(served.blocks(), block -> read.add(block.cid()));
    }

    @Test
    void thePathComesBeforeTheDag_GW4() throws IOException {
        Cid root = served.fixture("subdir-with-mixed-block-files");
        Cid folder = find(root, "subdir");
        Cid file = find(folder, "multiblock.txt");
        assertThat(served.car("/ipfs/" + root + "/subdir/multiblock.txt?format=car"))
                .isEqualTo(all(root, folder, file, CHUNKS));
        assertThat(served.car("/ipfs/" + root + "/subdir/ascii.txt/?format=car"))
                .isEqualTo(all(root, folder, find(folder, "ascii.txt")));
        assertThat(served.car("/ipfs/" + root + "/subdir?format=car&dag-scope=all"))
                .isEqualTo(all(root, folder, find(folder, "ascii.txt"), find(folder, "hello.txt"), file, CHUNKS));
        HttpResponse<byte[]> response = served.get("/ipfs/" + root + "/subdir/ascii.txt?format=car");
        assertThat(Served.roots(response)).containsExactly(find(folder, "ascii.txt"));
        assertThat(Served.header(response, "X-Ipfs-Roots"))
                .isEqualTo(root + "," + folder + "," + find(folder, "ascii.txt"));
        assertThat(Served.header(response, "X-Ipfs-Path")).isEqualTo("/ipfs/" + root + "/subdir/ascii.txt");
        assertThat(Served.header(response, "Ipfs-Uri")).isEqualTo("ipfs://" + root + "/subdir/ascii.txt");
    }

    @Test
    void aPathThroughAShardedFolderTakesOnlyItsShards_GW4() throws IOException {
        Cid root = served.fixture("single-layer-hamt-with-multi-block-files");
        for (String name : List.of("685.txt", "1.txt", "470.txt")) {
            List<Cid> way = new ArrayList<>();
            Cid file = UnixFs.find(noting(way), root, name).orElseThrow();
            assertThat(way).hasSizeBetween(2, 4).startsWith(root);
            assertThat(served.car("/ipfs/" + root + "/" + name + "?format=car&dag-scope=block"))
                    .isEqualTo(all(way, file));
            assertThat(served.car("/ipfs/" + root + "/" + name + "?format=car")).isEqualTo(all(way, file, CHUNKS));
        }
        served.assertRefused(404, "/ipfs/" + root + "/1001.txt?format=car", "a name of the path is not in " + root);
    }

    @Test
    void namesMayHaveAnyCharacters_GW1() throws IOException {
        Cid listing = served.fixture("dir-listing");
        assertThat(served.car("/ipfs/" + listing + "/%C4%85/%C4%99/file-%C5%BA%C5%82.txt?format=car"))
                .hasSize(4);
        Cid percent = served.fixture("dir-with-percent-encoded-filename");
        assertThat(served.car(
                        "/ipfs/" + percent + "/Portugal%252C+Espa%C3%B1a=Peninsula%20Ib%C3%A9rica.txt?format=car"))
                .hasSize(2);
    }

    @Test
    void aPathLeadsThroughDagCbor_GW4() throws IOException {
        Cid folder = served.fixture("dir-with-dag-cbor-with-links");
        Cid document = find(folder, "document");
        List<Cid> found = served.car("/ipfs/" + document + "/files/single?format=car");
        assertThat(found).hasSize(2).startsWith(document);
        assertThat(served.car("/ipfs/" + folder + "/document?format=car&dag-scope=entity"))
                .containsExactly(folder, document);
        // A place within a block is in that block.
        assertThat(served.car("/ipfs/" + document + "/files?format=car&dag-scope=block&car-dups=y"))
                .containsExactly(document);
        served.assertRefused(404, "/ipfs/" + document + "/files/none?format=car", document.toString());
        served.assertRefused(
                404, "/ipfs/" + found.get(1) + "/a?format=car", found.get(1).toString());
        Cid list = store(new DagCborWriter().array(2).integer(7).array(1).link(document));
        assertThat(served.car("/ipfs/" + list + "/1/0?format=car&dag-scope=block"))
                .containsExactly(list, document);
        for (String path : List.of("2", "-1", "01", "1/1", "0/0", "99999999999999999999", "x")) {
            served.assertRefused(404, "/ipfs/" + list + "/" + path + "?format=car", list.toString());
        }
    }

    private Cid store(DagCborWriter writer) {
        Block block = Block.of(Cid.DAG_CBOR, writer.toByteArray());
        served.blocks().put(block);
        return block.cid();
    }

    @Test
    void scopesTakeABlockAnEntityOrAll_GW5() throws IOException {
        Cid root = served.fixture("subdir-with-mixed-block-files");
        Cid folder = find(root, "subdir");
        Cid file = find(folder, "multiblock.txt");
        assertThat(served.car("/ipfs/" + root + "/subdir?format=car&dag-scope=block"))
                .isEqualTo(all(root, folder));
        assertThat(served.car("/ipfs/" + root + "/subdir/multiblock.txt?format=car&dag-scope=block"))
                .isEqualTo(all(root, folder, file));
        assertThat(served.car("/ipfs/" + root + "?format=car&dag-scope=entity")).containsExactly(root);
        assertThat(served.car("/ipfs/" + root + "/subdir/multiblock.txt?format=car&dag-scope=entity"))
                .isEqualTo(all(root, folder, file, CHUNKS));
        assertThat(served.car("/ipfs/" + CHUNKS.get(0) + "?format=car&dag-scope=entity"))
                .containsExactly(CHUNKS.get(0));
        Cid sharded = served.fixture("single-layer-hamt-with-multi-block-files");
        List<Cid> shards = shardsOf(sharded);
        assertThat(shards).hasSizeGreaterThan(100);
        assertThat(served.car("/ipfs/" + sharded + "?format=car&dag-scope=entity"))
                .isEqualTo(shards);
        assertThat(served.car("/ipfs/" + sharded + "?format=car&entity-bytes=0:*"))
                .isEqualTo(shards);
        Cid link = find(served.fixture("symlink"), "bar");
        assertThat(served.car("/ipfs/" + link + "?format=car&dag-scope=entity")).containsExactly(link);
        // A node of dag-pb that is nothing of UnixFS.
        Block node = Block.of(Cid.DAG_PB, new byte[] {10, 1, 'x'});
        served.blocks().put(node);
        for (String ofEntity : List.of("dag-scope=entity", "entity-bytes=0:*")) {
            served.assertRefused(
                    422, "/ipfs/" + node.cid() + "?format=car&" + ofEntity, "the UnixFS node cannot be read");
        }
        assertThat(served.car("/ipfs/" + node.cid() + "?format=car&dag-scope=block"))
                .containsExactly(node.cid());
        served.assertRefused(400, "/ipfs/" + root + "?format=car&dag-scope=most", "dag-scope is block, entity or all");
        served.assertRefused(
                400, "/ipfs/" + root + "?format=car&dag-scope=all&entity-bytes=0:1", "entity-bytes goes with");
    }

    @Test
    void aRangeTakesItsChunksOnly_GW6() throws IOException {
        Cid file = find(served.fixture("subdir-with-mixed-block-files"), "subdir", "multiblock.txt");
        assertThat(range(file, "0:*")).isEqualTo(all(file, CHUNKS));
        assertThat(range(file, "512:*")).isEqualTo(all(file, CHUNKS.subList(2, 5)));
        assertThat(range(file, "512:1023")).isEqualTo(all(file, CHUNKS.subList(2, 4)));
        assertThat(range(file, "512:-256")).isEqualTo(all(file, CHUNKS.subList(2, 4)));
        assertThat(range(file, "-5:*")).isEqualTo(all(file, CHUNKS.subList(3, 5)));
        assertThat(range(file, "-9999:*")).isEqualTo(all(file, CHUNKS));
        assertThat(range(file, "-9999:-3")).isEqualTo(all(file, CHUNKS.subList(0, 4)));
        assertThat(range(file, "0:0")).isEqualTo(all(file, CHUNKS.get(0)));
        assertThat(range(file, "255:256")).isEqualTo(all(file, CHUNKS.subList(0, 2)));
        assertThat(range(file, "1025:999999999999999999")).isEqualTo(all(file, CHUNKS.get(4)));
        // Nothing is left of these ranges: the block alone shows why.
        for (String none : List.of("5:4", "-5:-10", "0:-1027", "-999999999999999999:-999999999999999999")) {
            assertThat(range(file, none)).containsExactly(file);
        }
        for (String behind : List.of("1026:*", "999999999999999999:*")) {
            served.assertRefused(400, "/ipfs/" + file + "?format=car&entity-bytes=" + behind, "behind the end", "1026");
        }
        for (String form : List.of(
                "",
                "0",
                ":",
                "0:",
                ":5",
                "*:5",
                "0-5",
                "a:b",
                "+1:2",
                "--1:*",
                "0:1:2",
                "9223372036854775808:*",
                "0:**")) {
            served.assertRefused(400, "/ipfs/" + file + "?format=car&entity-bytes=" + form, "entity-bytes is FROM:TO");
        }
        assertThat(range(CHUNKS.get(0), "3:5")).containsExactly(CHUNKS.get(0));
        Cid empty = served.raw("");
        assertThat(range(empty, "0:*")).containsExactly(empty);
        assertThat(range(empty, "7:*")).containsExactly(empty);
    }

    private List<Cid> range(Cid cid, String bytes) {
        return served.car("/ipfs/" + cid + "?format=car&entity-bytes=" + bytes);
    }

    @Test
    void aRangeNeedsNoOtherChunks_GW6() throws IOException {
        Cid file = served.fixture("file-3k-and-3-blocks-missing-block");
        assertThat(range(file, "0:1000")).isEqualTo(all(file, cids("QmPKt7ptM2ZYSGPUc8PmPT2VBkLDK3iqpG9TBJY7PCE9rF")));
        assertThat(range(file, "2200:*")).isEqualTo(all(file, cids("QmWXY482zQdwecnfBsj78poUUuPXvyw2JAFAEMw4tzTavV")));
    }

    @Test
    void duplicatesAreWrittenAsOftenAsTheWalkComesToThem_GW7() throws IOException {
        Cid root = served.fixture("dir-with-files");
        Cid ascii = find(root, "ascii.txt");
        Cid hello = find(root, "hello.txt");
        Cid file = find(root, "multiblock.txt");
        List<Cid> twice = all(root, ascii, ascii, hello, file, CHUNKS);
        List<Cid> once = all(root, ascii, hello, file, CHUNKS);
        String path = "/ipfs/" + root;
        String dups = "application/vnd.ipld.car; version=1; order=dfs; dups=";
        assertThat(served.car(path, "Accept", dups + "y")).isEqualTo(twice);
        assertThat(served.car(path, "Accept", dups + "n")).isEqualTo(once);
        assertThat(served.car(path + "?format=car")).isEqualTo(once);
        assertThat(served.car(path + "?format=car", "Accept", dups + "y")).isEqualTo(twice);
        assertThat(served.car(path + "?format=car&car-dups=y", "Accept", dups + "n"))
                .isEqualTo(twice);
        assertThat(Served.header(served.get(path + "?format=car&car-dups=y"), "Content-Type"))
                .isEqualTo(dups + "y");
    }

    @Test
    void aFileHasItsChunksAsOftenAsItReadsThem_GW7() throws IOException {
        Cid file = UnixFs.write(served.blocks(), new ByteArrayInputStream(new byte[3 << 18]), FileLayout.KIBI_256);
        Cid chunk = Block.of(Cid.RAW, new byte[1 << 18]).cid();
        assertThat(served.car("/ipfs/" + file + "?format=car&dag-scope=entity&car-dups=y"))
                .containsExactly(file, chunk, chunk, chunk);
        assertThat(served.car("/ipfs/" + file + "?format=car&dag-scope=entity")).containsExactly(file, chunk);
    }

    @Test
    void identityCidsAreNoBlocks_GW15() {
        HttpResponse<byte[]> hello = served.get("/ipfs/" + HELLO + "?format=car&car-dups=y");
        assertThat(Served.cids(hello)).isEmpty();
        assertThat(Served.roots(hello)).containsExactly(HELLO);
        assertThat(Served.text(served.get("/ipfs/" + HELLO + "?format=raw"))).isEqualTo("hello i am inlined cid\n");
        Cid block = served.raw("behind");
        Cid within = Cid.fromBytes(
                identity(Cid.DAG_CBOR, new DagCborWriter().array(1).link(block).toByteArray()));
        Cid root = store(new DagCborWriter().array(2).link(within).link(HELLO));
        for (String dups : List.of("y", "n")) {
            assertThat(served.car("/ipfs/" + root + "?format=car&car-dups=" + dups))
                    .containsExactly(root, block);
        }
        assertThat(served.car("/ipfs/" + within + "?format=car")).containsExactly(block);
        assertThat(served.car("/ipfs/" + root + "/0/0?format=car")).containsExactly(root, block);
    }

    private static byte[] identity(long codec, byte[] bytes) {
        byte[] cid = new byte[4 + bytes.length];
        cid[0] = 1;
        cid[1] = (byte) codec;
        cid[3] = (byte) bytes.length;
        System.arraycopy(bytes, 0, cid, 4, bytes.length);
        return cid;
    }

    @Test
    void theProbeIsAnswered_GW15() {
        String probe = "/ipfs/bafkqaaa";
        HttpResponse<byte[]> raw = served.get(probe + "?format=raw");
        assertThat(raw.statusCode()).isEqualTo(200);
        assertThat(raw.body()).isEmpty();
        assertThat(served.get(probe + "?format=car").body())
                .asHexString()
                .isEqualToIgnoringCase("19a265726f6f747381d82a4500015500006776657273696f6e01");
        for (String format : List.of("raw", "car")) {
            HttpResponse<byte[]> head = served.ask("HEAD", probe + "?format=" + format);
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
        }
    }

    @Test
    void headHasTheHeadersOfGet_GW1() {
        String path = "/ipfs/" + served.raw("a value") + "?format=car";
        HttpResponse<byte[]> get = served.get(path);
        HttpResponse<byte[]> head = served.ask("HEAD", path);
        assertThat(head.body()).isEmpty();
        for (String name : List.of("Content-Length", "Transfer-Encoding", "Content-Type", "ETag")) {
            assertThat(Served.header(head, name)).as(name).isEqualTo(Served.header(get, name));
        }
        assertThat(Served.header(head, "Content-Length")).isEmpty();
    }

    @Test
    void aLargeDagIsStreamed_GW9() throws IOException {
        Cid file = served.file(20 << 20);
        FolderWriter folder = new FolderWriter(served.blocks(), served.blocks());
        folder.add("a/b/file", file);
        Cid root = folder.finish();
        assertThat(served.car("/ipfs/" + root + "/a?format=car")).hasSize(4 + 20);
        assertThat(served.get("/ipfs/" + root + "?format=car").headers().firstValue("Content-Length"))
                .isEmpty();
    }

    @Test
    void aCarThatCannotBeCompletedLooksBroken_GW9() throws IOException {
        Cid first = served.file(4 << 20);
        Cid absent = Block.of(Cid.RAW, new byte[1]).cid();
        Cid root = store(new DagCborWriter().array(2).link(first).link(absent));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> served.get("/ipfs/" + root + "?format=car"))
                .withMessageStartingWith("no whole response");
        String sent = served.send("GET /ipfs/" + root + "?format=car HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(sent).startsWith("HTTP/1.1 200").doesNotEndWith("0\r\n\r\n").hasSizeGreaterThan(4 << 20);
        // As long as nothing was sent, there is a better answer.
        Cid small = store(new DagCborWriter().array(1).link(absent));
        served.assertRefused(404, "/ipfs/" + small + "?format=car", "missing", absent.toString());
        assertThat(served.send("GET /ipfs/" + root + "?format=car HTTP/1.0\r\nHost: localhost\r\n\r\n"))
                .startsWith("HTTP/1.1 505")
                .contains("a CAR is sent with HTTP/1.1 only");
    }
}
