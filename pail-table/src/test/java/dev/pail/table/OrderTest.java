package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rows in the order of a field. */
class OrderTest {
    private static Table filled(Map<String, Document> documents, ShardFormat format) {
        TableBatch batch = Tables.of(Tables.of(Pail.create(new MemoryBlockStore(), format))
                        .create("t")
                        .pail())
                .batch();
        documents.forEach((id, document) -> batch.put("t", id, document));
        return batch.commit().table("t");
    }

    /** The slow twin: all documents in memory. */
    private static List<String> sorted(Map<String, Document> documents, Filter filter, Table.Order order, long most) {
        Comparator<Scalar> values = order.isDescending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        Comparator<Bytes> ids = order.isDescending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return documents.entrySet().stream()
                .filter(row -> filter.accepts(row.getValue()))
                .sorted(Comparator.<Map.Entry<String, Document>, Scalar>comparing(
                                row -> row.getValue().get(order.field()).orElse(null), Comparator.nullsLast(values))
                        .thenComparing(row -> Bytes.of(row.getKey()), ids))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<String> ids(Table table, Filter filter, Table.Order order, long most) {
        return table.rows(filter, order, most).map(Row::id).toList();
    }

    @Test
    void rowsAreInTheOrderOfValuesAndThenOfIdsByAnIndexOrWithout_Q6() {
        long seed = Randomness.seed("OrderTest.generated");
        Generated generated = new Generated(seed);
        Map<String, Document> documents = new TreeMap<>();
        int count = Randomness.times(400, 4_000);
        List<String> odd = List.of("é", "😀", "\ufffd", " ", "~", "");
        for (int i = 0; i < count; i++) {
            documents.put(odd.get(i % odd.size()) + (i % 7) + Generated.id(i), Document.parse(generated.json(i)));
        }
        for (ShardFormat format : List.of(ShardFormat.v0(), ShardFormat.v1())) {
            Table plain = filled(documents, format);
            List<Table> tables = List.of(
                    plain,
                    plain.createIndex(FieldPath.parse("age")),
                    plain.createIndex(FieldPath.parse("age"))
                            .createIndex(FieldPath.parse("address.city"))
                            .createIndex(FieldPath.parse("kind")));
            for (String field : List.of("age", "address.city", "email", "tags")) {
                for (String text : List.of(
                        "",
                        "age >= 30",
                        "age == 20",
                        "age in [1, 2, 3] or age > 90",
                        "kind == 'person' and age < 50",
                        "kind == 'order'",
                        "age > 10 and address.city starts 'New'",
                        "not exists age",
                        "age == 1 and age == 2")) {
                    Filter filter = text.isEmpty() ? Filter.all() : Filter.parse(text);
                    for (boolean isDescending : new boolean[] {false, true}) {
                        Table.Order order = new Table.Order(FieldPath.parse(field), isDescending);
                        for (long most : new long[] {0, 1, 10, Long.MAX_VALUE}) {
                            List<String> expected = sorted(documents, filter, order, most);
                            for (Table table : tables) {
                                assertThat(ids(table, filter, order, most))
                                        .as("%s by %s, %s of %s", text, order, most, table.indexes())
                                        .isEqualTo(expected);
                            }
                        }
                    }
                }
            }
        }
        assertThatThrownBy(() -> filled(Map.of(), ShardFormat.v1())
                        .rows(Filter.all(), new Table.Order(FieldPath.parse("age"), false), -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anIndexIsReadOnlyAsFarAsIsNeeded() {
        Map<String, Document> documents = new TreeMap<>();
        for (int i = 0; i < 2_000; i++) {
            documents.put("row " + i, Document.parse("{\"n\":" + i + ",\"text\":\"" + i + "\"}"));
        }
        FieldPath n = FieldPath.parse("n");
        Table table = filled(documents, ShardFormat.v1()).createIndex(n);
        Set<Cid> rows = new HashSet<>();
        table.rows().forEach(row -> rows.add(row.cid()));
        Set<Cid> read = new HashSet<>();
        Set<Cid> documentsRead = new HashSet<>();
        OtherReads counting = new OtherReads(table.pail().blocks(), cid -> {
            (rows.contains(cid) ? documentsRead : read).add(cid);
            return table.pail().blocks().get(cid);
        });
        for (boolean isDescending : new boolean[] {false, true}) {
            Table.Order order = new Table.Order(n, isDescending);
            Table again = Tables.of(Pail.open(counting, table.pail().root())).table("t");
            read.clear();
            List<String> first = ids(again, Filter.all(), order, 3);
            assertThat(first).isEqualTo(sorted(documents, Filter.all(), order, 3));
            assertThat(documentsRead).isEmpty();
            assertThat(read).hasSizeBetween(1, 40);
            assertThat(ids(again, Filter.parse("n >= 1000 and text contains '7'"), order, 2))
                    .isEqualTo(sorted(documents, Filter.parse("n >= 1000 and text contains '7'"), order, 2));
            assertThat(documentsRead).hasSizeBetween(2, 40);
            documentsRead.clear();
        }
    }
}
