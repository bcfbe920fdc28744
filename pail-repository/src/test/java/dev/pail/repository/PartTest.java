package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.Durability;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.PushMode;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.collect.Reachable;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.model.VerifyReport.Kind;
import dev.pail.repository.spi.BlockSource;
import dev.pail.testkit.Randomness;
import dev.pail.through.BlockSources;
import dev.pail.through.RemoteReads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parts of a repository, whose remote promises the rest. */
class PartTest {
    private static final VerifyOptions ALL =
            VerifyOptions.DEFAULT.withAllVersions().withValues();
    private static final Part OF_B = new Part("origin", "b/", true);

    private Repository whole = Repository.inMemory();
    private RepositoryRemote remote = RepositoryRemote.of(whole, "there");
    private final AtomicInteger made = new AtomicInteger();

    @TempDir
    Path folder;

    private long bytes;

    private int requests;

    @AfterEach
    void close() {
        whole.close();
    }

    private static void put(Repository repository, String key, int value) {
        repository.update("main", pail -> withValue(pail, key, value));
    }

    private static Pail withValue(Pail pail, String key, int value) {
        return pail.putBytes(key, new byte[] {(byte) value, (byte) (value >> 8), (byte) (value >> 16), 7});
    }

    /** Many keys with a prefix, in one change. */
    private void putAll(String prefix, int count) {
        whole.update("main", pail -> {
            Pail next = pail;
            for (int i = 0; i < count; i++) {
                next = withValue(next, "%s%05d".formatted(prefix, i), prefix.hashCode() + i);
            }
            return next;
        });
    }

    /** The blocks of the whole, whose bytes are counted. */
    private BlockSource counted() {
        RemoteReads reads = RemoteReads.of(remote);
        return new BlockSource() {
            @Override
            public void fetch(List<Cid> cids, BlockStore target) {
                requests++;
                reads.fetch(cids, new BlockStore() {
                    @Override
                    public Optional<Block> get(Cid cid) {
                        return target.get(cid);
                    }

                    @Override
                    public boolean has(Cid cid) {
                        return target.has(cid);
                    }

                    @Override
                    public void putAll(Collection<Block> blocks) {
                        blocks.forEach(block -> bytes += block.size());
                        target.putAll(blocks);
                    }

                    @Override
                    public void close() {}
                });
            }

            @Override
            public boolean takesReadHints() {
                return true;
            }

            @Override
            public void willRead(Cid root, KeyRange range) {
                reads.willRead(root, range);
            }

            @Override
            public void willCompare(Cid before, Cid after, KeyRange range) {
                reads.willCompare(before, after, range);
            }

            @Override
            public void read(Block block) {
                reads.read(block);
            }
        };
    }

    /** A repository in a folder of its own, whose blocks alone it has. */
    private Repository made(Part part) {
        Path place = folder.resolve("part" + made.incrementAndGet());
        FileRepository.init(place, ShardFormat.v1()).close();
        Repository repository = FileRepository.open(place, Durability.NONE);
        FileRepository files = FileRepository.of(repository).orElseThrow();
        files.setRemote(part.remote(), Optional.of("there"));
        files.setPart(part);
        return repository;
    }

    private Repository through(Repository here) {
        return here.readingThrough(counted());
    }

    private Exchange exchange(Repository through) {
        return Exchange.of(through, "origin", remote);
    }

    private static List<Path> blocks(Repository repository) {
        Path all = FileRepository.of(repository).orElseThrow().folder().resolve("blocks");
        try (Stream<Path> files = Files.walk(all)) {
            return files.filter(file -> file.toString().endsWith(".data"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Cid raw(Path file) {
        try {
            return Block.of(Cid.RAW, Files.readAllBytes(file)).cid();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theConfigurationSaysWhatAPartHas_REP39() throws IOException {
        Part part = new Part("origin", "a b=\n/ü", false);
        try (Repository here = made(part)) {
            FileRepository files = FileRepository.of(here).orElseThrow();
            assertThat(files.part()).contains(part);
            try (Repository again = FileRepository.open(files.folder())) {
                assertThat(again.refs().needs()).containsExactlyInAnyOrder(Need.EVENTS, Need.PROMISED);
                assertThat(again.refs().part()).contains(part);
            }
            Path config = files.folder().resolve("config");
            String text = Files.readString(config);
            assertThat(text).contains("part.prefix = a+b%3D%0A%2F%C3%BC\n");
            Files.writeString(config, text.replace("%2F", "%2f"));
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> FileRepository.open(files.folder()))
                    .withMessageContaining("part.prefix");
            Files.writeString(config, text);
            files.setWhole();
            assertThat(files.part()).isEmpty();
            assertThat(files.settings()).doesNotContainKeys("part.remote", "part.prefix", "part.values");
            assertThat(files.settings()).containsEntry("needs", "events");
        }
    }

    @Test
    void aPartIsNotGivenAsIfItWereWhole_REP40() {
        put(whole, "a", 1);
        try (Repository here = made(OF_B);
                Repository other = Repository.inMemory()) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> RepositoryRemote.of(here, "here"))
                    .withMessageContaining("origin has the rest");
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() ->
                            RepositoryCopy.of(here, other, CopyOptions.DEFAULT).run());
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() ->
                            here.remotes().trackPromised("other/main", new Tracking(1, false, whole.head("main"))));
        }
    }

    @Test
    void aCloneMovesWhatItHas_REP40() {
        // The newest event comes whole, as its CID proves the root of the version. It has 1,000 changes here.
        for (int from = 0; from < 100_000; from += 1000) {
            int first = from;
            whole.update("main", pail -> {
                Batch batch = pail.batch();
                for (int i = first; i < first + 1000; i++) {
                    String key = (i % 100 == 42 ? "b/" : "a/%02d/".formatted(i % 100)) + i;
                    batch.putBytes(key, Integer.toString(i).getBytes(StandardCharsets.UTF_8));
                }
                return batch.commit();
            });
        }
        try (Repository here = made(OF_B)) {
            long all = 0;
            for (Cid cid : reachable(whole, whole.head("main").events())) {
                all += whole.blocks().get(cid).map(Block::size).orElse(0);
            }
            Repository reading = through(here);
            Exchange.Cloned cloned = exchange(reading).cloneAll(remote.info());
            assertThat(cloned.current().head()).isEqualTo(whole.head("main"));
            assertThat(bytes).isLessThan(all / 50);
            bytes = 0;
            assertThat(reading.pail().entries(KeyRange.prefix("b/")).count()).isEqualTo(1000);
            assertThat(bytes).isZero();
            VerifyReport report = here.verify(ALL);
            assertThat(report.isSound()).isTrue();
            assertThat(report.promised()).isPositive();
            // What is not here comes when it is read.
            assertThat(reading.pail().get("a/07/107")).isEqualTo(whole.pail().get("a/07/107"));
        }
    }

    @Test
    void aChangeReadsFewBlocks_REP40() {
        for (int i = 0; i < 1000; i++) {
            put(whole, (i % 2 == 0 ? "a/" : "b/") + "%04d".formatted(i), i);
        }
        try (Repository here = made(OF_B)) {
            Repository reading = through(here);
            assertThat(exchange(reading).cloneAll(remote.info()).fetched()).hasSize(1);
            bytes = 0;
            requests = 0;
            Repository noted = reading.withNote(Note.of("Ann", "a change"));
            put(noted, "b/0007", 7777);
            put(noted, "a/0008", 8888);
            assertThat(reading.conflicts().countNew("main")).isZero();
            // The shards that lead to the second key. The events before are some 160 KB.
            assertThat(requests).isLessThanOrEqualTo(5);
            assertThat(bytes).isLessThan(4_000);
            assertThat(exchange(reading)
                            .push("main", PushMode.FAST_FORWARD)
                            .branch()
                            .head())
                    .isEqualTo(here.head("main"));
            assertThat(whole.root("main")).isEqualTo(reading.root("main"));
            // A push looks for shards in 16 earlier versions, which it need not send.
            assertThat(bytes).isLessThan(40_000);
        }
    }

    private static List<Cid> reachable(Repository repository, List<Cid> events) {
        List<Cid> all = new ArrayList<>();
        new Reachable(
                        cid -> {
                            all.add(cid);
                            return repository.blocks().get(cid);
                        },
                        () -> {})
                .addEvents(events);
        repository.pail().entries().forEach(entry -> all.add(entry.value()));
        return all;
    }

    @Test
    void anUnpushedBlockThatIsGoneIsLost_REP40() throws IOException {
        putAll("a/", 100);
        putAll("b/", 100);
        try (Repository here = made(OF_B)) {
            Repository reading = through(here);
            assertThat(exchange(reading).cloneAll(remote.info()).fetched()).hasSize(1);
            put(reading, "a/00007", 1000);
            assertThat(here.verify(ALL).isSound()).isTrue();
            assertThat(here.maintenance().garbageCollection().run().kept().blocks())
                    .isPositive();
            int lost = 0;
            long untold = 0;
            for (Path file : blocks(here)) {
                Cid cid = raw(file);
                byte[] content = Files.readAllBytes(file);
                Files.delete(file);
                boolean isThere = whole.blocks().has(cid);
                VerifyReport alone = here.verify(ALL);
                // Without the remote, a promised block is never lost, and a lost one never promised.
                assertThat(alone.damaged()).as(cid.toString()).isLessThanOrEqualTo(isThere ? 0 : 1);
                assertThat(alone.isSound() && !isThere).as(cid.toString()).isFalse();
                assertThat(alone.unreadable()).isEqualTo(alone.untold());
                untold += isThere ? alone.untold() : 0;
                VerifyReport report = here.verify(ALL.withRemote(this::there));
                assertThat(report.isSound()).as(cid.toString()).isEqualTo(isThere);
                if (!isThere) {
                    lost++;
                    assertThat(report.problems()).allMatch(problem -> problem.kind() == Kind.MISSING);
                    boolean isValue =
                            report.problems().get(0).cid().orElseThrow().codec() == Cid.RAW;
                    if (!isValue) {
                        assertThatExceptionOfType(RepositoryException.class)
                                .isThrownBy(() ->
                                        here.maintenance().garbageCollection().run());
                    }
                } else if (alone.isSound()) {
                    assertThat(here.maintenance().garbageCollection().dryRun().lost())
                            .isEmpty();
                }
                Files.createDirectories(file.getParent());
                Files.write(file, content);
            }
            // An event, a value, and the shards that lead to the key.
            assertThat(lost).isGreaterThanOrEqualTo(4);
            // Without a shard of the version before, it is not known which others this has.
            assertThat(untold).isPositive();
            assertThat(exchange(reading)
                            .push("main", PushMode.FAST_FORWARD)
                            .branch()
                            .head())
                    .isEqualTo(here.head("main"));
            Cid head = here.head("main").events().get(0).raw();
            for (Path file : blocks(here)) {
                if (!raw(file).equals(head)) {
                    Files.delete(file);
                }
            }
            assertThat(here.verify(ALL).isSound()).isTrue();
            assertThat(reading.root("main")).isEqualTo(whole.root("main"));
        }
    }

    /** Changes in a part and in the whole, exchanged now and then. */
    @Test
    void partsAndWholesMeet_REP40() {
        Randomness.schedules("PartTest", Randomness.times(100, 10_000), this::schedule);
    }

    private void schedule(Random random) {
        whole.close();
        whole = Repository.inMemory();
        remote = RepositoryRemote.of(whole, "there");
        put(whole, key(random), random.nextInt());
        Part part = new Part("origin", random.nextBoolean() ? "" : "b/", random.nextBoolean());
        try (Repository here = made(part)) {
            Repository reading = through(here);
            assertThat(exchange(reading).cloneAll(remote.info()).fetched()).hasSize(1);
            int steps = 1 + random.nextInt(8);
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> put(whole, key(random), random.nextInt());
                    case 2, 3 -> put(reading, key(random), random.nextInt());
                    case 4 ->
                        assertThat(exchange(reading).pull("main", MergeOptions.DEFAULT))
                                .isNotNull();
                    default -> remove(reading, key(random));
                }
            }
            boolean isPushed = random.nextBoolean();
            if (isPushed) {
                assertThat(exchange(reading).pull("main", MergeOptions.DEFAULT)).isNotNull();
                assertThat(exchange(reading).push("main", PushMode.FAST_FORWARD))
                        .isNotNull();
                assertThat(reading.head("main")).isEqualTo(whole.head("main"));
                assertThat(reading.root("main")).isEqualTo(whole.root("main"));
            }
            assertThat(here.verify(ALL).problems()).isEmpty();
            damage(random, here, reading);
        }
    }

    private static void remove(Repository repository, String key) {
        repository.update("main", pail -> pail.get(key).isPresent() ? pail.delete(key) : pail);
    }

    private static String key(Random random) {
        return (random.nextBoolean() ? "a/" : "b/") + Integer.toString(random.nextInt(60), 4);
    }

    /** Blocks that are gone are promised and come back, or are reported. */
    private void damage(Random random, Repository here, Repository reading) {
        List<Path> files = blocks(here);
        Set<Cid> needed = reachable(here, reading).stream().map(Cid::raw).collect(Collectors.toSet());
        List<Path> lost = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            Path file = files.get(random.nextInt(files.size()));
            if (Files.exists(file)) {
                Cid cid = raw(file);
                if (!whole.blocks().has(cid) && needed.contains(cid)) {
                    lost.add(file);
                }
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
        Path place = FileRepository.of(here).orElseThrow().folder();
        VerifyReport alone;
        VerifyReport asked;
        VerifyReport healed;
        // What was put is in memory, too.
        try (Repository again = FileRepository.open(place, Durability.NONE)) {
            alone = again.verify(ALL);
            asked = again.verify(ALL.withRemote(this::there));
        }
        // A check may make the version of several events again, with shards of these events, before or after it misses
        // them.
        boolean isLost = !lost.stream().allMatch(Files::exists);
        try (Repository again = FileRepository.open(place, Durability.NONE)) {
            healed = through(again).verify(ALL.withRemote(this::there));
        }
        assertThat(alone.isSound() && isLost).as(() -> alone.toString()).isFalse();
        assertThat(alone.unreadable()).isEqualTo(alone.untold());
        assertThat(asked.untold()).isZero();
        assertThat(asked.isSound() && isLost).isFalse();
        assertThat(healed.isSound() && !lost.stream().allMatch(Files::exists)).isFalse();
        if (lost.isEmpty()) {
            assertThat(asked.problems()).isEmpty();
            assertThat(healed.problems()).isEmpty();
        }
        assertThat(Stream.of(alone, asked, healed).flatMap(report -> report.problems().stream()))
                .filteredOn(problem -> problem.kind() == Kind.MISSING)
                .allSatisfy(
                        problem -> assertThat(whole.blocks().has(problem.cid().orElseThrow()))
                                .isFalse());
    }

    private Set<Cid> there(Set<Cid> cids) {
        return BlockSources.which(RemoteReads.of(remote), cids);
    }

    /** What the head of a part needs and is here. */
    private static List<Cid> reachable(Repository here, Repository reading) {
        List<Cid> all = new ArrayList<>();
        Reachable of = new Reachable(here.blocks()::get, () -> {}).partial(absent -> {});
        of.addEvents(reading.head("main").events());
        blocks(here).stream().map(PartTest::raw).filter(of::contains).forEach(all::add);
        return all;
    }
}
