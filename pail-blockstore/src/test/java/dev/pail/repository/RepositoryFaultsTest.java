package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.disk.Disk;
import dev.pail.disk.FaultyDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every call of the disk fails once, and from then on: the head is an acknowledged version or the next, and complete. */
class RepositoryFaultsTest {
    private static final List<String> KEYS = List.of("a", "ab", "abc", "b");

    @TempDir
    Path folder;

    private int points;

    private static Cid value(String key) {
        return Block.of(Cid.RAW, key.getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                .cid();
    }

    @Test
    void everyCallFails() throws IOException {
        for (FaultyDisk.When when : FaultyDisk.When.values()) {
            for (boolean forever : new boolean[] {false, true}) {
                long failing = 1;
                while (fail(failing, forever, when)) {
                    failing++;
                }
            }
        }
        System.out.println("RepositoryFaultsTest: " + points + " failures");
        assertThat(points).isGreaterThan(400);
    }

    /** Makes some changes on a disk that fails, and says whether it came to that. */
    private boolean fail(long failing, boolean forever, FaultyDisk.When when) {
        Path own = folder.resolve(when + "-" + forever + "-" + failing);
        Repository.init(own, ShardFormat.v1()).close();
        FaultyDisk disk = new FaultyDisk(Disk.system(), failing, forever, when);
        List<String> acknowledged = new ArrayList<>();
        try (Repository repository = Repository.open(disk, own, Duration.ZERO)) {
            for (String key : KEYS) {
                repository.update("main", pail -> pail.put(key, value(key)));
                acknowledged.add(key);
            }
        } catch (PailException e) {
            assertThat(e).hasMessageContaining("injected");
        }
        try (Repository repository = Repository.open(own)) {
            List<String> keys = repository.pail().entries().map(Entry::key).toList();
            int more = Math.min(KEYS.size(), acknowledged.size() + 1);
            assertThat(keys)
                    .isIn(
                            acknowledged.stream().sorted().toList(),
                            KEYS.subList(0, more).stream().sorted().toList());
            Verification verification = Verification.of(repository.blocks(), repository.root("main"));
            assertThat(verification.problems()).isEmpty();
            KEYS.forEach(key -> repository.update("main", pail -> pail.put(key, value(key))));
            assertThat(repository.pail().entries()).hasSize(KEYS.size());
        }
        boolean reached = disk.calls() >= failing;
        points += reached ? 1 : 0;
        return reached;
    }
}
