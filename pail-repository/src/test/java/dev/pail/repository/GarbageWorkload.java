package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.sweep.CollectableBlocks;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A repository with a random history. A plain computation finds what it needs. */
final class GarbageWorkload {
    static final Path FOLDER = Path.of("/r");
    private static final int LONGEST_PAUSE_DAYS = 40;

    /** The place of the repository, with a clock that the test moves. */
    interface Place {
        /** Makes the repository. */
        Repository init(ShardFormat format);

        /** Lets time pass. */
        void pass(Duration time);

        /** The blocks by the names of their multihashes, with their time stamps. */
        Map<String, Instant> blocks() throws IOException;

        /** What is condemned, in the same way. */
        Map<String, Instant> trash() throws IOException;
    }

    /** A folder. */
    private record Folder(CrashDisk disk, BlockStorage storage) implements Place {
        @Override
        public Repository init(ShardFormat format) {
            return FileRepository.init(disk, FOLDER, format, storage);
        }

        @Override
        public void pass(Duration time) {
            disk.pause(time.toMillis());
        }

        @Override
        public Map<String, Instant> blocks() throws IOException {
            return files("blocks");
        }

        @Override
        public Map<String, Instant> trash() throws IOException {
            return files("trash");
        }

        private Map<String, Instant> files(String folder) throws IOException {
            Map<String, Instant> files = new HashMap<>();
            Path all = FOLDER.resolve(folder);
            if (!disk.isDirectory(all)) {
                return files;
            }
            for (Path each : disk.list(all)) {
                for (Path file : disk.list(each)) {
                    String name = String.valueOf(file.getFileName());
                    if (name.endsWith(".data")) {
                        files.put(
                                name.substring(0, name.length() - 5),
                                disk.status(file).orElseThrow().mtime());
                    }
                }
            }
            return files;
        }
    }

    /** The memory of this process. */
    private record Memory(HandClock clock, MemoryBlocks kept) implements Place {
        @Override
        public Repository init(ShardFormat format) {
            return Repository.open(new MemoryRefs(clock), kept, format);
        }

        @Override
        public void pass(Duration time) {
            clock.pass(time);
        }

        @Override
        public Map<String, Instant> blocks() {
            return stamps(false);
        }

        @Override
        public Map<String, Instant> trash() {
            return stamps(true);
        }

        private Map<String, Instant> stamps(boolean isCondemned) {
            return kept.collectable().list().stream()
                    .filter(each -> each.isCondemned() == isCondemned)
                    .collect(Collectors.toMap(each -> each.cid().multihashName(), CollectableBlocks.Listed::time));
        }
    }

    final CrashDisk disk;
    final Repository repository;
    private final Place place;
    private final Random random;
    private final List<Cid> values = new ArrayList<>();
    private int names;

    /** A history in a folder on {@link #disk}. */
    GarbageWorkload(long seed, BlockStorage storage) {
        this(seed, new CrashDisk(), disk -> new Folder(disk, storage));
    }

    GarbageWorkload(long seed, Place place) {
        this(seed, new CrashDisk(), unused -> place);
    }

    private GarbageWorkload(long seed, CrashDisk disk, Function<CrashDisk, Place> place) {
        this.random = Randomness.random(seed);
        this.disk = disk;
        this.place = place.apply(disk);
        this.repository = this.place.init(random.nextBoolean() ? ShardFormat.v1() : ShardFormat.v0(300, 8));
    }

    static Place inMemory() {
        HandClock clock = new HandClock();
        return new Memory(clock, new MemoryBlocks(clock));
    }

    /** Changes something, or lets some days pass. */
    void step() {
        List<String> branches = repository.branches().names();
        String branch = branches.get(random.nextInt(branches.size()));
        switch (random.nextInt(14)) {
            case 0 -> branch(branch);
            case 1 -> remove(branch);
            case 2 -> tag(branch);
            case 3 -> untag();
            case 4, 5 -> undo(branch);
            case 6 -> merge(branch, branches.get(random.nextInt(branches.size())));
            case 7, 8 -> pause();
            case 9 -> look();
            default -> put(branch);
        }
    }

    private void pause() {
        long time = (long)
                (random.nextDouble() * Duration.ofDays(LONGEST_PAUSE_DAYS).toMillis());
        place.pass(Duration.ofMillis(time));
    }

    /** The blocks by the names of their multihashes, with their time stamps. */
    Map<String, Instant> blocks() throws IOException {
        return place.blocks();
    }

    /** What is in the trash, in the same way. */
    Map<String, Instant> trash() throws IOException {
        return place.trash();
    }

    private Cid value() {
        Block block = Block.of(Cid.RAW, Integer.toString(random.nextInt(50)).getBytes(StandardCharsets.US_ASCII));
        if (random.nextInt(3) > 0) {
            repository.blocks().put(block);
            values.add(block.cid());
        }
        return block.cid();
    }

    private void put(String branch) {
        StringBuilder key = new StringBuilder();
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
            key.append((char) ('a' + random.nextInt(3)));
        }
        Cid value = value();
        boolean delete = random.nextInt(4) == 0;
        repository.update(branch, pail -> delete ? pail.delete(key.toString()) : pail.put(key.toString(), value));
    }

    private void branch(String from) {
        String name = "b" + names++ % 6;
        if (!repository.branches().contains(name)) {
            repository.branches().create(name, repository.snapshot(from).head());
        }
    }

    private void remove(String branch) {
        if (!branch.equals(Repository.MAIN)) {
            repository.branches().remove(branch);
        }
    }

    private void tag(String branch) {
        Head head = repository.snapshot(branch).head();
        if (!head.isEmpty()) {
            repository.tags().create("t" + names++, head);
        }
    }

    private void untag() {
        List<String> tags = repository.tags().names();
        if (!tags.isEmpty()) {
            repository.tags().remove(tags.get(random.nextInt(tags.size())));
        }
    }

    private void undo(String branch) {
        List<LogEntry> log = log(branch);
        if (!log.isEmpty()) {
            LogEntry entry = log.get(random.nextInt(log.size()));
            try {
                repository.move(repository.snapshot(branch), entry.from(), "undo");
            } catch (MissingBlockException e) {
                if (!entry.time().isBefore(repository.maintenance().logsKeptSince())) {
                    throw new AssertionError("an entry within the retention", e);
                }
            }
        }
    }

    private void merge(String branch, String other) {
        Head theirs = repository.snapshot(other).head();
        try {
            repository.change(branch, "merge", ours -> ours.merge(theirs));
        } catch (UnrelatedHistoriesException e) {
            return;
        }
    }

    private void look() {
        if (!values.isEmpty()) {
            repository.blocks().get(values.get(random.nextInt(values.size())));
        }
    }

    private List<LogEntry> log(String branch) {
        return log(repository, branch);
    }

    private static List<LogEntry> log(Repository of, String branch) {
        try (Stream<LogEntry> log = of.history().logEvenIfRemoved(branch)) {
            return log.toList();
        }
    }

    /** What a repository has under each name: the entries of branches and tags. */
    static Map<String, Map<String, Cid>> contents(Repository of) {
        Map<String, Map<String, Cid>> contents = new TreeMap<>();
        for (String branch : of.branches().names()) {
            contents.put(
                    "branch " + branch,
                    Listing.entries(of.pailAt(of.snapshot(branch).head())));
        }
        for (String tag : of.tags().names()) {
            contents.put(
                    "tag " + tag, Listing.entries(of.pailAt(of.tags().head(tag).orElseThrow())));
        }
        return contents;
    }

    /** The heads that have to stay, by the rule in plain words. */
    static Set<Head> heads(Repository of, Instant keptSince) {
        Set<Head> heads = new HashSet<>();
        of.branches().names().forEach(branch -> heads.add(of.snapshot(branch).head()));
        of.tags().names().forEach(tag -> heads.add(of.tags().head(tag).orElseThrow()));
        for (String each : of.refs().logs()) {
            List<LogEntry> log = log(of, each);
            for (int i = 0; i < log.size(); i++) {
                if (i == 0 || !log.get(i).time().isBefore(keptSince)) {
                    heads.add(log.get(i).from());
                    heads.add(log.get(i).to());
                }
            }
        }
        return heads;
    }

    /** The blocks that must stay, as names of multihashes: all that any link reaches. */
    static Set<String> needed(Repository of, Instant keptSince) {
        Set<String> needed = new HashSet<>();
        for (Head head : heads(of, keptSince)) {
            head.events().forEach(event -> reach(of.blocks(), event, needed));
        }
        reach(of.blocks(), of.pailAt(Head.empty()).root(), needed);
        for (String branch : of.branches().names()) {
            reach(of.blocks(), of.snapshot(branch).root(), needed);
        }
        return needed;
    }

    private static void reach(BlockStore blocks, Cid cid, Set<String> reached) {
        if (!reached.add(cid.multihashName()) || cid.codec() != Cid.DAG_CBOR) {
            return;
        }
        Optional<Block> block = blocks.get(cid);
        if (block.isEmpty()) {
            throw new AssertionError("not there: " + cid);
        }
        List<Cid> links = new ArrayList<>();
        DagCborReader reader = new DagCborReader(block.get().bytes());
        for (long due = 1; due > 0; due--) {
            switch (reader.peek()) {
                case ARRAY -> due += reader.readArray();
                case MAP -> due += 2L * reader.readMap();
                case LINK -> links.add(reader.readLink());
                default -> reader.skip();
            }
        }
        links.forEach(link -> reach(blocks, link, reached));
    }
}
