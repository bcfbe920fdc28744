package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.StoreDamagedException;
import dev.pail.car.CarExport;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Quarantine;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.server.Served;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the blocks of pushes are until a push is taken. */
class QuarantineTest {
    private static final String MAIN = Repository.MAIN;

    @TempDir(factory = MemoryTempDir.class)
    Path temp;

    private Repository repository;

    @BeforeEach
    void init() {
        repository = FileRepository.init(temp.resolve("r"), ShardFormat.v1(), BlockStorage.FILES);
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private Quarantine quarantine(Instant now) {
        return Quarantine.of(repository, Clock.fixed(now, ZoneOffset.UTC));
    }

    private Quarantine quarantine() {
        return quarantine(Instant.now());
    }

    /** Blocks of 100,000 bytes. */
    private static List<Block> blocks(int count) {
        List<Block> all = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[100_000];
            random.nextBytes(bytes);
            all.add(Block.of(Cid.RAW, bytes));
        }
        return all;
    }

    private List<Path> areas() throws IOException {
        try (Stream<Path> all = Files.list(temp.resolve("r/quarantine"))) {
            return all.toList();
        }
    }

    private static void put(Quarantine quarantine, String sender, List<Block> blocks) {
        try (Quarantine.Area area = quarantine.enter(sender)) {
            for (Block block : blocks) {
                area.blocks().put(block);
            }
        }
    }

    /** In memory and in files. */
    @Test
    void whatIsApartIsNoBlockOfTheRepository_GW27() throws IOException {
        for (int count : new int[] {1, 25}) {
            List<Block> blocks = blocks(count);
            try (Quarantine quarantine = quarantine()) {
                try (Quarantine.Area area = quarantine.enter("ann");
                        Quarantine.Area other = quarantine.enter("bob")) {
                    for (Block block : blocks) {
                        area.blocks().put(block);
                    }
                    for (Block block : blocks) {
                        assertThat(area.blocks().require(block.cid())).isEqualTo(block);
                        assertThat(area.has(block.cid())).isTrue();
                        assertThat(area.blocks().has(block.cid())).isTrue();
                        assertThat(other.has(block.cid())).isFalse();
                        assertThat(other.blocks().has(block.cid())).isFalse();
                        assertThat(repository.blocks().has(block.cid())).isFalse();
                    }
                    Block stored = Block.of(Cid.RAW, new byte[] {1});
                    repository.blocks().put(stored);
                    List<Cid> some = new ArrayList<>(
                            blocks.stream().map(Block::cid).limit(20).toList());
                    some.add(stored.cid());
                    List<Cid> asked = new ArrayList<>(some);
                    asked.add(Block.of(Cid.RAW, new byte[] {2}).cid());
                    assertThat(area.blocks().hasAll(asked)).containsExactlyInAnyOrderElementsOf(some);
                    assertThat(other.blocks().hasAll(asked)).containsExactly(stored.cid());
                }
            }
            // Another server, of the same repository.
            try (Quarantine quarantine = quarantine();
                    Quarantine.Area area = quarantine.enter("ann")) {
                for (Block block : blocks) {
                    assertThat(area.blocks().require(block.cid())).isEqualTo(block);
                }
                area.take();
            }
            for (Block block : blocks) {
                assertThat(repository.blocks().require(block.cid())).isEqualTo(block);
            }
            assertThat(areas()).isEmpty();
            repository.close();
            repository = FileRepository.init(temp.resolve("r" + count), ShardFormat.v1(), BlockStorage.FILES);
        }
    }

    /** What comes after a push was taken, and by another request of the same sender, stays. */
    @Test
    void oneRequestDoesNotDeleteWhatAnotherNeeds_GW27() {
        List<Block> blocks = blocks(30);
        try (Quarantine quarantine = quarantine();
                Quarantine.Area first = quarantine.enter("ann")) {
            try (Quarantine.Area second = quarantine.enter("ann")) {
                second.blocks().putAll(blocks.subList(0, 20));
                second.take();
                first.blocks().putAll(blocks.subList(20, 30));
            }
            assertThat(blocks).allMatch(block -> first.has(block.cid()));
        }
        try (Quarantine quarantine = quarantine();
                Quarantine.Area again = quarantine.enter("ann")) {
            assertThat(blocks.subList(20, 30)).allMatch(block -> again.has(block.cid()));
        }
    }

    @Test
    void whatNobodyUsesForADayIsDeleted_GW27() throws IOException {
        Instant now = Instant.now();
        try (Quarantine quarantine = quarantine(now)) {
            put(quarantine, "ann", blocks(20));
            put(quarantine, "bob", blocks(20));
        }
        List<Path> before = areas();
        assertThat(before).hasSize(2);
        try (Quarantine quarantine = quarantine(now.plus(Duration.ofHours(23)))) {
            put(quarantine, "eve", List.of());
            assertThat(areas()).hasSize(2);
        }
        // As if it was used later.
        try (Stream<Path> files = Files.list(before.get(0))) {
            Files.setLastModifiedTime(files.findFirst().orElseThrow(), FileTime.from(now.plus(Duration.ofHours(3))));
        }
        try (Quarantine quarantine = quarantine(now.plus(Duration.ofHours(25)))) {
            put(quarantine, "eve", List.of());
            assertThat(areas()).containsExactly(before.get(0));
        }
    }

    /** Then its sender sends it again. One byte may be torn, or damage with intact blocks behind it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 1_000_000})
    void damageIsAsIfNothingHadCome_GW27(int every) throws IOException {
        List<Block> blocks = blocks(30);
        try (Quarantine quarantine = quarantine()) {
            put(quarantine, "ann", blocks);
        }
        try (Stream<Path> files = Files.walk(areas().get(0))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                for (int i = Math.min(100, every); i < bytes.length; i += every) {
                    bytes[i] ^= 1;
                }
                Files.write(file, bytes);
            }
        }
        try (Quarantine quarantine = quarantine();
                Quarantine.Area area = quarantine.enter("ann")) {
            for (Block block : blocks) {
                if (area.blocks().get(block.cid()).isEmpty()) {
                    assertThat(area.has(block.cid())).isFalse();
                    area.blocks().put(block);
                }
                assertThat(area.blocks().require(block.cid())).isEqualTo(block);
            }
            area.blocks().putAll(blocks);
            area.take();
        }
        assertThat(blocks).allMatch(block -> repository.blocks().has(block.cid()));
        assertThat(areas()).isEmpty();
    }

    /** A block that a push does not need, and a commit between blocks, in a sealed segment: only what takes all of it reads these. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void damageIsFoundWhenAPushIsTaken_GW27(boolean isOfABlock) throws IOException {
        List<Block> blocks = blocks(400);
        try (Quarantine quarantine = quarantine()) {
            put(quarantine, "ann", blocks);
        }
        Path sealed = areas().get(0).resolve("00000.seg");
        byte[] bytes = Files.readAllBytes(sealed);
        bytes[isOfABlock ? bytes.length / 2 : commit(bytes, bytes.length / 2)] ^= 1;
        Files.write(sealed, bytes);
        try (Quarantine quarantine = quarantine();
                Quarantine.Area area = quarantine.enter("ann")) {
            assertThatExceptionOfType(PailException.class)
                    .isThrownBy(area::take)
                    .satisfies(e -> assertThat(e)
                            .isInstanceOf(isOfABlock ? MissingBlockException.class : StoreDamagedException.class));
            assertThat(blocks).noneMatch(block -> area.has(block.cid()));
        }
        assertThat(areas()).isEmpty();
        try (Quarantine quarantine = quarantine();
                Quarantine.Area area = quarantine.enter("ann")) {
            area.blocks().putAll(blocks);
            area.take();
        }
        assertThat(blocks).allMatch(block -> repository.blocks().has(block.cid()));
    }

    /** Where the next commit begins (SEG7). */
    private static int commit(byte[] segment, int from) {
        for (int at = from; ; at++) {
            if (ByteBuffer.wrap(segment, at, 5).getInt() == 0x504c5231 && segment[at + 4] == 3) {
                return at;
            }
        }
    }

    /** The sender does not have to push again. */
    @Test
    void damageOfWhatIsApartIsSentAgain_GW27() throws IOException {
        byte[] noise = new byte[3_000_000];
        new Random(3).nextBytes(noise);
        try (Repository sender = Repository.inMemory();
                Served served = new Served(repository)) {
            sender.update(MAIN, pail -> pail.putBytes("a", noise));
            Exchange exchange =
                    Exchange.of(sender, "origin", HttpRemote.open("http://" + served.host(), Optional.empty()));
            // A push broke off.
            sender.blocks()
                    .put(Block.of(
                            Cid.RAW,
                            "a pail push broke off: origin/main\nnothing\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(push(served, "/v1/push/main?blocks=1", car(sender, true)).statusCode())
                    .isEqualTo(202);
            try (Repository other = Repository.inMemory()) {
                putValue(other, "b", 1);
                assertThat(push(served, "/v1/push/main?blocks=1", car(other, true))
                                .statusCode())
                        .isEqualTo(202);
            }
            try (Stream<Path> files = Files.list(areas().get(0))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".open")).toList()) {
                    byte[] bytes = Files.readAllBytes(file);
                    bytes[1_500_000] ^= 1;
                    Files.write(file, bytes);
                }
            }
            assertThat(exchange.push(MAIN, PushMode.FAST_FORWARD).blocks()).isEqualTo(3);
            assertThat(repository.head(MAIN)).isEqualTo(sender.head(MAIN));
            assertThat(areas()).isEmpty();
        }
    }

    private static byte[] car(Repository repository, boolean isWhole) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CarExport export =
                CarExport.of(repository.blocks(), repository.head(MAIN).events());
        if (!isWhole) {
            Cid shard = repository.root(MAIN);
            export = export.without(shard::equals);
        }
        export.writeTo(out, "");
        return out.toByteArray();
    }

    private static HttpResponse<byte[]> push(Served served, String path, byte[] car, String... headers) {
        return served.ask("POST", path, HttpRequest.BodyPublishers.ofByteArray(car), headers);
    }

    private static Cid putValue(Repository repository, String key, int number) {
        byte[] value = ByteBuffer.allocate(2_000_000).putInt(number).array();
        repository.update(MAIN, pail -> pail.putBytes(key, value));
        return Block.of(Cid.RAW, value).cid();
    }

    /** Of a push that moves no branch, no block reaches the repository; and what came is not sent again. */
    @Test
    void aRefusedPushLeavesNothingBehind_GW27() throws IOException {
        try (Repository sender = Repository.inMemory();
                Served served = new Served(repository)) {
            Cid value = putValue(sender, "a", 1);
            Cid root = sender.root(MAIN);
            Cid event = sender.head(MAIN).events().get(0);
            String[] fits = {"If-None-Match", "*"};
            // A shard is missing.
            assertThat(push(served, "/v1/push/main", car(sender, false), fits).statusCode())
                    .isEqualTo(422);
            assertThat(repository.blocks().has(event)).isFalse();
            // The branch has another state.
            assertThat(push(served, "/v1/push/main", car(sender, true), "If-Match", "\"5-aaaaaaaaaaaaaaaa\"")
                            .statusCode())
                    .isEqualTo(412);
            // No branch is to move.
            assertThat(push(served, "/v1/push/main?blocks=1", car(sender, true)).statusCode())
                    .isEqualTo(202);
            // The CAR breaks off.
            byte[] whole = car(sender, true);
            assertThat(push(served, "/v1/push/main", java.util.Arrays.copyOf(whole, whole.length - 1), fits)
                            .statusCode())
                    .isEqualTo(400);
            for (Cid cid : List.of(value, root, event)) {
                assertThat(repository.blocks().has(cid)).as("%s", cid).isFalse();
            }
            assertThat(areas()).hasSize(1);
            String asked = "{\"cids\":[\"" + value + "\",\"" + root + "\",\""
                    + Block.of(Cid.RAW, new byte[1]).cid() + "\"]}";
            assertThat(Served.text(
                            served.ask("POST", "/v1/push/main?missing=1", HttpRequest.BodyPublishers.ofString(asked))))
                    .doesNotContain(value.toString(), root.toString())
                    .contains("bafk");
            // The event and the shard are enough now.
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            CarExport.of(sender.blocks(), List.of(event)).without(value::equals).writeTo(rest, "");
            assertThat(push(served, "/v1/push/main", rest.toByteArray(), fits).statusCode())
                    .isEqualTo(200);
            assertThat(repository.head(MAIN)).isEqualTo(sender.head(MAIN));
            assertThat(repository.blocks().has(value)).isTrue();
            assertThat(areas()).isEmpty();
        }
    }

    /** A merge and a forced push take blocks, too. */
    @Test
    void otherPushesTakeBlocks_GW27() throws IOException {
        try (Repository sender = Repository.inMemory();
                Served served = new Served(repository)) {
            putValue(sender, "a", 1);
            assertThat(push(served, "/v1/push/main", car(sender, true), "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(200);
            Cid there = putValue(repository, "there", 2);
            Cid here = putValue(sender, "here", 3);
            assertThat(push(served, "/v1/push/main?merge=1", car(sender, true), "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(repository.pail(MAIN).get("here")).contains(here);
            assertThat(repository.pail(MAIN).get("there")).contains(there);
            Cid last = putValue(sender, "last", 4);
            String tag = "\"" + repository.snapshot(MAIN).token() + "\"";
            assertThat(push(served, "/v1/push/main", car(sender, true), "If-Match", tag)
                            .statusCode())
                    .isEqualTo(409);
            assertThat(repository.blocks().has(last)).isFalse();
            assertThat(push(served, "/v1/push/main?force=1", car(sender, true), "If-Match", tag)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(repository.blocks().has(last)).isTrue();
            assertThat(push(served, "/v1/push/new", car(sender, true), "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(areas()).isEmpty();
    }

    /** A repository without a folder: a temporary one, which goes with the server. */
    @Test
    void aServerOfMemoryKeepsBlocksApart_GW27() {
        try (Repository sender = Repository.inMemory();
                Repository memory = Repository.inMemory();
                Served served = new Served(memory)) {
            Cid value = putValue(sender, "a", 1);
            assertThat(push(served, "/v1/push/main?blocks=1", car(sender, true)).statusCode())
                    .isEqualTo(202);
            assertThat(memory.blocks().has(value)).isFalse();
            assertThat(push(served, "/v1/push/main", car(sender, true), "If-None-Match", "*")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(memory.blocks().has(value)).isTrue();
        }
    }

    /** Similar blocks take little space, although their deltas are not known here. */
    @Test
    void versionsOfAShardTakeLittleSpace_GW27() throws IOException {
        byte[] bytes = new byte[512 << 10];
        new Random(1).nextBytes(bytes);
        List<Block> versions = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            versions.add(Block.of(
                    Cid.RAW, ByteBuffer.wrap(bytes.clone()).putInt(5000 * i, i).array()));
        }
        try (Quarantine quarantine = quarantine()) {
            put(quarantine, "ann", versions);
            long size = 0;
            try (Stream<Path> files = Files.walk(areas().get(0))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    size += Files.size(file);
                }
            }
            assertThat(size).isLessThan(10 << 20);
        }
    }

    /** To store many blocks takes time. Another request of the sender looks and adds meanwhile, and what it adds stays apart. */
    @Test
    @Timeout(60)
    void takingAPushKeepsNoOtherRequestWaiting_GW27() {
        Block block = Block.of(Cid.RAW, new byte[] {1});
        Block late = Block.of(Cid.RAW, new byte[] {2});
        List<Quarantine.Area> areas = new ArrayList<>();
        List<Boolean> seen = new ArrayList<>();
        MemoryBlocks below = new MemoryBlocks();
        Object slow = Proxy.newProxyInstance(
                RepositoryBlocks.class.getClassLoader(),
                new Class<?>[] {RepositoryBlocks.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("putAll") && !areas.isEmpty() && seen.isEmpty()) {
                        seen.add(CompletableFuture.supplyAsync(() -> {
                                    areas.get(0).blocks().put(late);
                                    return areas.get(0).has(block.cid());
                                })
                                .join());
                    }
                    try {
                        return method.invoke(below, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (Repository other = Repository.open(new MemoryRefs(), (RepositoryBlocks) slow, ShardFormat.v1());
                Quarantine quarantine = Quarantine.of(other, Clock.systemUTC())) {
            try (Quarantine.Area area = quarantine.enter("ann")) {
                areas.add(area);
                area.blocks().put(block);
                area.take();
            }
            assertThat(seen).containsExactly(true);
            assertThat(other.blocks().has(block.cid())).isTrue();
            try (Quarantine.Area area = quarantine.enter("ann")) {
                assertThat(area.has(late.cid())).isTrue();
                assertThat(other.blocks().has(late.cid())).isFalse();
            }
        }
    }
}
