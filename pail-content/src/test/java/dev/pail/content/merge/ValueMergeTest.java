package dev.pail.content.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Updated;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.RowMerge;
import dev.pail.table.Tables;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import dev.pail.values.ValueBytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ValueMergeTest {
    private static final String BASE = "one\ntwo\nthree\nfour\nfive\n";
    private static final String OURS = "ONE\ntwo\nthree\nfour\nfive\n";
    private static final String THEIRS = "one\ntwo\nthree\nfour\nFIVE\n";
    private static final String BOTH = "ONE\ntwo\nthree\nfour\nFIVE\n";

    private final Repository repository = Repository.inMemory();

    @AfterEach
    void close() {
        repository.close();
    }

    private static Block text(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes a version with a value before, and one on each side. */
    private void sides(String key, Block base, Block ours, Block theirs) {
        put(Repository.MAIN, key, base);
        repository.branches().create("draft", repository.resolve(Repository.MAIN));
        put(Repository.MAIN, key, ours);
        put("draft", key, theirs);
    }

    private void put(String branch, String key, Block value) {
        Updated unused = repository.update(branch, pail -> {
            pail.blocks().put(value);
            return pail.put(key, value.cid());
        });
    }

    private MergeResult merge(String into, String from, ValueKind... kinds) {
        return repository.with(ValueMerge.of(Set.of(kinds)).rules()).merge(into, from, MergeOptions.DEFAULT);
    }

    private static String read(Pail pail, String key) throws IOException {
        try (ValueBytes value =
                ValueBytes.open(pail.blocks(), pail.get(key).orElseThrow()).orElseThrow()) {
            return new String(value.all().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void textsMergeByLines_VM4() throws IOException {
        sides("a", text(BASE), text(OURS), text(THEIRS));
        MergeResult result = merge(Repository.MAIN, "draft", ValueKind.TEXT);
        assertThat(read(repository.pail(Repository.MAIN), "a")).isEqualTo(BOTH);
        assertThat(result.conflicts()).isEmpty();
        assertThat(result.outcomes().get(0).decided()).containsExactly("a");
        assertThat(repository.conflicts().of(Repository.MAIN)).isEmpty();
    }

    @Test
    void bothSidesMakeOneValueAndOneEvent_VM3() {
        // One side has a newline at the end, and the other has not.
        sides("a", text("{\"a\":1,\"b\":1}"), text("{\"a\":2,\"b\":1}\n"), text("{\"a\":1,\"b\":2}"));
        repository.branches().create("copy", repository.resolve(Repository.MAIN));
        MergeResult unused = merge("copy", "draft", ValueKind.JSON);
        MergeResult unusedToo = merge("draft", Repository.MAIN, ValueKind.JSON);
        assertThat(repository.head("draft")).isEqualTo(repository.head("copy"));
    }

    @Test
    void theValueOfOneSideIsADecisionToo_VM10() {
        // One side has all that the other has, and more. The order of events decides for one of both keys.
        Block base = text("{\"a\":1,\"b\":1}");
        Block less = text("{\"a\":2,\"b\":1}");
        Block more = text("{\"a\":2,\"b\":2}");
        put(Repository.MAIN, "other", base);
        sides("key", base, more, less);
        put(Repository.MAIN, "other", less);
        put("draft", "other", more);
        MergeResult unused = merge(Repository.MAIN, "draft", ValueKind.JSON);
        assertThat(repository.conflicts().of(Repository.MAIN)).isEmpty();
        assertThat(repository.pail(Repository.MAIN).get("key")).contains(more.cid());
        assertThat(repository.pail(Repository.MAIN).get("other")).contains(more.cid());
    }

    @Test
    void whatBothChangedInOnePlaceStaysAConflict_VM2() throws IOException {
        sides("a", text(BASE), text(OURS), text("Uno\ntwo\nthree\nfour\nFIVE\n"));
        MergeResult result = merge(Repository.MAIN, "draft", ValueKind.TEXT);
        assertThat(result.conflicts()).hasSize(1);
        assertThat(repository.conflicts().of(Repository.MAIN)).hasSize(1);
        assertThat(read(repository.pail(Repository.MAIN), "a")).doesNotContain("<<<<");
    }

    @Test
    void aPolicyDecidesWhatDoesNotMerge() throws IOException {
        sides("a", text(BASE), text(OURS), text(THEIRS));
        put(Repository.MAIN, "b", text("ours"));
        put("draft", "b", text("theirs"));
        assertThatThrownBy(() -> repository
                        .with(ValueMerge.of(Set.of(ValueKind.TEXT)).rules())
                        .merge(Repository.MAIN, "draft", MergeOptions.DEFAULT.withPolicy(MergePolicy.fail())))
                .isInstanceOfSatisfying(
                        MergeConflictException.class,
                        e -> assertThat(e.conflicts()).extracting("key").containsExactly("b"));
        MergeResult unused = repository
                .with(ValueMerge.of(Set.of(ValueKind.TEXT)).rules())
                .merge(Repository.MAIN, "draft", MergeOptions.DEFAULT.withPolicy(MergePolicy.theirs()));
        assertThat(read(repository.pail(Repository.MAIN), "a")).isEqualTo(BOTH);
        assertThat(read(repository.pail(Repository.MAIN), "b")).isEqualTo("theirs");
        assertThat(repository.conflicts().of(Repository.MAIN)).isEmpty();
    }

    @Test
    void jsonKeepsItsForm_VM5() throws IOException {
        String base = "{\n  \"b\": 1,\n  \"x\": [1, 2],\n  \"y\": {},\n  \"a\": 2\n}\n";
        sides("far", text(base), text(base.replace("1,\n", "3,\n")), text(base.replace("2\n", "4\n")));
        MergeResult unused = merge(Repository.MAIN, "draft", ValueKind.JSON);
        assertThat(read(repository.pail(Repository.MAIN), "far"))
                .isEqualTo("{\n  \"b\": 3,\n  \"x\": [1, 2],\n  \"y\": {},\n  \"a\": 4\n}\n");
    }

    @Test
    void jsonOfNeighbouringLinesIsWrittenAnew_VM5() throws IOException {
        sides(
                "near",
                text("{\n\"b\":1,\n\"a\":[]\n}\n"),
                text("{\n\"b\":2,\n\"a\":[]\n}\n"),
                text("{\n\"b\":1,\n\"a\":[{},\"\\\",\"]\n}\n"));
        MergeResult unused = merge(Repository.MAIN, "draft", ValueKind.JSON, ValueKind.TEXT);
        assertThat(read(repository.pail(Repository.MAIN), "near"))
                .isEqualTo("{\n  \"a\": [\n    {},\n    \"\\\",\"\n  ],\n  \"b\": 2\n}\n");
    }

    @Test
    void jsonOfOneLineStaysOne_VM5() throws IOException {
        sides("line", text("{\"b\": 1, \"a\": 2}\n"), text("{\"b\": 5, \"a\": 2}\n"), text("{\"b\": 1, \"a\": 7}\n"));
        MergeResult unused = merge(Repository.MAIN, "draft", ValueKind.JSON);
        assertThat(read(repository.pail(Repository.MAIN), "line")).isEqualTo("{\"a\":7,\"b\":5}\n");
    }

    @Test
    void aFieldThatBothChangedKeepsTheConflict_VM5() {
        sides("a", text("{\"a\":1,\"b\":1}"), text("{\"a\":2,\"b\":1}"), text("{\"a\":3,\"b\":2}"));
        MergeResult result = merge(Repository.MAIN, "draft", ValueKind.JSON, ValueKind.TEXT);
        assertThat(result.conflicts()).hasSize(1);
    }

    @Test
    void dagCborStaysDagCbor_VM5() {
        Document base = Document.parse("{\"a\":1,\"b\":1}");
        sides(
                "a",
                base.block(),
                Document.parse("{\"a\":2,\"b\":1}").block(),
                Document.parse("{\"a\":1,\"b\":2}").block());
        MergeResult unused = merge(Repository.MAIN, "draft", ValueKind.JSON);
        assertThat(repository.pail(Repository.MAIN).get("a"))
                .contains(Document.parse("{\"a\":2,\"b\":2}").cid());
    }

    @Test
    void aFileInChunksIsAText_VM3() throws IOException {
        Updated unused = repository.update(Repository.MAIN, pail -> pail.put("a", file(pail, BASE)));
        repository.branches().create("draft", repository.resolve(Repository.MAIN));
        Updated ours = repository.update(Repository.MAIN, pail -> pail.put("a", file(pail, OURS)));
        Updated theirs = repository.update("draft", pail -> pail.put("a", file(pail, THEIRS)));
        MergeResult unusedToo = merge(Repository.MAIN, "draft", ValueKind.TEXT);
        assertThat(read(repository.pail(Repository.MAIN), "a")).isEqualTo(BOTH);
        assertThat(ours.root()).isNotEqualTo(theirs.root());
    }

    private static Cid file(Pail pail, String text) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        return UnixFs.write(pail.blocks(), in, new FileLayout(8, 2), OptionalInt.empty(), Optional.empty());
    }

    @Test
    void otherValuesStayConflicts_VM3() {
        sides("zero", text("a\0\nb\nc\nd\n"), text("a\0\nb\nc\nD\n"), text("A\0\nb\nc\nd\n"));
        assertThat(merge(Repository.MAIN, "draft", ValueKind.TEXT, ValueKind.JSON)
                        .conflicts())
                .hasSize(1);
    }

    @Test
    void aMissingValueKeepsTheConflict_VM3() {
        Updated base = repository.update(
                Repository.MAIN, pail -> pail.put("a", text(BASE).cid()));
        repository.branches().create("draft", repository.resolve(Repository.MAIN));
        put(Repository.MAIN, "a", text(OURS));
        put("draft", "a", text(THEIRS));
        assertThat(base.root()).isNotEqualTo(repository.root(Repository.MAIN));
        assertThat(merge(Repository.MAIN, "draft", ValueKind.TEXT).conflicts()).hasSize(1);
    }

    @Test
    void rowsMergeByColumnsAndKeepTheirIndexes_VM6() {
        Updated unused = repository.update(
                Repository.MAIN,
                pail -> Tables.of(pail)
                        .create("people", RowMerge.WHOLE)
                        .createIndex(FieldPath.parse("city"))
                        .put("ann", Document.parse("{\"city\":\"Oslo\",\"age\":30}"))
                        .pail());
        repository.branches().create("draft", repository.resolve(Repository.MAIN));
        repository.branches().create("copy", repository.resolve(Repository.MAIN));
        row(Repository.MAIN, "{\"city\":\"Rome\",\"age\":30}");
        row("draft", "{\"city\":\"Oslo\",\"age\":31}");
        row("copy", "{\"city\":\"Rome\",\"age\":30}");
        // A row is no object of JSON.
        assertThat(merge("copy", "draft", ValueKind.JSON, ValueKind.TEXT).conflicts())
                .hasSize(1);
        assertThat(merge(Repository.MAIN, "draft", ValueKind.ROWS).conflicts()).isEmpty();
        Tables tables = Tables.of(repository.pail(Repository.MAIN));
        assertThat(tables.table("people").get("ann").orElseThrow().document())
                .isEqualTo(Document.parse("{\"city\":\"Rome\",\"age\":31}"));
        assertThat(tables.check().wrongEntries()).isEmpty();
        assertThat(repository.conflicts().of(Repository.MAIN)).isEmpty();
    }

    private void row(String branch, String json) {
        Updated unused = repository.update(
                branch,
                pail -> Tables.of(pail)
                        .table("people")
                        .put("ann", Document.parse(json))
                        .pail());
    }

    @Test
    void aPolicyMergesVersionsWithoutHistory() throws IOException {
        MemoryBlockStore blocks = new MemoryBlockStore();
        for (String text : List.of(BASE, OURS, THEIRS)) {
            blocks.put(text(text));
        }
        Pail base = Pail.create(blocks, ShardFormat.v1()).put("a", text(BASE).cid());
        Pail merged = Pail.merge(
                base,
                base.put("a", text(OURS).cid()),
                base.put("a", text(THEIRS).cid()),
                ValueMerge.of(EnumSet.allOf(ValueKind.class)).policy(blocks, MergePolicy.fail()));
        assertThat(read(merged, "a")).isEqualTo(BOTH);
    }
}
