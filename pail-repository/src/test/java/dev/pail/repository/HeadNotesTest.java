package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a repository keeps of the notes of signed heads. */
class HeadNotesTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final SigningKey ann = SigningKey.generate("example.com/ann");
    private final Repository repository = Repository.inMemory();

    @BeforeEach
    void fill() {
        put(repository);
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private static void put(Repository repository) {
        repository.update("main", pail -> pail.putBytes("a", new byte[] {1}));
    }

    private static Cid cid(int number) {
        return Block.of(Cid.DAG_CBOR, new byte[] {(byte) number}).cid();
    }

    private static HeadNote note(String name, long generation, int event, SigningKey key) {
        return HeadNote.parse(new SignedHead(name, generation, cid(0), Head.of(cid(event))).sign(key));
    }

    @Test
    void theNewestOfAKeyIsKept_SN11() {
        HeadNotes notes = repository.headNotes();
        HeadNote second = note("main", 2, 1, ann);
        assertThat(notes.keep(second)).isEqualTo(HeadNotes.Outcome.KEPT);
        assertThat(notes.keep(second)).isEqualTo(HeadNotes.Outcome.KNOWN);
        assertThat(notes.keep(note("main", 1, 3, ann))).isEqualTo(HeadNotes.Outcome.KNOWN);
        assertThat(notes.keep(note("main", 2, 4, ann))).isEqualTo(HeadNotes.Outcome.CONTRADICTS);
        assertThat(notes.all()).containsExactly(second);
        HeadNote third = note("main", 3, 1, ann);
        HeadNote other = note("main", 1, 1, SigningKey.generate("a"));
        assertThat(notes.keep(third)).isEqualTo(HeadNotes.Outcome.KEPT);
        assertThat(notes.keep(other)).isEqualTo(HeadNotes.Outcome.KEPT);
        assertThat(notes.of("main")).containsExactly(other, third).isEqualTo(notes.all());
    }

    @Test
    void onlyBesideWhatIsThere_SN11() {
        HeadNotes notes = repository.headNotes();
        assertThat(notes.keep(note("draft", 1, 1, ann))).isEqualTo(HeadNotes.Outcome.LEFT);
        assertThat(notes.keep(note("../x", 1, 1, ann))).isEqualTo(HeadNotes.Outcome.LEFT);
        repository.tags().create("v1", repository.head("main"));
        Tracking unused =
                repository.remotes().track("origin/feature/x", new Tracking(1, true, repository.head("main")));
        assertThat(notes.keep(note("v1", 0, 1, ann))).isEqualTo(HeadNotes.Outcome.KEPT);
        assertThat(notes.keep(note("x", 1, 1, ann))).isEqualTo(HeadNotes.Outcome.LEFT);
        assertThat(notes.keep(note("feature/x", 1, 1, ann))).isEqualTo(HeadNotes.Outcome.KEPT);
        assertThat(notes.all()).extracting(HeadNote::name).containsExactly("feature/x", "v1");
    }

    @Test
    void asManyAsFit_SN12() {
        Head large = Head.of(IntStream.range(0, 1000)
                .mapToObj(i -> Block.of(Cid.DAG_CBOR, new byte[] {(byte) i, (byte) (i >> 8)})
                        .cid())
                .toList());
        HeadNotes notes = repository.headNotes();
        for (int i = 0; i < 2; i++) {
            HeadNote note = HeadNote.parse(
                    new SignedHead("main", 1, cid(0), large).sign(SigningKey.generate("example.com/" + i)));
            assertThat(notes.keep(note)).isEqualTo(HeadNotes.Outcome.KEPT);
        }
        List<HeadNote> before = notes.all();
        HeadNote third = HeadNote.parse(new SignedHead("main", 1, cid(0), large).sign(ann));
        assertThat(notes.keep(third)).isEqualTo(HeadNotes.Outcome.TOO_MANY);
        assertThat(notes.all()).isEqualTo(before);
    }

    /** In each order and by each way that notes take: when all copies have met, they are equal, and have the newest of each key. */
    @Test
    void copiesAgreeInTheEnd_SN11() {
        long seed = Long.getLong("pail.seed", System.nanoTime());
        System.out.println("HeadNotesTest: -Dpail.seed=" + seed);
        Random random = new Random(seed);
        List<SigningKey> keys =
                List.of(ann, SigningKey.generate("example.com/bob"), SigningKey.generate("example.com/eve"));
        for (int round = 0; round < 50; round++) {
            List<Repository> copies =
                    IntStream.range(0, 3).mapToObj(i -> Repository.inMemory()).toList();
            long[] newest = new long[keys.size()];
            for (int step = 0; step < 30; step++) {
                HeadNotes one = copies.get(random.nextInt(3)).headNotes();
                if (random.nextBoolean()) {
                    int key = random.nextInt(keys.size());
                    long generation = random.nextInt(9);
                    newest[key] = Math.max(newest[key], generation + 1);
                    one.keep(note("main", generation, 1, keys.get(key)));
                } else {
                    List<HeadNotes.Taken> unused =
                            one.takeAll(copies.get(random.nextInt(3)).headNotes(), name -> true);
                }
            }
            for (int i = 0; i < 4; i++) {
                List<HeadNotes.Taken> unused = copies.get((i + 1) % 3)
                        .headNotes()
                        .takeAll(copies.get(i % 3).headNotes(), name -> true);
            }
            for (Repository copy : copies) {
                assertThat(copy.headNotes().all())
                        .isEqualTo(copies.get(0).headNotes().all());
                for (int key = 0; key < newest.length; key++) {
                    String id = keys.get(key).verifierKey().id();
                    assertThat(copy.headNotes().all().stream()
                                    .filter(note -> note.signer().equals(id))
                                    .mapToLong(note -> note.claim().generation() + 1)
                                    .sum())
                            .isEqualTo(newest[key]);
                }
            }
            copies.forEach(Repository::close);
        }
    }

    @Test
    void aFileHasThoseOfAName_REP37() throws IOException {
        Path file = folder.resolve("pail/signed/feature%2Fx");
        HeadNote note = note("feature/x", 1, 1, ann);
        try (Repository files = FileRepository.init(folder.resolve("pail"), ShardFormat.v1())) {
            put(files);
            assertThat(files.headNotes().all()).isEmpty();
            Object unused = files.branches().create("feature/x", files.head("main"));
            files.headNotes().keep(note);
            assertThat(file).hasContent(note.toString());
        }
        try (Repository files = FileRepository.open(folder.resolve("pail"));
                Repository copy = Repository.inMemory()) {
            assertThat(files.headNotes().all()).containsExactly(note);
            List<RepositoryCopy.Copied> unused =
                    RepositoryCopy.of(files, copy, CopyOptions.DEFAULT).run();
            assertThat(copy.headNotes().all()).containsExactly(note);
            Files.writeString(file, note.toString().replace("pail/feature/x", "pail/feature/y"));
            assertThatThrownBy(() -> files.headNotes().all())
                    .isInstanceOf(RepositoryException.class)
                    .hasMessageContaining("damaged signed heads: " + file);
            Files.writeString(file, note.toString().substring(3));
            assertThatThrownBy(() -> files.headNotes().keep(note))
                    .isInstanceOf(RepositoryException.class)
                    .hasMessageContaining(file.toString());
            assertThat(files.verify(VerifyOptions.DEFAULT).damaged()).isZero();
        }
    }
}
