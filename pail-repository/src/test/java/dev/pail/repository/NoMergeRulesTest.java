package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.NoMergeRulesException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.car.CarReader;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.remote.Exchange;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repositories with tables in a program without rules for them (spec rule R10). The class path of this module has none. */
class NoMergeRulesTest {
    private static final MergeOptions DEFAULT = MergeOptions.DEFAULT;
    private static final String TABLE = "Tpeople";

    private static Block declaration() {
        DagCborWriter writer = new DagCborWriter().map(2).text("number").integer(25023);
        return Block.of(Cid.DAG_CBOR, writer.text("indexes").array(0).toByteArray());
    }

    private static Block value(String text) {
        return Block.of(
                Cid.DAG_CBOR, new DagCborWriter().map(1).text(text).integer(1).toByteArray());
    }

    private static Pail put(Pail pail, String key, Block block) {
        pail.blocks().put(block);
        return pail.put(key, block.cid());
    }

    /** Two branches that have changed different keys. */
    private static Repository apart(Repository repository, UnaryOperator<Pail> common) {
        repository.update("main", common::apply);
        repository.branches().create("side", repository.head("main"));
        repository.update("main", pail -> put(pail, "P~0aada", value("a")));
        repository.update("side", pail -> put(pail, "P~0abob", value("b")));
        return repository;
    }

    private static Repository tables(Repository repository) {
        return apart(repository, pail -> put(pail, TABLE, declaration()));
    }

    private static void assertRefused(Repository repository) {
        Head before = repository.head("main");
        NoMergeRulesException refused =
                catchThrowableOfType(NoMergeRulesException.class, () -> repository.merge("main", "side", DEFAULT));
        assertThat(refused)
                .hasMessage(
                        "not merged: the key \"Tpeople\" declares a table, and this program has no rules to merge tables");
        assertThat(refused.code()).isEqualTo("no-merge-rules");
        assertThat(refused.key()).isEqualTo(TABLE);
        assertThat(refused.hint()).contains("add the module pail-table to the class path or module path");
        assertThat(repository.head("main")).isEqualTo(before);
    }

    @Test
    void noDoorMergesTables_R10(@TempDir Path folder) {
        Path place = folder.resolve("pails");
        try (Repository memory = tables(Repository.inMemory());
                Repository stores = tables(Repository.open(new MemoryRefs(), new MemoryBlocks(), ShardFormat.v0()));
                Repository made = tables(FileRepository.init(place, ShardFormat.v1()))) {
            assertRefused(memory);
            assertRefused(stores);
            assertRefused(made);
            assertRefused(memory.withNote(Note.NONE));
        }
        try (Repository opened = FileRepository.open(place)) {
            assertRefused(opened);
        }
    }

    @Test
    void noWayOfMergingMergesTables_R10() throws Exception {
        try (Repository repository = tables(Repository.inMemory());
                Repository other = Repository.inMemory()) {
            Head before = repository.head("main");
            String base = repository.root("main").toString();
            Cid event = repository.head("side").events().get(0);
            ByteArrayOutputStream car = new ByteArrayOutputStream();
            CarExport.of(repository.blocks(), repository.head("side").events()).writeTo(car, "memory");
            assertThatThrownBy(() -> repository.merge("main", "side", DEFAULT.withPolicy(MergePolicy.ours())))
                    .isInstanceOf(NoMergeRulesException.class);
            assertThatThrownBy(() -> repository.merge("main", "side", DEFAULT.withDryRun()))
                    .isInstanceOf(NoMergeRulesException.class);
            assertThatThrownBy(() -> repository.merge("main", "side", DEFAULT.withBase(repository.resolve(base))))
                    .isInstanceOf(NoMergeRulesException.class);
            assertThatThrownBy(() -> repository.revert("side", event, MergePolicy.fail()))
                    .isInstanceOf(NoMergeRulesException.class);
            assertThatThrownBy(() -> repository.take(
                            "main",
                            CarReader.of(new ByteArrayInputStream(car.toByteArray()), "memory"),
                            ImportOptions.DEFAULT))
                    .isInstanceOf(NoMergeRulesException.class);
            assertThat(repository.head("main")).isEqualTo(before);

            Exchange exchange = Exchange.of(other, "origin", RepositoryRemote.of(repository, "there"));
            exchange.pull("side", DEFAULT);
            other.update("side", pail -> put(pail, "P~0acid", value("c")));
            repository.update("side", pail -> put(pail, "P~0adan", value("d")));
            Head ours = other.head("side");
            assertThatThrownBy(() -> exchange.pull("side", DEFAULT)).isInstanceOf(NoMergeRulesException.class);
            assertThat(other.head("side")).isEqualTo(ours);
        }
    }

    @Test
    void aHeadOfSeveralEventsIsAMerge_R10() {
        try (Repository repository = tables(Repository.inMemory())) {
            Head both =
                    repository.replica("main").merge(repository.head("side")).head();
            assertThat(both.size()).isEqualTo(2);
            repository.branches().create("copy", repository.head("main"));
            repository.branches().create("both", both);
            assertThatThrownBy(() -> repository.merge("copy", "both", DEFAULT))
                    .isInstanceOf(NoMergeRulesException.class);
        }
    }

    @Test
    void aVersionThatCannotBeReadIsNotMerged_R10(@TempDir Path folder) throws IOException {
        Path place = folder.resolve("pails");
        Cid lost;
        try (Repository repository = tables(FileRepository.init(place, ShardFormat.v1()))) {
            lost = repository.root("main");
        }
        String name = lost.multihashName();
        Files.delete(place.resolve("blocks")
                .resolve(name.substring(name.length() - 2))
                .resolve(name + ".data"));
        try (Repository repository = FileRepository.open(place)) {
            assertRefused(repository);
        }
    }

    @Test
    void aFastForwardIsNoMerge_R10() {
        try (Repository repository = tables(Repository.inMemory())) {
            repository
                    .branches()
                    .create("behind", Head.of(repository.head("side").events().get(0)));
            repository.update("side", pail -> put(pail, "P~0aeve", value("e")));
            assertThat(repository.merge("behind", "side", DEFAULT).root()).isEqualTo(repository.root("side"));
            assertThat(repository.merge("new", "side", DEFAULT).root()).isEqualTo(repository.root("side"));
        }
    }

    @Test
    void otherKeysThatStartWithTheLettersAreMerged_R10() {
        try (Repository repository = apart(
                Repository.inMemory(),
                pail -> put(put(pail, "Todo/1", value("number")), "Row", value("x"))
                        .put("Trash", value("absent").cid())
                        .putBytes("Title", new byte[] {1})
                        .put("T" + "x".repeat(511), declaration().cid()))) {
            Pail merged = repository.merge("main", "side", DEFAULT).pail();
            assertThat(merged.get("P~0aada")).isPresent();
            assertThat(merged.get("P~0abob")).isPresent();
            Cid event = repository.head("side").events().get(0);
            assertThat(repository
                            .revert("main", event, MergePolicy.fail())
                            .pail()
                            .get("P~0abob"))
                    .isEmpty();
        }
    }

    /** A declaration that is not here cannot be told from an absent value, but index entries can. */
    @Test
    void indexEntriesShowATableWhoseDeclarationIsMissing_R10() {
        try (Repository repository = apart(
                Repository.inMemory(),
                pail -> put(pail.put(TABLE, declaration().cid()), "R!Opeople!Oage!Oada", value("r")))) {
            assertRefused(repository);
        }
    }

    @Test
    void whoSaysThatKeysAreKeysMayMergeThem() {
        try (Repository repository = tables(Repository.inMemory()).with(MergeRules.keys())) {
            assertThat(repository.merge("main", "side", DEFAULT).pail().get("P~0abob"))
                    .isPresent();
        }
    }
}
