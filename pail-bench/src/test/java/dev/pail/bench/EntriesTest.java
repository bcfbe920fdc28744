package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.bench.Entries.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntriesTest {
    @TempDir
    Path folder;

    @Test
    void aValueIsTheRawBlockOfItsNumber() {
        assertThat(Entries.value(0).toString())
                .isEqualTo("bafkreic75tvwn76in44nsutynrwws3dzyln4eoo5j2i3izzj245cp62x5e");
    }

    @Test
    void aFileHasKeyTabCidLineByLine() throws IOException {
        Entries entries = Entries.of(KeySet.W3, 2, Order.GIVEN);
        entries.write(folder.resolve("keys.tsv"));

        assertThat(Files.readString(folder.resolve("keys.tsv")))
                .startsWith("2024-07-01T00:00:00.000Z/000000\t" + Entries.value(0) + "\n")
                .endsWith("/000001\t" + Entries.value(1) + "\n");
        assertThat(folder.toFile().list()).containsExactly("keys.tsv");
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        Entries entries = Entries.of(KeySet.W2, 100, Order.GIVEN);
        entries.write(folder.resolve("keys.tsv"));

        assertThat(Entries.read(folder.resolve("keys.tsv"), 1_000)).isEqualTo(entries);
        assertThat(Entries.read(folder.resolve("keys.tsv"), 40)).isEqualTo(entries.first(40));
    }

    @Test
    void sortedEntriesKeepTheirValues() {
        Entries given = Entries.of(KeySet.W1, 500, Order.GIVEN);
        Entries sorted = Entries.of(KeySet.W1, 500, Order.SORTED);

        assertThat(sorted.keys()).isSorted().isNotEqualTo(given.keys());
        assertThat(sorted.values().get(0))
                .isEqualTo(given.values().get(given.keys().indexOf(sorted.keys().get(0))));
    }

    @Test
    void theDigestDependsOnTheEntriesAndNotOnTheirOrder() {
        Entries given = Entries.of(KeySet.W1, 500, Order.GIVEN);

        assertThat(Entries.of(KeySet.W1, 500, Order.SORTED).digest()).isEqualTo(given.digest());
        assertThat(given.first(499).digest()).isNotEqualTo(given.digest());
    }
}
