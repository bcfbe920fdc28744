package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.OrderedValue;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Many documents, loaded, indexed, queried, changed and queried again, at several versions: each answer is that of a plain look at
 * all documents.
 */
class GeneratedDataTest {
    private static final int DOCUMENTS = Randomness.times(10_000, 100_000);
    private static final int CHANGES = Randomness.times(2_500, 10_000);
    private static final int QUERIES = Randomness.times(80, 150);
    private static final List<FieldPath> INDEXES = List.of(
            FieldPath.parse("address.city"), FieldPath.parse("age"), FieldPath.parse("total"), FieldPath.parse("open"));

    /** A version, and what it must have. */
    private record Version(Table table, Map<String, Document> expected) {}

    @Test
    void answersAreThoseOfAPlainFilter_Q4() {
        long seed = Randomness.seed("GeneratedDataTest");
        Random random = new Random(seed);
        Generated generated = new Generated(seed);
        ShardFormat format = random.nextBoolean() ? ShardFormat.v0() : ShardFormat.v1();
        List<Version> versions = new ArrayList<>();
        Map<String, Document> model = new TreeMap<>();

        Table table = Tables.of(Pail.create(new MemoryBlockStore(), format))
                .create("all")
                .createIndex(INDEXES.get(0))
                .createIndex(INDEXES.get(1));
        int[] next = new int[1];
        TableBatch load = Tables.of(table.pail()).batch();
        load.load(
                "all",
                () -> next[0] < DOCUMENTS ? remembered(generated.json(next[0]), next[0]++, model) : null,
                new TableBatch.Load(FieldPath.parse("id"), false),
                n -> {});
        table = load.commit().table("all").createIndex(INDEXES.get(2)).createIndex(INDEXES.get(3));
        versions.add(new Version(table, Map.copyOf(model)));

        for (int half = 0; half < 2; half++) {
            TableBatch batch = Tables.of(table.pail()).batch();
            for (int i = 0; i < CHANGES / 2; i++) {
                int number = random.nextInt(DOCUMENTS + DOCUMENTS / 100);
                String id = Generated.id(number);
                if (random.nextInt(3) == 0) {
                    assertThat(batch.delete("all", id)).isEqualTo(model.remove(id) != null);
                } else {
                    Document document = Document.parse(generated.json(number));
                    batch.put("all", id, document);
                    model.put(id, document);
                }
            }
            table = batch.commit().table("all");
            versions.add(new Version(table, Map.copyOf(model)));
        }

        long answers = 0;
        int indexed = 0;
        for (Version version : versions) {
            assertThat(version.table.rows().map(Row::id))
                    .containsExactlyElementsOf(new TreeMap<>(version.expected).keySet());
            checkEntries(version);
            for (int i = 0; i < QUERIES; i++) {
                Filter filter = FilterTest.random(random, 2);
                Set<String> expected = new HashSet<>();
                version.expected.forEach((id, document) -> {
                    if (filter.accepts(document)) {
                        expected.add(id);
                    }
                });
                List<String> found = version.table.rows(filter).map(Row::id).toList();
                assertThat(found)
                        .as("%s, by %s", filter, version.table.explain(filter))
                        .doesNotHaveDuplicates();
                assertThat(new HashSet<>(found))
                        .as("%s, by %s", filter, version.table.explain(filter))
                        .isEqualTo(expected);
                answers += found.size();
                indexed += version.table.explain(filter).isFullScan() ? 0 : 1;
            }
        }
        checkDiff(versions.get(0), versions.get(2));
        assertThat(answers).isPositive();
        assertThat(indexed).isBetween(QUERIES / 4, QUERIES * versions.size() - 1);
    }

    private static String remembered(String json, int number, Map<String, Document> model) {
        model.put(Generated.id(number), Document.parse(json));
        return json;
    }

    /** The entries of the pail are those of the rows, the indexes and the table, each, and no others. */
    private static void checkEntries(Version version) {
        Map<String, Object> expected = new TreeMap<>();
        version.expected.forEach((id, document) -> {
            Bytes row = Bytes.of(id);
            expected.put(new PositionKey(version.table.info().number, row).toKey(), document.cid());
            for (FieldPath index : INDEXES) {
                document.get(index).ifPresent(value -> {
                    expected.put(new FieldKey(index.text(), "all", value, row).toKey(), document.cid());
                    expected.put(
                            new ReverseKey("all", index.text(), row).toKey(),
                            IndexKeys.inline(OrderedValue.encode(value.value)));
                });
            }
        });
        expected.put("Tall", version.table.info().block().cid());
        Map<String, Object> found = new LinkedHashMap<>();
        version.table.pail().entries().forEachOrdered(entry -> found.put(entry.key(), entry.value()));
        assertThat(found.equals(expected)).as("entries of " + version.table).isTrue();
    }

    private static void checkDiff(Version before, Version after) {
        Map<String, String> expected = new TreeMap<>();
        Set<String> ids = new HashSet<>(before.expected.keySet());
        ids.addAll(after.expected.keySet());
        for (String id : ids) {
            Document was = before.expected.get(id);
            Document is = after.expected.get(id);
            if (was == null || !was.equals(is)) {
                expected.put(id, (was == null ? "" : was.json()) + " > " + (is == null ? "" : is.json()));
            }
        }
        Map<String, String> found = new LinkedHashMap<>();
        Tables.of(before.table.pail())
                .diff(Tables.of(after.table.pail()))
                .forEachOrdered(change -> found.put(
                        change.id(),
                        change.before().map(row -> row.document().json()).orElse("") + " > "
                                + change.after()
                                        .map(row -> row.document().json())
                                        .orElse("")));
        assertThat(found).isEqualTo(expected);
        assertThat(found).isNotEmpty();
    }
}
