package dev.pail.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.WatchedBlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.Query;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.spi.Epoch;
import dev.pail.server.JsonValues;
import dev.pail.server.Served;
import dev.pail.server.access.Quotas;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Row;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import dev.pail.testkit.Randomness;
import dev.pail.unixfs.FolderWriter;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.WalkLimits;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the JSON API reads. */
@Timeout(120)
class ApiTest {
    private static final long DAG_JSON = 0x0129;
    private static final String LETTERS = "ab/c\u00e9\ud83d\ude00\0%+ ";

    private static String percent(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            encoded.append(String.format("%%%02x", b));
        }
        return encoded.toString();
    }

    private static Map<String, Object> json(Served served, String path) {
        HttpResponse<byte[]> response = served.get(path);
        assertThat(response.statusCode())
                .as("%s: %s", path, Served.text(response))
                .isEqualTo(200);
        assertThat(Served.header(response, "Content-Type")).isEqualTo("application/json");
        assertThat(Served.header(response, "Cache-Control")).isEqualTo("no-store");
        return JsonValues.object(response.body());
    }

    /** All items of all pages. */
    private static List<Map<String, Object>> pages(Served served, String path, String field) {
        List<Map<String, Object>> all = new ArrayList<>();
        Map<String, Object> page = json(served, path);
        all.addAll(JsonValues.objects(page, field));
        while (page.get("next") != null) {
            assertThat(JsonValues.objects(page, field)).isNotEmpty();
            page = json(served, path + "&after=" + percent(String.valueOf(page.get("next"))));
            all.addAll(JsonValues.objects(page, field));
        }
        return all;
    }

    private static Cid cid(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8)).cid();
    }

    private static String key(Random random) {
        int[] points = LETTERS.codePoints().toArray();
        StringBuilder key = new StringBuilder();
        for (int left = 1 + random.nextInt(6); left > 0; left--) {
            key.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return key.toString();
    }

    private static Repository filled(Random random, int keys) {
        boolean isAscii = random.nextBoolean();
        Repository repository = Repository.inMemory(isAscii ? ShardFormat.v1() : ShardFormat.v0());
        repository.update("main", pail -> {
            for (int i = 0; i < keys; i++) {
                String key = key(random);
                pail = isAscii && !key.matches("[ -~]+") ? pail : pail.put(key, cid("value " + i));
            }
            return pail;
        });
        return repository;
    }

    @Test
    void keysComeInPages() {
        long seed = Randomness.seed("keysComeInPages");
        for (int run = 0; run < Randomness.times(5, 100); run++) {
            Random random = Randomness.random(seed + run);
            try (Served served = new Served(filled(random, random.nextInt(200)))) {
                for (String prefix : List.of("", "a", key(random), "b/")) {
                    int limit = 1 + random.nextInt(20);
                    List<Entry> listed =
                            pages(served, "/v1/keys?limit=" + limit + "&prefix=" + percent(prefix), "entries").stream()
                                    .map(item ->
                                            new Entry((String) item.get("key"), Cid.parse((String) item.get("value"))))
                                    .toList();
                    try (Stream<Entry> entries = served.repository.pail().entries(KeyRange.prefix(prefix))) {
                        assertThat(listed).isEqualTo(entries.toList());
                    }
                }
            }
        }
    }

    @Test
    void keysOfAFolderAreOneItem() {
        long seed = Randomness.seed("keysOfAFolderAreOneItem");
        for (int run = 0; run < Randomness.times(5, 100); run++) {
            Random random = Randomness.random(seed + run);
            try (Served served = new Served(filled(random, random.nextInt(200)))) {
                for (String prefix : List.of("", "a", "/", "b/", "c/a")) {
                    for (String delimiter : List.of("/", "a")) {
                        Set<String> expected = new LinkedHashSet<>();
                        try (Stream<Entry> entries = served.repository.pail().entries(KeyRange.prefix(prefix))) {
                            entries.forEach(entry -> {
                                int at = entry.key().indexOf(delimiter, prefix.length());
                                expected.add(
                                        at < 0
                                                ? "key " + entry.key()
                                                : "prefix " + entry.key().substring(0, at + 1));
                            });
                        }
                        int limit = 1 + random.nextInt(5);
                        String path = "/v1/keys?delimiter=" + percent(delimiter) + "&limit=" + limit + "&prefix="
                                + percent(prefix);
                        assertThat(pages(served, path, "entries").stream()
                                        .map(item -> item.containsKey("key")
                                                ? "key " + item.get("key")
                                                : "prefix " + item.get("prefix"))
                                        .toList())
                                .isEqualTo(List.copyOf(expected));
                    }
                }
            }
        }
    }

    /** The slow twin looks at all keys. */
    @Test
    void keysAreBetweenBoundsAndHaveAText() {
        long seed = Randomness.seed("keysAreBetweenBoundsAndHaveAText");
        for (int run = 0; run < Randomness.times(5, 100); run++) {
            Random random = Randomness.random(seed + run);
            try (Served served = new Served(filled(random, random.nextInt(200)))) {
                for (String prefix : List.of("", "a", "b/")) {
                    String from = prefix + key(random);
                    String before = prefix + key(random);
                    String text = List.of("a", "b", "/", "ab").get(random.nextInt(4));
                    String bounds = "&prefix=" + percent(prefix) + "&from=" + percent(from) + "&before="
                            + percent(before) + "&limit=" + (1 + random.nextInt(20));
                    List<String> between;
                    try (Stream<Entry> entries = served.repository.pail().entries()) {
                        between = entries.map(Entry::key)
                                .filter(key ->
                                        key.startsWith(prefix) && key.compareTo(from) >= 0 && key.compareTo(before) < 0)
                                .toList();
                    }
                    assertThat(keys(pages(served, "/v1/keys?sizes=false" + bounds, "entries")))
                            .isEqualTo(between);
                    assertThat(keys(pages(served, "/v1/keys?contains=" + percent(text) + bounds, "entries")))
                            .isEqualTo(between.stream()
                                    .filter(key ->
                                            key.substring(prefix.length()).contains(text))
                                    .toList());
                    Set<String> folders = new LinkedHashSet<>();
                    between.forEach(key -> folders.add(key.substring(0, end(key, prefix))));
                    assertThat(keys(pages(served, "/v1/keys?delimiter=/" + bounds, "entries")))
                            .isEqualTo(List.copyOf(folders));
                }
            }
        }
    }

    private static int end(String key, String prefix) {
        int at = key.indexOf('/', prefix.length());
        return at < 0 ? key.length() : at + 1;
    }

    private static List<String> keys(List<Map<String, Object>> items) {
        return items.stream()
                .map(item -> String.valueOf(item.containsKey("key") ? item.get("key") : item.get("prefix")))
                .toList();
    }

    /** A page ends after the keys that a request may look at, also without one that it looks for. */
    @Test
    void aSearchIsReadInParts() {
        try (Served served = new Served()) {
            Cid value = cid("value");
            served.repository.update("main", pail -> {
                var batch = pail.batch();
                for (int i = 0; i < KeyListing.MOST_LOOKED_AT; i++) {
                    batch.put(String.format("k%05d", i), value);
                }
                return batch.put("needle", value).put("other", value).commit();
            });
            Map<String, Object> first = json(served, "/v1/keys?contains=needle");
            assertThat(JsonValues.objects(first, "entries")).isEmpty();
            assertThat(first).containsEntry("next", String.format("k%05d", KeyListing.MOST_LOOKED_AT - 1));
            Map<String, Object> second = json(served, "/v1/keys?contains=needle&after=" + first.get("next"));
            assertThat(keys(JsonValues.objects(second, "entries"))).containsExactly("needle");
            assertThat(second).doesNotContainKey("next");
            assertThat(json(served, "/v1/keys?contains=needle&limit=1&prefix=needle"))
                    .as("of its own prefix there is nothing behind it")
                    .containsEntry("entries", List.of());
        }
    }

    @Test
    void keysHaveSizes() throws IOException {
        try (Served served = new Served()) {
            Cid raw = served.raw("milk");
            Cid file = served.file(3 << 20);
            Cid folder = folder(served, 3);
            Block event = served.blocks()
                    .require(served.repository.update("main", pail -> pail).root());
            served.repository.update(
                    "main",
                    pail -> pail.put("away", cid("elsewhere"))
                            .put("d/file", file)
                            .put("file", file)
                            .put("folder", folder)
                            .put("identity", Cid.parse("bafkqabdnnfwgw"))
                            .put("raw", raw)
                            .put("root", event.cid()));
            List<Map<String, Object>> entries =
                    JsonValues.objects(json(served, "/v1/keys?sizes=true&delimiter=/"), "entries");
            assertThat(entries.stream()
                            .map(entry -> entry.get("key") + " " + entry.get("size") + " " + entry.get("missing"))
                            .toList())
                    .containsExactly(
                            "away null true",
                            "null null null",
                            "file " + (3 << 20) + " null",
                            "folder null null",
                            "identity 4 null",
                            "raw 4 null",
                            "root " + event.size() + " null");
            assertThat(JsonValues.objects(json(served, "/v1/keys"), "entries"))
                    .allSatisfy(entry -> assertThat(entry).containsOnlyKeys("key", "value"));
        }
    }

    /** A page with sizes ends when it has read many bytes. */
    @Test
    void sizesAreReadInParts() {
        try (Served served = new Served()) {
            int size = 1 << 20;
            long most = MapEndpoints.MOST_READ / size;
            served.repository.update("main", pail -> {
                for (int i = 0; i < most + 2; i++) {
                    byte[] bytes = new byte[size];
                    bytes[0] = (byte) i;
                    Block block = Block.of(Cid.RAW, bytes);
                    served.blocks().put(block);
                    pail = pail.put(String.format("k%03d", i), block.cid());
                }
                return pail;
            });
            Map<String, Object> page = json(served, "/v1/keys?sizes=true");
            assertThat(JsonValues.objects(page, "entries")).hasSize((int) most);
            assertThat(page).containsEntry("next", String.format("k%03d", most - 1));
            assertThat(pages(served, "/v1/keys?sizes=true", "entries")).hasSize((int) most + 2);
        }
    }

    /** A folder of files, each with its number; sharded if they are many. */
    private static Cid folder(Served served, int files) {
        FolderWriter writer = new FolderWriter(served.blocks(), served.blocks());
        for (int i = 0; i < files; i++) {
            writer.add("file " + i, served.raw("text " + i));
        }
        return writer.finish();
    }

    @Test
    void aCidIsDescribed() throws IOException {
        try (Served served = new Served(Repository.inMemory(ShardFormat.v1()))) {
            Cid raw = served.raw("milk");
            Pail pail = served.repository
                    .update("main", before -> before.put("key", raw))
                    .pail();
            Cid event = served.repository.head("main").events().get(0);
            Block cbor = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa0});
            Block json = Block.of(DAG_JSON, "{}".getBytes(StandardCharsets.UTF_8));
            Block dagPb = Block.of(Cid.DAG_PB, new byte[] {0x0a, 1, 'x'});
            served.blocks().putAll(List.of(cbor, json, dagPb));
            assertNode(served, raw, "kind=file, size=4");
            assertNode(served, served.file(3 << 20), "kind=file, size=" + (3 << 20));
            assertNode(served, pail.root(), "kind=pail, size=" + size(served, pail.root()) + ", format=v1");
            assertNode(served, event, "kind=event, size=" + size(served, event) + ", root=" + pail.root());
            assertNode(served, cbor.cid(), "kind=data, size=1");
            assertNode(served, json.cid(), "kind=data, size=2");
            assertNode(
                    served,
                    dagPb.cid(),
                    "kind=data, size=3, unreadable=the UnixFS node cannot be read: " + dagPb.cid()
                            + ": a number ends within what it is in (at offset 3)");
            refused(served, "GET", "/v1/node?format=raw&cid=" + dagPb.cid(), 422, "damaged-file");
            assertNode(served, Cid.parse("bafkqaaa"), "kind=file, size=0");
            Cid folder = folder(served, 1);
            assertNode(served, folder, "kind=folder, entries=[{name=file 0, cid=" + cid("text 0") + "}]");
            Cid link = UnixFs.find(served.blocks(), served.fixture("symlink"), "bar")
                    .orElseThrow();
            assertNode(served, link, "kind=link, target=foo");
            refused(served, "GET", "/v1/node?cid=" + cid("elsewhere"), 404, "missing-block");
            refused(served, "GET", "/v1/node?format=raw&cid=" + cid("elsewhere"), 404, "missing-block");
            refused(served, "GET", "/v1/node?format=raw&cid=" + folder, 406, "no-file");
            refused(served, "GET", "/v1/node?after=none&cid=" + folder, 400, "bad-request");
            HttpResponse<byte[]> bytes = served.get("/v1/node?format=raw&cid=" + raw);
            assertThat(Served.text(bytes)).isEqualTo("milk");
            assertThat(Served.header(bytes, "Content-Disposition")).startsWith("attachment");
            assertThat(Served.header(bytes, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(Served.header(bytes, "Vary")).isEqualTo("Accept");
            assertThat(served.get("/v1/node?cid=" + event, "Accept", "application/octet-stream")
                            .body())
                    .isEqualTo(served.blocks().require(event).bytes());
        }
    }

    private static int size(Served served, Cid cid) {
        return served.blocks().require(cid).size();
    }

    private static void assertNode(Served served, Cid cid, String expected) {
        assertThat(json(served, "/v1/node?cid=" + cid)).hasToString("{cid=" + cid + ", " + expected + "}");
    }

    @Test
    void aDamagedBlockIsRefused(@TempDir Path folder) throws IOException {
        Path own = folder.resolve("r");
        try (Served served = new Served(FileRepository.init(own, ShardFormat.v1()))) {
            Cid raw = served.raw("milk");
            served.repository.update("main", pail -> pail.put("key", raw));
            int damaged = 0;
            try (Stream<Path> files = Files.walk(own)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (Files.readString(file, StandardCharsets.ISO_8859_1).equals("milk")) {
                        Files.delete(file);
                        Files.writeString(file, "mild");
                        damaged++;
                    }
                }
            }
            assertThat(damaged).isEqualTo(1);
            refused(served, "GET", "/v1/node?cid=" + raw, 500, "corrupt-block");
            refused(served, "GET", "/v1/node?format=raw&cid=" + raw, 500, "corrupt-block");
            assertThat(json(served, "/v1/keys?sizes=true").get("entries"))
                    .hasToString("[{key=key, value=" + raw + ", missing=true}]");
        }
    }

    @Test
    void aFolderComesInPages() {
        try (Served served = new Served()) {
            for (int files : List.of(0, 1, 20, 10_000)) {
                Cid folder = folder(served, files);
                int limit = files > 1000 ? 900 : 7;
                List<Map<String, Object>> entries =
                        pages(served, "/v1/node?cid=" + folder + "&limit=" + limit, "entries");
                assertThat(entries.stream().map(entry -> entry.get("name")))
                        .containsExactlyElementsOf(names(served, folder));
                assertThat(entries)
                        .hasSize(files)
                        .allSatisfy(entry -> assertThat(entry.get("cid"))
                                .hasToString(cid("text "
                                                + entry.get("name").toString().substring(5))
                                        .toString()));
            }
        }
    }

    private static List<String> names(Served served, Cid folder) {
        List<String> names = new ArrayList<>();
        UnixFs.names(served.blocks(), folder, WalkLimits.DEFAULT).forEachRemaining(names::add);
        return names;
    }

    @Test
    void tagsAreListed() {
        try (Served served = new Served()) {
            assertThat(json(served, "/v1/tags")).hasToString("{tags=[]}");
            served.repository.update("main", pail -> pail.put("key", cid("value")));
            Head head = served.repository.head("main");
            for (String tag : List.of("v2", "v10", "a/b")) {
                served.repository.tags().create(tag, head);
            }
            String events = head.events().toString();
            assertThat(json(served, "/v1/tags"))
                    .hasToString("{tags=[{name=a/b, head=" + events + "}, {name=v10, head=" + events
                            + "}, {name=v2, head=" + events + "}]}");
        }
    }

    @Test
    void theStateIsShown() {
        try (Served served = new Served(Repository.inMemory(ShardFormat.v2()))) {
            served.repository.update("main", pail -> pail.put("key", cid("value")));
            served.repository.branches().create("draft", served.repository.head("main"));
            served.repository.tags().create("v1", served.repository.head("main"));
            assertThat(json(served, "/v1/state"))
                    .hasToString("{format=v2, branches=2, tags=1, collection={epoch=0, running=false}, tokens=false,"
                            + " caller={name=local, right=erase, branches=[**]}}");
            served.raw("garbage");
            served.repository.maintenance().garbageCollection().run();
            served.repository.refs().update(update -> {
                update.epoch(served.repository.refs().epoch(), new Epoch(3, Instant.parse("2026-01-02T03:04:05Z")));
                return update;
            });
            assertThat(json(served, "/v1/state").get("collection"))
                    .hasToString("{epoch=3, running=true, logsKeptSince=2026-01-02T03:04:05Z}");
        }
    }

    /** A page reads the shards of its keys, wherever it begins. */
    @Test
    void aPageOfManyKeysIsCheap() {
        MemoryBlockStore blocks = new MemoryBlockStore();
        var batch = Pail.create(blocks, ShardFormat.v1()).batch();
        Cid value = cid("value");
        for (int i = 0; i < 100_000; i++) {
            batch.put(String.format("folder%02d/%05d", i / 1000, i), value);
        }
        Cid root = batch.commit().root();
        AtomicInteger reads = new AtomicInteger();
        Pail pail = Pail.open(new WatchedBlockStore(blocks, read -> reads.incrementAndGet()), root);
        KeyListing.Page middle = new KeyListing("", Optional.empty()).page(pail, Optional.of("folder50/50500"), 100);
        assertThat(middle.items().get(0).text()).isEqualTo("folder50/50501");
        assertThat(middle.items()).hasSize(100);
        assertThat(reads.getAndSet(0)).isLessThan(100);
        KeyListing.Page folders = new KeyListing("", Optional.of('/')).page(pail, Optional.empty(), 1000);
        assertThat(folders.items()).hasSize(100);
        assertThat(folders.next()).isEmpty();
        assertThat(reads.get()).isBetween(100, 1000);
    }

    @Test
    void aValueIsNamedAndRead() throws IOException {
        try (Served served = new Served(Repository.inMemory(ShardFormat.v0()))) {
            byte[] words = "buy milk".getBytes(StandardCharsets.UTF_8);
            Cid file = served.file(3 << 20);
            Cid folder = new FolderWriter(served.blocks(), served.blocks()).finish();
            Cid identity = Cid.parse("bafkqaaa");
            served.repository.update(
                    "main",
                    pail -> pail.putBytes("\u0000 +&/", words)
                            .put("file", file)
                            .put("folder", folder)
                            .put("identity", identity)
                            .put("away", cid("elsewhere")));
            String path = "/v1/value?key=" + percent("\u0000 +&/");
            assertThat(json(served, path))
                    .containsOnlyKeys("root", "key", "value")
                    .containsEntry("key", "\u0000 +&/")
                    .containsEntry("value", Block.of(Cid.RAW, words).cid().toString())
                    .containsEntry("root", served.repository.root("main").toString());
            assertThat(served.get(path, "Accept", "application/octet-stream").body())
                    .isEqualTo(words);
            HttpResponse<byte[]> raw = served.get("/v1/value?format=raw&key=file");
            assertThat(raw.body()).hasSize(3 << 20);
            assertThat(Served.header(raw, "Content-Length")).isEqualTo("" + (3 << 20));
            assertThat(Served.header(raw, "Content-Disposition")).startsWith("attachment");
            assertThat(Served.header(raw, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(served.get("/v1/value?format=raw&key=identity").body()).isEmpty();
            assertThat(served.ask("HEAD", "/v1/value?format=raw&key=file").body())
                    .isEmpty();
            refused(served, "GET", "/v1/value?format=raw&key=folder", 406, "no-file");
            refused(served, "GET", "/v1/value?format=raw&key=away", 404, "missing-block");
            refused(served, "GET", "/v1/value?key=none", 404, "absent");
        }
    }

    private static void refused(Served served, String method, String path, int status, String code) {
        HttpResponse<byte[]> response = served.ask(method, path, "If-Match", "*");
        assertThat(response.statusCode())
                .as("%s: %s", path, Served.text(response))
                .isEqualTo(status);
        assertThat(Served.header(response, "Cache-Control")).isEqualTo("no-store");
        Map<String, Object> error = JsonValues.object(response.body());
        assertThat(error).containsOnlyKeys("error", "code");
        assertThat(error.get("code")).as(Served.text(response)).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/keys?limit=0",
                "/v1/keys?limit=1001",
                "/v1/keys?limit=-1",
                "/v1/keys?limit=99999999999",
                "/v1/keys?limit=",
                "/v1/keys?limit=%2B1",
                "/v1/keys?limt=1",
                "/v1/keys?prefix=a&prefix=a",
                "/v1/keys?prefix=a+b",
                "/v1/keys?prefix=%ff",
                "/v1/keys?prefix=%ed%a0%80",
                "/v1/keys?after=%ed%bf%bf",
                "/v1/keys?delimiter=",
                "/v1/keys?delimiter=//",
                "/v1/keys?delimiter=%00",
                "/v1/keys?delimiter=%c3%a9",
                "/v1/keys?contains=a&delimiter=/",
                "/v1/keys?sizes=1",
                "/v1/keys?sizes=True",
                "/v1/node",
                "/v1/node?cid=",
                "/v1/node?cid=bafy",
                "/v1/node?cid=bafkqaaa&format=car",
                "/v1/node?cid=bafkqaaa&limit=0",
                "/v1/tags?limit=1",
                "/v1/state?at=main",
                "/v1/value",
                "/v1/value?key=a&format=xml",
                "/v1/value?key=%ed%a0%80",
                "/v1/diff",
                "/v1/diff?from=main&limit=x",
                "/v1/diff/value?key=a",
                "/v1/diff/value?from=main&key=a&limit=1",
                "/v1/history?at=main&after=main",
                "/v1/log/main?after=x",
                "/v1/log/main?after=1:x",
                "/v1/log/main?after=1:,",
                "/v1/log/main?after=999999999999999999999:bafkqaaa",
                "/v1/log/main?after=5:bafkqaaa",
                "/v1/table/people?after=x",
                "/v1/table/people?after=1:a",
                "/v1/table/people?after=999999999:a",
                "/v1/proof"
            })
    void malformedParametersAreRefused(String path) {
        try (Served served = new Served()) {
            served.repository.update(
                    "main", pail -> Tables.of(pail).create("people").pail());
            refused(served, "GET", path, 400, "bad-request");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/keys?at=none, 404, no-such-version",
        "/v1/keys?at=, 404, no-such-version",
        "/v1/keys?at=../main, 404, no-such-version",
        "/v1/keys?at=bafyreictvhawjwtmtslfbzexyet7kxrkye3d4fqjzwd2vkns4d2bqkn5hq, 404, no-such-version",
        "/v1/keys?at=bafkqaaa, 404, no-such-version",
        "/v1/keys?at=bafy, 404, no-such-version",
        "/v1/keys?at=main@{99}, 404, no-such-version",
        "/v1/keys?at=main@{x}, 400, bad-name",
        "/v1/keys?at=none@{1}, 404, no-such-branch",
        "/v1/keys/, 404, not-found",
        "/v1/keysx, 404, not-found",
        "/v1/, 404, not-found",
        "/v1/log/none, 404, no-such-branch",
        "/v1/log/..%2fmain, 400, bad-name",
        "/v1/log/, 400, bad-name",
        "/v1/history?at=none, 404, no-such-version",
        "/v1/history?after=bafkqaaa, 404, no-such-version",
        "/v1/shard?prefix=none, 404, absent",
        "/v1/table/none, 404, no-such-table",
        "/v1/table/, 400, bad-table-name",
        "/v1/table/people?where=%28, 400, bad-filter",
        "/v1/value?key=none, 404, absent"
    })
    void whatIsNotThereIsRefused(String path, int status, String code) {
        try (Served served = new Served()) {
            served.repository.update("main", pail -> pail.put("key", cid("value")));
            refused(served, "GET", path.replace("{", "%7b").replace("}", "%7d"), status, code);
        }
    }

    /** Examples of the page are held against a server by a test of the command, which makes their repository. */
    @Test
    void thePageNamesAllPathsAndCodes() throws IOException {
        Path project = Path.of(System.getProperty("pail.project", ".."));
        String page = Files.readString(project.resolve("docs/api.md"));
        try (Repository repository = Repository.inMemory()) {
            assertThat(Api.endpoints(repository, 0, false, Quotas.of(repository))
                            .keySet())
                    .allMatch(path -> page.contains(" " + path));
        }
        String refusals =
                Files.readString(project.resolve("pail-server/src/main/java/dev/pail/server/http/Refusal.java"));
        List<String> codes = Pattern.compile("new Refusal\\(\\s*HttpStatus\\.\\w+,\\s+\"([a-z-]+)\"")
                .matcher(refusals)
                .results()
                .map(code -> code.group(1))
                .toList();
        assertThat(codes).hasSizeGreaterThan(10).contains("absent", "body-too-large");
        String all = page + Files.readString(project.resolve("docs/serve.md"));
        assertThat(codes).allMatch(code -> all.contains("`" + code + "`"));
    }

    @Test
    void otherMethodsAreRefused() {
        try (Served served = new Served()) {
            for (String path : List.of(
                    "/v1/keys",
                    "/v1/node",
                    "/v1/tags",
                    "/v1/state",
                    "/v1/shard",
                    "/v1/diff",
                    "/v1/diff/value",
                    "/v1/proof",
                    "/v1/history",
                    "/v1/log/main",
                    "/v1/tables",
                    "/v1/table/people")) {
                refused(served, "POST", path, 405, "method-not-allowed");
            }
            refused(served, "POST", "/v1/value", 405, "method-not-allowed");
            refused(served, "GET", "/v1/apply", 405, "method-not-allowed");
        }
    }

    @Test
    void versionsAreNamedInManyWays() {
        try (Served served = new Served()) {
            Repository repository = served.repository;
            Pail one = repository
                    .update("main", pail -> pail.put("key", cid("one")))
                    .pail();
            Head head = repository.head("main");
            repository.tags().create("v1", head);
            repository.update("main", pail -> pail.put("key", cid("two")));
            repository.branches().create("feature/x", head);
            repository.update("feature/x", pail -> pail.put("other", cid("three")));
            String event = head.events().get(0).toString();
            for (String at : List.of("v1", "main%40%7B1%7D", event, one.root().toString())) {
                assertThat(json(served, "/v1/value?key=key&at=" + at))
                        .containsEntry("root", one.root().toString())
                        .containsEntry("value", cid("one").toString());
            }
            String both = repository.head("main").events().get(0) + ","
                    + repository.head("feature/x").events().get(0);
            assertThat(json(served, "/v1/keys?at=" + both).get("entries").toString())
                    .contains(cid("two").toString(), cid("three").toString());
            assertThat(json(served, "/v1/log/feature/x")).containsEntry("name", "feature/x");
            assertThat(json(served, "/v1/log/feature%2fx")).containsEntry("name", "feature/x");
        }
    }

    /** From the root down, links lead to all shards, and these have all keys. */
    @Test
    void shardsLeadToAllKeys() {
        Random random = Randomness.random("shardsLeadToAllKeys");
        for (ShardFormat format : List.of(ShardFormat.v0(1000, 8), ShardFormat.v1(), ShardFormat.v2())) {
            try (Served served = new Served(Repository.inMemory(format))) {
                served.repository.update("main", pail -> {
                    for (int i = 0; i < 100; i++) {
                        pail = pail.put("k" + random.nextInt(1000), cid("value " + i));
                    }
                    return pail;
                });
                Map<String, String> found = new TreeMap<>();
                collect(served, "", served.repository.root("main").toString(), 0, found);
                Map<String, String> expected = new TreeMap<>();
                try (Stream<Entry> entries = served.repository.pail().entries()) {
                    entries.forEach(
                            entry -> expected.put(entry.key(), entry.value().toString()));
                }
                assertThat(found).isEqualTo(expected);
            }
        }
    }

    @Test
    void aShardThatIsNotHereIsMissing() {
        try (Served whole = new Served(Repository.inMemory(ShardFormat.v1()));
                Served part = new Served()) {
            whole.repository.update("main", pail -> pail.put("aa", cid("one")).put("ab", cid("two")));
            Cid root = whole.repository.root("main");
            part.blocks().put(whole.blocks().require(root));
            List<Map<String, Object>> entries =
                    JsonValues.objects(json(part, "/v1/shard?sizes=true&at=" + root), "entries");
            assertThat(entries.stream().filter(entry -> entry.containsKey("shard")))
                    .isNotEmpty()
                    .allSatisfy(entry -> assertThat(entry).containsEntry("missing", "true"));
        }
    }

    private static void collect(Served served, String prefix, String cid, int depth, Map<String, String> found) {
        Map<String, Object> shard = json(served, "/v1/shard?sizes=true&prefix=" + percent(prefix));
        assertThat(shard.get("shard")).isEqualTo(cid);
        assertThat(shard.get("prefix")).isEqualTo(prefix);
        assertThat(shard.get("depth")).isEqualTo((long) depth);
        for (Map<String, Object> entry : JsonValues.objects(shard, "entries")) {
            String key = prefix + entry.get("key");
            if (entry.containsKey("value")) {
                found.put(key, (String) entry.get("value"));
            }
            if (entry.containsKey("shard")) {
                Map<String, Object> below = json(served, "/v1/shard?prefix=" + percent(key));
                assertThat(entry.get("bytes")).isEqualTo(below.get("bytes"));
                assertThat(entry.get("count"))
                        .isEqualTo((long) JsonValues.objects(below, "entries").size());
                collect(served, key, (String) entry.get("shard"), depth + 1, found);
            }
        }
    }

    @Test
    void aDiffComesInPages() {
        Random random = Randomness.random("aDiffComesInPages");
        try (Served served = new Served(filled(random, 200))) {
            Pail before = served.repository.pail();
            served.repository.update("main", pail -> {
                for (int i = 0; i < 50; i++) {
                    String key = key(random);
                    pail = key.matches("[ -~]+") && random.nextBoolean()
                            ? pail.put(key, cid("new " + i))
                            : pail.delete(key);
                }
                return pail;
            });
            for (String prefix : List.of("", "a")) {
                List<String> found = pages(
                                served,
                                "/v1/diff?limit=7&from=" + before.root() + "&to=main&prefix=" + prefix,
                                "changes")
                        .stream()
                        .map(change -> change.get("key") + " " + change.get("before") + " " + change.get("after"))
                        .toList();
                assertThat(found)
                        .isEqualTo(before.diff(served.repository.pail(), KeyRange.prefix(prefix))
                                .keys()
                                .map(change -> change.key() + " "
                                        + change.before().map(Cid::toString).orElse(null) + " "
                                        + change.after().map(Cid::toString).orElse(null))
                                .toList());
            }
            assertThat(pages(served, "/v1/diff?from=main&limit=1", "changes")).isEmpty();
        }
    }

    @Test
    void aProofIsVerified() {
        try (Served served = new Served()) {
            served.repository.update(
                    "main", pail -> pail.put("key", cid("value")).put("kez", cid("other")));
            HttpResponse<byte[]> response = served.get("/v1/proof?key=key");
            assertThat(Served.header(response, "Content-Type")).isEqualTo("application/vnd.ipld.car; version=1");
            assertThat(Proof.read(response.body()).verify(served.repository.root("main"), new Query.Key("key")))
                    .isInstanceOf(Answer.Present.class);
            assertThat(Proof.read(served.get("/v1/proof?key=none").body())
                            .verify(served.repository.root("main"), new Query.Key("none")))
                    .isInstanceOf(Answer.Absent.class);
        }
    }

    @Test
    void aLogComesInPages() {
        try (Served served = new Served()) {
            for (int i = 0; i < 25; i++) {
                String key = "key " + i;
                served.repository.update("main", "change " + i, pail -> pail.put(key, cid("value")));
            }
            List<String> reasons;
            try (Stream<LogEntry> log = served.repository.history().log("main")) {
                reasons = log.map(LogEntry::reason).toList();
            }
            for (int limit : List.of(1, 7, 25, 100)) {
                assertThat(pages(served, "/v1/log/main?limit=" + limit, "updates").stream()
                                .map(update -> (String) update.get("reason"))
                                .toList())
                        .isEqualTo(reasons);
            }
            served.repository.branches().create("empty", Head.empty());
            assertThat(pages(served, "/v1/log/empty?limit=1", "updates")).isEmpty();
        }
    }

    /** The log of a folder is found by its generation and its head. */
    @Test
    void aLogOfFilesComesInPages(@TempDir Path folder) throws IOException {
        Path own = folder.resolve("r");
        try (Served served = new Served(FileRepository.init(own, ShardFormat.v1()))) {
            for (int i = 0; i < 300; i++) {
                String key = "key " + i;
                served.repository.update("main", "change " + i, pail -> pail.put(key, cid("value")));
            }
            assertThat(pages(served, "/v1/log/main?limit=70", "updates")).hasSize(300);
            Cid head = served.repository.head("main").events().get(0);
            refused(served, "GET", "/v1/log/main?after=299:" + head, 400, "bad-request");
            refused(served, "GET", "/v1/log/main?after=301:" + head, 400, "bad-request");
        }
    }

    /** An event has a part of its changes, and a page that finds nothing in many events ends. */
    @Test
    void aHistoryIsReadInParts() {
        try (Served served = new Served()) {
            served.repository.update("main", pail -> {
                for (int i = 0; i < 250; i++) {
                    pail = pail.put("key " + i, cid("value"));
                }
                return pail;
            });
            Map<String, Object> event =
                    JsonValues.objects(json(served, "/v1/history"), "events").get(0);
            assertThat(event).containsEntry("count", 250L);
            assertThat(JsonValues.objects(event, "ops")).hasSize(HistoryEndpoints.MOST_CHANGES);
            for (int i = 0; i < HistoryEndpoints.MOST_READ; i++) {
                Cid value = cid("value " + i);
                served.repository.update("main", "", pail -> pail.put("often", value));
            }
            Map<String, Object> page = json(served, "/v1/history?key=key%201");
            assertThat(JsonValues.objects(page, "events")).isEmpty();
            assertThat(JsonValues.objects(json(served, "/v1/history?key=key%201&after=" + page.get("next")), "events"))
                    .hasSize(1);
        }
    }

    /** Lines of work side by side, and merges of them. */
    @Test
    void aHistoryComesInPages() {
        long seed = Randomness.seed("aHistoryComesInPages");
        for (int run = 0; run < Randomness.times(3, 50); run++) {
            Random random = Randomness.random(seed + run);
            try (Served served = new Served()) {
                Repository repository = served.repository;
                List<String> branches = List.of("main", "one", "two");
                repository.update("main", pail -> pail.put("begin", cid("begin")));
                repository.branches().create("one", repository.head("main"));
                repository.branches().create("two", repository.head("main"));
                for (int i = 0; i < 40; i++) {
                    String branch = branches.get(random.nextInt(3));
                    String key = "k" + random.nextInt(5);
                    Cid value = cid("value " + i);
                    if (random.nextInt(4) == 0) {
                        repository.merge(branch, branches.get(random.nextInt(3)), MergeOptions.DEFAULT);
                    } else {
                        repository.update(branch, pail -> pail.put(key, value));
                    }
                }
                Set<String> all = new TreeSet<>();
                Set<String> ofKey = new TreeSet<>();
                repository.history().of("main").forEach(entry -> {
                    all.add(entry.event().cid().toString());
                    if (entry.changes().stream().anyMatch(change -> change.key().equals("k1"))) {
                        ofKey.add(entry.event().cid().toString());
                    }
                });
                int limit = 1 + random.nextInt(10);
                List<Map<String, Object>> pages = historyPages(served, "limit=" + limit);
                assertThat(events(pages)).containsExactlyInAnyOrderElementsOf(all);
                assertThat(events(historyPages(served, "key=k1&limit=" + limit)))
                        .containsExactlyInAnyOrderElementsOf(ofKey);
                Set<Object> seen = new TreeSet<>();
                for (Map<String, Object> event : pages) {
                    seen.add(event.get("event"));
                    assertThat(seen).noneMatch(((List<?>) event.get("parents"))::contains);
                }
            }
        }
    }

    private static List<String> events(List<Map<String, Object>> entries) {
        return entries.stream().map(entry -> (String) entry.get("event")).toList();
    }

    private static List<Map<String, Object>> historyPages(Served served, String parameters) {
        Map<String, Object> page = json(served, "/v1/history?" + parameters);
        List<Map<String, Object>> all = new ArrayList<>(JsonValues.objects(page, "events"));
        while (page.get("next") != null) {
            page = json(served, "/v1/history?" + parameters + "&after=" + page.get("next"));
            all.addAll(JsonValues.objects(page, "events"));
        }
        return all;
    }

    @Test
    void aTableIsFiltered() {
        Random random = Randomness.random("aTableIsFiltered");
        try (Served served = new Served()) {
            served.repository.update("main", pail -> {
                Table table = Tables.of(pail).create("people \u00e9");
                for (int i = 0; i < 200; i++) {
                    table = table.put(
                            "id " + i,
                            Document.parse("{\"age\":" + random.nextInt(30) + ",\"city\":\""
                                    + (char) ('a' + random.nextInt(4)) + "\",\"odd\":" + (i % 2 == 1) + "}"));
                }
                return table.createIndex(FieldPath.parse("age"))
                        .createIndex(FieldPath.parse("city"))
                        .pail();
            });
            assertThat(json(served, "/v1/tables").get("tables"))
                    .hasToString("[{name=people \u00e9, indexes=[age, city]}]");
            String path = "/v1/table/" + percent("people \u00e9");
            Table table = Tables.of(served.repository.pail()).table("people \u00e9");
            assertThat(ids(served, path + "?limit=30"))
                    .containsExactlyInAnyOrderElementsOf(
                            table.rows().map(Row::id).toList());
            for (String filter : List.of(
                    "age >= 10 and age < 20",
                    "city == \"a\" or age == 3",
                    "city in [\"a\", \"b\"] or city == \"a\" or age > 20",
                    "city == \"a\" or odd == true",
                    "odd == true",
                    "age == 99",
                    "age > 20 and age < 3")) {
                int limit = 1 + random.nextInt(20);
                assertThat(ids(served, path + "?limit=" + limit + "&where=" + percent(filter)))
                        .as(filter)
                        .containsExactlyInAnyOrderElementsOf(
                                table.rows(Filter.parse(filter)).map(Row::id).toList());
            }
            Map<String, Object> page = json(served, path + "?limit=1&where=" + percent("age >= 0"));
            assertThat(JsonValues.objects(page, "rows").get(0)).containsOnlyKeys("id", "cid", "document");
            assertThat(page).containsEntry("index", "age");
            assertThat(json(served, path + "?where=" + percent("age > 20 or city == \"a\" or age == 3")))
                    .containsEntry("index", "age, city");
            assertThat(json(served, path + "?where=" + percent("odd == true"))).doesNotContainKey("index");
            assertThat(json(served, path)).doesNotContainKey("index");
        }
    }

    private static List<String> ids(Served served, String path) {
        return pages(served, path, "rows").stream()
                .map(row -> (String) row.get("id"))
                .toList();
    }
}
