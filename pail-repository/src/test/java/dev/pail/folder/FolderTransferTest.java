package dev.pail.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockException;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.unixfs.FolderWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Folders of UnixFS that a program makes of keys, and keys that it makes of them. The command tests more of both. */
class FolderTransferTest {
    private static final Block ONE = Block.of(Cid.RAW, new byte[] {1});
    private static final Block TWO = Block.of(Cid.RAW, new byte[] {2});

    /** A node of dag-pb whose data are none of UnixFS. */
    private static final Block ODD = Block.of(Cid.DAG_PB, new byte[] {0x0a, 2, 8, 99});

    /** A symbolic link to {@code file}. */
    private static final Block LINK = Block.of(Cid.DAG_PB, new byte[] {0x0a, 8, 8, 4, 0x12, 4, 'f', 'i', 'l', 'e'});

    private final Repository repository = Repository.inMemory();

    FolderTransferTest() {
        repository.blocks().putAll(List.of(ONE, TWO, ODD, LINK));
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private Pail pail(String... keys) {
        return repository
                .update("main", pail -> {
                    Pail next = pail;
                    for (int i = 0; i < keys.length; i++) {
                        next = next.put(keys[i], i % 2 == 0 ? ONE.cid() : TWO.cid());
                    }
                    return next;
                })
                .pail();
    }

    private static Map<String, Cid> entries(Pail pail) {
        Map<String, Cid> entries = new TreeMap<>();
        try (Stream<Entry> all = pail.entries()) {
            all.forEach(entry -> entries.put(entry.key(), entry.value()));
        }
        return entries;
    }

    /** A folder with these entries, whose nodes the repository has. */
    private Cid folder(Map<String, Block> entries) {
        FolderWriter writer = new FolderWriter(repository.blocks(), repository.blocks());
        entries.forEach((path, block) -> writer.add(path, block.cid()));
        return writer.finish();
    }

    private static final class Heard implements FolderListener {
        private final List<String> damaged = new ArrayList<>();
        private int done;

        @Override
        public void done() {
            done++;
        }

        @Override
        public void damaged(String name, PailException why) {
            damaged.add(name + " " + why.code());
        }
    }

    @Test
    void keysBelowAPrefixBecomeAFolder() {
        Pail pail = pail("www/css/main.css", "www/index.html", "notes");
        Heard heard = new Heard();
        FolderExport export = FolderExport.of(pail, "www", heard);
        assertThat(export.root()).isEqualTo(folder(Map.of("css/main.css", ONE, "index.html", TWO)));
        assertThat(export.blocks().has(export.root())).isTrue();
        assertThat(export.blocks().has(ONE.cid())).isTrue();
        assertThat(heard.done).isEqualTo(2);
        assertThat(FolderExport.of(pail, "", FolderListener.NONE).root())
                .isEqualTo(folder(Map.of("www/css/main.css", ONE, "www/index.html", TWO, "notes", ONE)));
    }

    @Test
    void anExportWritesNothing() {
        Pail pail = pail("site/a");
        FolderExport export = FolderExport.of(pail, "", FolderListener.NONE);
        assertThat(repository.blocks().has(export.root())).isFalse();
    }

    private static void refuses(FolderException.Reason reason, PailException.Kind kind, String message, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(FolderException.class, e -> {
            assertThat(e.reason()).isEqualTo(reason);
            assertThat(e.kind()).isEqualTo(kind);
            assertThat(e).hasMessageContaining(message);
        });
    }

    private void assertNoFolder(Pail pail, FolderException.Reason reason, PailException.Kind kind, String message) {
        refuses(
                reason,
                kind,
                message,
                () -> assertThat(FolderExport.of(pail, "", FolderListener.NONE)).isNull());
    }

    @Test
    void aKeyThatIsNoFileIsNamed() {
        assertNoFolder(
                pail("a", "a/b"), FolderException.Reason.NO_FOLDER, PailException.Kind.REFUSED, "folder: \"a/b\": ");
        Pail pail = Pail.create(repository.blocks(), ShardFormat.v0());
        assertNoFolder(
                pail.put("a//b", ONE.cid()),
                FolderException.Reason.NO_FOLDER,
                PailException.Kind.REFUSED,
                "folder: \"a//b\": ");
        assertNoFolder(
                pail.put("odd", ODD.cid()),
                FolderException.Reason.DAMAGED,
                PailException.Kind.DAMAGED,
                "folder: \"odd\": ");
    }

    private FolderImport.Result taken(Cid root, FolderImportOptions options) {
        return FolderImport.of(root, options).into(repository, "main");
    }

    @Test
    void entriesBecomeKeys() {
        Cid root = folder(Map.of("css/main.css", ONE, "index.html", TWO, "link", LINK));
        Heard heard = new Heard();
        FolderImport.Result result =
                taken(root, FolderImportOptions.DEFAULT.withPrefix("www").withListener(heard));
        assertThat(result).isEqualTo(new FolderImport.Result(repository.root("main"), 2, 1, 0));
        assertThat(heard.done).isEqualTo(3);
        assertThat(entries(repository.pail()))
                .isEqualTo(Map.of("www/css/main.css", ONE.cid(), "www/index.html", TWO.cid(), "www/link", LINK.cid()));
        assertThat(FolderExport.of(repository.pail(), "www", FolderListener.NONE)
                        .root())
                .isEqualTo(root);
    }

    @Test
    void entriesThatCannotBeReadAreLeftOut() {
        // A writer refuses a file that it cannot read, so this is a folder of a file, whose block is lost.
        Block lost = Block.of(Cid.DAG_PB, new byte[] {0x0a, 4, 8, 2, 0x18, 0});
        MemoryBlockStore all = new MemoryBlockStore();
        all.putAll(List.of(ONE, lost));
        FolderWriter writer = new FolderWriter(all, repository.blocks());
        writer.add("dir/lost", lost.cid());
        writer.add("file", ONE.cid());
        Cid root = writer.finish();
        Heard heard = new Heard();
        FolderImportOptions options = FolderImportOptions.DEFAULT.withListener(heard);
        refuses(
                FolderException.Reason.DAMAGED,
                PailException.Kind.DAMAGED,
                "1, the first is \"dir/lost\"; no key was changed",
                () -> assertThat(taken(root, options.withStrict())).isNull());
        assertThat(entries(repository.pail())).isEmpty();
        assertThat(taken(root, options)).isEqualTo(new FolderImport.Result(repository.root("main"), 1, 0, 1));
        assertThat(heard.damaged).containsExactly("dir/lost damaged-file", "dir/lost damaged-file");
        assertThat(entries(repository.pail())).containsOnlyKeys("file");
    }

    @Test
    void namesThatCannotBeKeysAreRefusedTogether() {
        FolderKeys keys = new FolderKeys() {
            @Override
            public String key(Pail pail, String name) {
                return name + "!";
            }

            @Override
            public Optional<String> refusal(Pail pail, String key) {
                return key.startsWith("own") ? Optional.of("these are free") : Optional.empty();
            }
        };
        try (Repository v1 = Repository.open(new MemoryRefs(), new MemoryBlocks(), ShardFormat.v1())) {
            v1.blocks().put(ONE);
            FolderWriter writer = new FolderWriter(v1.blocks(), v1.blocks());
            List.of("a", "grün", "own").forEach(name -> writer.add(name, ONE.cid()));
            FolderImport folder = FolderImport.of(writer.finish(), FolderImportOptions.DEFAULT.withKeys(keys));
            assertThatThrownBy(() -> assertThat(folder.into(v1, "main")).isNull())
                    .isInstanceOfSatisfying(FolderException.class, e -> {
                        assertThat(e.reason()).isEqualTo(FolderException.Reason.NAMES);
                        assertThat(e.refused())
                                .containsOnlyKeys("grün!", "own!")
                                .containsEntry("own!", "these are free");
                    });
            assertThat(entries(v1.pail())).isEmpty();
        }
    }

    @Test
    void aRootThatIsNoFolderIsRefused() {
        Block text = Block.of(Cid.DAG_CBOR, "a".getBytes(StandardCharsets.UTF_8));
        for (Cid root : List.of(ONE.cid(), LINK.cid(), text.cid())) {
            refuses(
                    FolderException.Reason.NO_FOLDER,
                    PailException.Kind.REFUSED,
                    "no key was changed: " + root,
                    () -> assertThat(taken(root, FolderImportOptions.DEFAULT)).isNull());
        }
        Cid lost = Block.of(Cid.DAG_PB, new byte[] {0x0a, 2, 8, 1}).cid();
        for (Cid root : List.of(ODD.cid(), lost)) {
            assertThatThrownBy(() ->
                            assertThat(taken(root, FolderImportOptions.DEFAULT)).isNull())
                    .isInstanceOf(BlockException.class);
        }
    }
}
