package dev.pail.repository.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MissingBlockException;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.testkit.disk.CrashDisk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Remote-tracking refs: their form (REP31), and what they keep (G1). */
class TrackingTest {
    private static final Path FOLDER = Path.of("/r");
    private static final String MAIN = "origin/main";

    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository =
            FileRepository.init(disk, FOLDER, InitOptions.of(ShardFormat.v1()).withPlainEvents());

    @AfterEach
    void close() {
        repository.close();
    }

    private Head put(String branch, String key) {
        repository.update(branch, pail -> pail.put(key, VALUE));
        return repository.head(branch);
    }

    private String text(String file) throws IOException {
        return new String(disk.read(FOLDER.resolve(file), 1 << 20), StandardCharsets.US_ASCII);
    }

    @Test
    void aRefHasItsFileAndMakesLayout3_REP31() throws IOException {
        Head head = put("main", "a");
        assertThat(text("config")).contains("layout = 2");
        repository.remotes().track("origin/feature/x", new Tracking(7, true, head));

        assertThat(text("remotes/origin/feature%2Fx"))
                .isEqualTo("generation 7 values yes\n" + head.events().get(0) + "\n");
        assertThat(text("config")).contains("layout = 3");
        assertThat(repository.remotes().refs()).containsOnlyKeys("origin/feature/x");
        assertThat(repository.resolve("origin/feature/x").head()).contains(head);

        repository.remotes().untrack("origin/feature/x");
        repository.remotes().untrack("origin/feature/x");
        assertThat(repository.remotes().refs()).isEmpty();
        assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.resolve("origin/feature/x"));
    }

    @Test
    void aRefNeedsAllOfItsVersion() {
        Head head = put("main", "a");
        Head unknown = Head.of(Block.of(Cid.DAG_CBOR, new byte[] {1}).cid());
        repository.remotes().track(MAIN, new Tracking(1, false, head));
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> repository.remotes().track(MAIN, new Tracking(2, false, unknown)));
        assertThat(repository.remotes().refs().get(MAIN)).isEqualTo(new Tracking(1, false, head));
    }

    @Test
    void theCollectorKeepsWhatARefLeadsTo_G1() {
        try (Repository theirs = Repository.inMemory(ShardFormat.v1())) {
            theirs.update("main", pail -> pail.put("a", VALUE));
            Head head = theirs.head("main");
            ByteArrayOutputStream car = new ByteArrayOutputStream();
            CarExport.of(theirs.blocks(), head.events()).writeTo(car, "");
            try (CarReader reader = CarReader.of(new ByteArrayInputStream(car.toByteArray()), "")) {
                CarImport unused = CarImport.of(reader, repository.blocks());
            }
            repository.remotes().track(MAIN, new Tracking(1, false, head));
            disk.pause(Duration.ofDays(200).toMillis());
            assertThat(repository
                            .maintenance()
                            .garbageCollection()
                            .run()
                            .moved()
                            .blocks())
                    .isZero();
            assertThat(repository.pailAt(head).get("a")).contains(VALUE);

            repository.remotes().untrack(MAIN);
            assertThat(repository
                            .maintenance()
                            .garbageCollection()
                            .run()
                            .moved()
                            .blocks())
                    .isEqualTo(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"main", "/main", "origin/", "a b/main", "origin/../x", "../main", ".hidden/main", "origin/-x", ""
            })
    void namesAreThoseOfARemoteAndABranch(String name) {
        assertThat(Tracking.isName(name)).isFalse();
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.refs().tracking(name));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.remotes().track(name, new Tracking(1, true, Head.empty())));
    }

    @Test
    void onlyTheExactFormIsRead_REP31() {
        Cid one = Block.of(Cid.DAG_CBOR, new byte[] {1}).cid();
        Cid two = Block.of(Cid.DAG_CBOR, new byte[] {2}).cid();
        Tracking tracking = new Tracking(12, false, Head.of(one, two));
        assertThat(Tracking.parse(tracking.toBytes())).isEqualTo(tracking);
        String good = new String(tracking.toBytes(), StandardCharsets.US_ASCII);
        String first = tracking.head().events().get(0) + "\n";
        for (String bad : new String[] {
            "",
            "generation 12 values no",
            good.substring(0, good.length() - 1),
            good.replace("12", "012"),
            good.replace("12", "-1"),
            good.replace("12", "99999999999999999999"),
            good.replace("12", "9999999999999999999"),
            good.replace(" no", " maybe"),
            good.replace("\n", "\r\n"),
            good + first,
            good.replace(first, "") + first,
            good + "x\n",
            good + "\n"
        }) {
            assertThatExceptionOfType(MalformedDataException.class)
                    .as(bad)
                    .isThrownBy(() -> Tracking.parse(bad.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    @Test
    void aDamagedFileIsNamed() throws IOException {
        repository.remotes().track(MAIN, new Tracking(1, true, put("main", "a")));
        try (Disk.WritableFile out = disk.create(FOLDER.resolve("remotes/origin/other"))) {
            out.write(new byte[] {1});
        }
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(repository.remotes()::refs)
                .withMessageContaining("remotes/origin/other");
    }
}
