package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.PailException;
import dev.pail.Verification;
import dev.pail.car.CarReader;
import dev.pail.cli.terminal.Exit;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A small repository with one damaged bit, sector or file. All other blocks can be read, each branch recovers its newest complete
 * version, and a check names exactly the damage.
 */
class RandomDamageTest {
    private static final int TIMES = Randomness.times(60, 1500);
    private static final int SECTOR = 512;
    private static final List<String> BRANCHES = List.of("main", "side");

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;
    private Path store;
    private Cid emptyRoot;

    /** The files as they should be. */
    private final Map<Path, byte[]> files = new TreeMap<>();

    /** The block of each file that has one. */
    private final Map<Path, Block> blocks = new HashMap<>();

    /** All blocks that the branches lead to, wherever they are. */
    private final Map<Cid, Block> all = new HashMap<>();

    /** For each branch the heads that it had, newest first, with the entries of their versions. */
    private final Map<String, List<Version>> versions = new TreeMap<>();

    private record Version(Head head, String listing) {}

    @ParameterizedTest
    @ValueSource(strings = {"files", "segments"})
    void oneBitSectorOrFile(String storage) throws IOException {
        Random random = new Random(Randomness.seed("RandomDamageTest"));
        make(random, storage);
        List<Path> all = new ArrayList<>(files.keySet());
        int named = 0;
        for (int i = 0; i < TIMES; i++) {
            Path file = all.get(random.nextInt(all.size()));
            // A segment that is gone takes all versions with it.
            int how = isSegment(file) ? 1 + random.nextInt(2) : random.nextInt(3);
            byte[] left = damage(files.get(file).clone(), how, random);
            restore();
            if (left == null) {
                Files.delete(file);
            } else {
                Files.write(file, left);
            }
            String what = store.relativize(file) + (left == null ? " lost" : " damaged") + ", round " + i;
            try {
                named += check(file) ? 1 : 0;
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(what, e);
            }
        }
        assertThat(named).isGreaterThan(TIMES / 4);
    }

    private boolean isSegment(Path file) {
        return file.startsWith(store.resolve("segments"));
    }

    private void make(Random random, String storage) throws IOException {
        shell = Shell.withRepository(folder, "--format", "v1", "--blocks", storage);
        store = folder.resolve(".pail");
        emptyRoot = Cid.parse(shell.root());
        for (int i = 0; i < 8; i++) {
            if (i == 3) {
                shell.run("branch", "side").done();
                shell.run("tag", "v1").done();
            }
            String branch = i == 3 || (i > 4 && random.nextBoolean()) ? "side" : "main";
            String key = "abc".charAt(random.nextInt(3)) + Integer.toString(random.nextInt(1000), 36);
            shell.feed("value " + random.nextInt(), "put", key, "--file", "-", "-b", branch)
                    .done();
        }
        shell.run("gc").done();
        try (Stream<Path> walk = Files.walk(store)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                files.put(file, Files.readAllBytes(file));
            }
        }
        try (Repository repository = FileRepository.open(store)) {
            for (Map.Entry<Path, byte[]> file : files.entrySet()) {
                if (file.getKey().startsWith(store.resolve("blocks"))) {
                    blocks.put(file.getKey(), block(file.getValue()));
                }
            }
            for (String branch : BRANCHES) {
                export(branch);
                List<Version> known = new ArrayList<>();
                known.add(version(repository, repository.head(branch)));
                try (Stream<LogEntry> log = repository.history().log(branch)) {
                    log.forEach(entry -> known.add(version(repository, entry.from())));
                }
                versions.put(branch, known);
            }
        }
    }

    private void export(String branch) throws IOException {
        byte[] car = shell.run("export", "-", "-b", branch).bytes();
        try (CarReader reader = CarReader.of(new ByteArrayInputStream(car), branch)) {
            reader.forEach(section -> all.put(section.block().cid(), section.block()));
        }
    }

    private static Version version(Repository repository, Head head) {
        try (var entries = repository.pailAt(head).entries()) {
            return new Version(head, entries.toList().toString());
        }
    }

    private static Block block(byte[] bytes) {
        boolean isValue = new String(bytes, StandardCharsets.ISO_8859_1).startsWith("value ");
        return Block.of(isValue ? Cid.RAW : Cid.DAG_CBOR, bytes);
    }

    /** What is left of a file; null if it is gone. */
    private static byte[] damage(byte[] bytes, int how, Random random) {
        if (how == 0 || bytes.length == 0) {
            return null;
        }
        if (how == 1) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            return bytes;
        }
        int from = random.nextInt(bytes.length) / SECTOR * SECTOR;
        for (int at = from; at < Math.min(from + SECTOR, bytes.length); at++) {
            bytes[at] = 0;
        }
        return bytes;
    }

    private void restore() throws IOException {
        try (Stream<Path> walk = Files.walk(store)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                if (!files.containsKey(file)) {
                    Files.delete(file);
                }
            }
        }
        for (Map.Entry<Path, byte[]> file : files.entrySet()) {
            Files.write(file.getKey(), file.getValue());
        }
    }

    /** Whether the damage was named. */
    private boolean check(Path file) {
        String name = store.relativize(file).toString();
        if (name.equals("config")) {
            Answer refused = shell.run("verify", "--all");
            boolean isSound = refused.status() == Exit.DONE;
            assertThat(isSound || refused.err().contains(store.toString())).isTrue();
            return !isSound;
        }
        boolean named = verify(file, name);
        try (Repository repository = FileRepository.open(store)) {
            for (Map.Entry<Path, Block> each : blocks.entrySet()) {
                if (!each.getKey().equals(file)) {
                    assertThat(repository.blocks().get(each.getValue().cid())).contains(each.getValue());
                }
            }
        }
        // Without a log of its own it is no branch any more (REP17).
        boolean sideIsForeign = name.equals("logs/side") && !Files.exists(file);
        for (String branch : sideIsForeign ? List.of("main") : BRANCHES) {
            goBack(branch, file);
        }
        return named;
    }

    private boolean verify(Path file, String name) {
        Answer verified = shell.run("--json", "verify", "--all");
        List<String> problems = new ArrayList<>();
        for (JsonNode each : verified.json()) {
            if (each.has("problem")) {
                problems.add(
                        each.has("cid")
                                ? each.get("cid").asText()
                                : each.get("message").asText());
            }
        }
        if (verified.status() == Exit.DONE) {
            assertThat(problems).isEmpty();
            assertThat(all.values()).allMatch(each -> !isNeeded(each.cid()) || isIntact(each));
            assertThat(blocks.keySet().contains(file) && isNeeded(file))
                    .as("needed")
                    .isFalse();
            return false;
        }
        assertThat(verified.status()).isEqualTo(Exit.DAMAGED);
        Block block = blocks.get(file);
        if (isSegment(file)) {
            // The former contents of a damaged place are unknown, even if nothing else is reported, and so are the
            // blocks below a
            // missing event.
            boolean isUnknown = problems.isEmpty()
                    || verified.json().stream()
                            .filter(each -> each.has("problem"))
                            .anyMatch(each -> !each.has("cid")
                                    || each.get("problem").asText().equals("missing"));
            for (Block each : all.values()) {
                assertThat(isIntact(each)
                                || isUnknown
                                || problems.contains(each.cid().toString()))
                        .as(each.cid() + " is named: " + verified.text())
                        .isTrue();
            }
            for (JsonNode each : verified.json()) {
                if (each.has("cid")) {
                    assertThat(isReadable(each.get("cid").asText()))
                            .as(each.toString())
                            .isFalse();
                }
            }
        } else if (block != null) {
            // Of a block that no version needs, the codec is not known.
            assertThat(problems)
                    .isNotEmpty()
                    .allSatisfy(cid -> assertThat(Cid.parse(cid).raw())
                            .isEqualTo(block.cid().raw()));
        } else {
            // A changed bit of a tag may make it the CID of nothing: then that event of this tag is missing.
            String of = String.valueOf(file.getFileName());
            assertThat(verified.text() + verified.err()).containsAnyOf(name, "\"" + of + "\"");
        }
        return true;
    }

    private boolean isIntact(Block block) {
        try (Repository repository = FileRepository.open(store)) {
            return repository.blocks().get(block.cid()).filter(block::equals).isPresent();
        } catch (PailException e) {
            return false;
        }
    }

    private boolean isReadable(String cid) {
        try (Repository repository = FileRepository.open(store)) {
            return repository.blocks().get(Cid.parse(cid)).isPresent();
        } catch (PailException e) {
            return false;
        }
    }

    /** Whether a block must be there: a value need not, and the root of the empty pail is made anew. */
    private boolean isNeeded(Path file) {
        return isNeeded(blocks.get(file).cid());
    }

    private boolean isNeeded(Cid cid) {
        return cid.codec() == Cid.DAG_CBOR && !cid.equals(emptyRoot);
    }

    /** Takes a branch to the newest version that is whole, with all versions that it follows, and works on. */
    private void goBack(String branch, Path file) {
        List<Version> known = versions.get(branch);
        int back = 0;
        boolean isReadable;
        try (Repository repository = FileRepository.open(store)) {
            isReadable = isReadable(repository, known.get(0).head());
            while (!isWhole(repository, known.get(back).head())) {
                back++;
            }
        }
        Version whole = known.get(back);
        Answer moved =
                back == 1 ? shell.run("undo", "-b", branch) : shell.run("reset", "@{" + back + "}", "-b", branch);
        boolean logIsShort = moved.status() != Exit.DONE && !blocks.containsKey(file) && !isSegment(file);
        if (logIsShort) {
            // Its log is damaged, and does not lead that far.
            assertThat(file.getParent().getFileName()).hasToString("logs");
            return;
        }
        assertThat(moved.status()).as(moved.err()).isEqualTo(Exit.DONE);
        if (!isReadable) {
            assertThat(moved.err()).contains("warning: ");
        }
        try (Repository repository = FileRepository.open(store)) {
            assertThat(version(repository, repository.head(branch))).isEqualTo(whole);
        }
        assertThat(shell.run("put", "new", Shell.cid(1), "-b", branch).status()).isZero();
        // A log stays damaged, and so does a value.
        boolean stays = file.startsWith(store.resolve("logs"))
                || isSegment(file)
                || (blocks.containsKey(file) && !isNeeded(file));
        assertThat(shell.run("verify", "-b", branch).status()).isIn(Exit.DONE, stays ? Exit.DAMAGED : Exit.DONE);
    }

    /** Whether all versions that lead to a head are whole. */
    private static boolean isWhole(Repository repository, Head head) {
        try {
            MerkleClock clock = MerkleClock.open(repository.blocks());
            for (Cid event : clock.history(head)) {
                if (!hasShards(repository, clock.event(event).root())) {
                    return false;
                }
            }
            return true;
        } catch (PailException e) {
            return false;
        }
    }

    /** Whether the version of a head is whole, and all events are there. */
    private static boolean isReadable(Repository repository, Head head) {
        try {
            List<Cid> unused = MerkleClock.open(repository.blocks()).history(head);
            return hasShards(repository, repository.pailAt(head).root());
        } catch (PailException e) {
            return false;
        }
    }

    private static boolean hasShards(Repository repository, Cid root) {
        return Verification.of(repository.blocks(), root).problems().stream().noneMatch(Verification.Problem::isShard);
    }
}
