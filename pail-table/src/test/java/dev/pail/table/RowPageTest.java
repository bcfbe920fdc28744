package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pages of rows: together what a stream gives, and none takes long. */
class RowPageTest {
    private static final FieldPath AGE = FieldPath.parse("age");
    private static final FieldPath CITY = FieldPath.parse("city");
    private static final Filter ALL = new Filter.And(List.of());

    private final Tables tables = Tables.of(Pail.create(new MemoryBlockStore(), ShardFormat.v1()));

    private static List<String> ids(Table table, Filter filter, int most) {
        List<String> ids = new ArrayList<>();
        RowPage page = table.page(filter, Optional.empty(), most);
        page.rows().forEach(row -> ids.add(row.id()));
        while (page.next().isPresent()) {
            page = table.page(filter, page.next(), most);
            assertThat(page.rows()).hasSizeLessThanOrEqualTo(most);
            page.rows().forEach(row -> ids.add(row.id()));
        }
        return ids;
    }

    private static Filter filter(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 7);
        return switch (kind) {
            case 0 -> Filter.parse("age >= " + random.nextInt(8));
            case 1 -> Filter.parse("age < " + random.nextInt(8));
            case 2 -> Filter.parse("city in [\"a\", \"b\", \"" + "cd".charAt(random.nextInt(2)) + "\"]");
            case 3 -> Filter.parse("odd == " + random.nextBoolean());
            case 4 -> new Filter.And(List.of(filter(random, depth - 1), filter(random, depth - 1)));
            case 5 -> new Filter.Or(List.of(filter(random, depth - 1), filter(random, depth - 1)));
            default -> new Filter.Not(filter(random, depth - 1));
        };
    }

    @Test
    void pagesTogetherAreWhatAStreamGives() {
        long seed = Randomness.seed("RowPageTest");
        for (int run = 0; run < Randomness.times(50, 2000); run++) {
            Random random = Randomness.random(seed + run);
            Table table = tables.create("people");
            for (int i = 0; i < 60; i++) {
                table = table.put(
                        "id " + random.nextInt(80),
                        Document.parse("{\"age\":" + random.nextInt(8) + ",\"city\":\""
                                + (char) ('a' + random.nextInt(4)) + "\",\"odd\":" + random.nextBoolean() + "}"));
            }
            table = random.nextBoolean() ? table.createIndex(AGE) : table;
            table = random.nextBoolean() ? table.createIndex(CITY) : table;
            for (int i = 0; i < 10; i++) {
                Filter filter = i == 0 ? ALL : filter(random, 2);
                assertThat(ids(table, filter, 1 + random.nextInt(12)))
                        .as(filter.toString())
                        .containsExactlyInAnyOrderElementsOf(
                                table.rows(filter).map(Row::id).toList());
            }
        }
    }

    /** Without an index entry, an access does not give the row: then a later one may. */
    @Test
    void aRowThatOneIndexLacksIsGivenByAnother() {
        Table table = tables.create("people")
                .put("1", Document.parse("{\"age\":1,\"city\":\"a\"}"))
                .createIndex(AGE)
                .createIndex(CITY);
        Pail lacking = table.pail();
        String entry = new FieldKey("age", "people", Scalar.of(1), Bytes.of("1")).toKey();
        assertThat(lacking.get(entry)).isPresent();
        Table broken = Tables.of(lacking.delete(entry)).table("people");
        assertThat(ids(broken, Filter.parse("age == 1 or city == \"a\""), 10)).containsExactly("1");
    }

    @Test
    void aPageEndsAfterManyRows() {
        TableBatch batch = Tables.of(tables.create("people").pail()).batch();
        for (int i = 0; i < 10_001; i++) {
            batch.put("people", String.valueOf(i), Document.parse("{\"age\":1}"));
        }
        Table table = batch.commit().table("people");
        RowPage page = table.page(Filter.parse("age == 2"), Optional.empty(), 1);
        assertThat(page.rows()).isEmpty();
        assertThat(page.next()).isPresent();
        assertThat(table.page(Filter.parse("age == 2"), page.next(), 1).next()).isEmpty();
    }

    @Test
    void aPageEndsAfterLargeDocuments() {
        Table table = tables.create("people");
        for (int i = 0; i < 5; i++) {
            table = table.put("" + i, Document.parse("{\"text\":\"" + i + "x".repeat(7 << 20) + "\"}"));
        }
        assertThat(table.page(ALL, Optional.empty(), 100).rows()).hasSize(3);
        assertThat(ids(table, ALL, 100)).containsExactly("0", "1", "2", "3", "4");
    }

    @Test
    void tokensOfOthersAreRefused() {
        Table table = tables.create("people").put("1", Document.parse("{}"));
        for (String token : List.of("", "x", ":", "0", "1:a", "-1:a", "9999999:a", "99999999999:a")) {
            assertThatIllegalArgumentException().as(token).isThrownBy(() -> table.page(ALL, Optional.of(token), 1));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> table.page(ALL, Optional.empty(), 0));
        assertThat(table.page(ALL, Optional.of("0:"), 1).rows()).hasSize(1);
        assertThat(table.page(ALL, Optional.of("0:\uffff"), 1).rows()).isEmpty();
    }
}
