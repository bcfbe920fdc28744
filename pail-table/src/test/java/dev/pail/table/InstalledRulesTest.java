package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repositories that nobody gave the rules of tables: the module on the class path is enough (spec rules R6 and R10). */
class InstalledRulesTest {
    private static final FieldPath AGE = FieldPath.parse("age");
    private static final MergeOptions DEFAULT = MergeOptions.DEFAULT;

    private static void change(Repository repository, String branch, UnaryOperator<Table> change) {
        repository.update(branch, pail -> {
            Tables tables = Tables.of(pail);
            Table people = tables.find("people").orElseGet(() -> tables.create("people"));
            return change.apply(people).pail();
        });
    }

    private static Document age(int age) {
        return Document.parse("{\"age\":" + age + "}");
    }

    /** One side makes an index, and the other adds a row: a merge of keys leaves the row out of the index. */
    private static Repository apart(Repository repository) {
        change(repository, "main", people -> people.put("ada", age(1)));
        repository.branches().create("side", repository.head("main"));
        change(repository, "main", people -> people.createIndex(AGE));
        change(repository, "side", people -> people.put("bob", age(9)));
        return repository;
    }

    private static List<String> nines(Pail pail) {
        try (var rows = Tables.of(pail).table("people").find(AGE, ValueRange.equal(Scalar.of(9)))) {
            return rows.map(Row::id).toList();
        }
    }

    private static void assertRight(MergeResult result) {
        assertThat(nines(result.pail())).containsExactly("bob");
        assertThat(Tables.of(result.pail()).check().wrongEntries()).isEmpty();
    }

    @Test
    void eachDoorMergesTables_R6(@TempDir Path folder) {
        Path place = folder.resolve("pails");
        try (Repository memory = apart(Repository.inMemory());
                Repository stores = apart(Repository.open(new MemoryRefs(), new MemoryBlocks(), ShardFormat.v0()));
                Repository made = apart(FileRepository.init(place, ShardFormat.v1()))) {
            assertRight(memory.merge("main", "side", DEFAULT));
            assertRight(stores.merge("main", "side", DEFAULT));
            made.branches().create("other", made.head("main"));
            assertRight(made.merge("main", "side", DEFAULT));
        }
        try (Repository opened = FileRepository.open(place)) {
            assertRight(opened.merge("other", "side", DEFAULT));
        }
    }

    @Test
    void aPullAndARevertKnowTables_R6() {
        try (Repository there = apart(Repository.inMemory());
                Repository here = Repository.inMemory()) {
            Exchange exchange = Exchange.of(here, "origin", RepositoryRemote.of(there, "there"));
            exchange.pull("main", DEFAULT);
            Cid index = here.head("main").events().get(0);
            exchange.pull("side", DEFAULT);
            assertRight(here.merge("main", "side", DEFAULT));
            Pail without = here.revert("main", index, MergePolicy.fail()).pail();
            assertThat(Tables.of(without).table("people").indexes()).isEmpty();
            assertThat(Tables.of(without).check().wrongEntries()).isEmpty();
        }
    }

    @Test
    void theServiceLoaderFindsTheRules_R10() {
        Pail pail = apart(Repository.inMemory()).pail();
        assertThat(MergeRules.installed().concern(pail)).isTrue();
        assertThat(MergeRules.installed().compare(pail, MergeRules.Side.of(pail), MergeRules.Side.of(pail)))
                .isInstanceOf(TableMerge.class);
    }

    @Test
    void otherMapsAreMergedKeyByKey_R10() {
        Repository repository = Repository.inMemory();
        Pail pail = repository
                .update("main", before -> before.putBytes("a", new byte[] {1}))
                .pail();
        assertThat(MergeRules.installed().concern(pail)).isFalse();
        assertThat(MergeRules.installed().compare(pail, MergeRules.Side.of(pail), MergeRules.Side.of(pail)))
                .isNotInstanceOf(TableMerge.class);
    }
}
