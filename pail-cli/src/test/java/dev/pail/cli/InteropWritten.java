package dev.pail.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardView;
import dev.pail.WatchedBlockStore;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes with the command {@code pail}, in each of the ways that it has, and notes what blocks that must leave. */
final class InteropWritten {
    private final InteropRepository repository;
    private final Set<Cid> roots = new LinkedHashSet<>();
    private final Set<Cid> values = new HashSet<>();

    /** Notes the blocks of values. */
    private final BlockStore noted = new WatchedBlockStore(new MemoryBlockStore(), block -> values.add(block.cid()));

    InteropWritten(InteropRepository repository) {
        this.repository = repository;
        this.roots.add(repository.root());
    }

    void applyTogether(List<String> keys) {
        roots.add(Cid.parse(apply(keys, "apply").text()));
    }

    void applyEach(List<String> keys) {
        apply(keys, "apply", "--each")
                .lines()
                .forEach(line -> roots.add(Cid.parse(line.get("root").asText())));
    }

    private InteropRepository.Output apply(List<String> keys, String... command) {
        Map<String, String> texts = new LinkedHashMap<>();
        keys.forEach(key -> texts.put(key, command.length + " words for " + key));
        return repository.pail(operations(texts), command);
    }

    /** Puts the CIDs of texts in one change. The texts themselves are not stored. */
    static void putTexts(InteropRepository repository, Map<String, String> texts) {
        repository.pail(operations(texts), "apply");
    }

    private static byte[] operations(Map<String, String> texts) {
        StringBuilder lines = new StringBuilder();
        texts.forEach((key, text) -> {
            String value = InteropRepository.raw(text).cid().toString();
            JsonNode line = InteropNode.JSON.valueToTree(Map.of("op", "put", "key", key, "value", value));
            lines.append(line.toString()).append('\n');
        });
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    void putEach(List<String> keys) {
        for (String key : keys) {
            String value = InteropRepository.raw("put " + key).cid().toString();
            roots.add(Cid.parse(repository.pail("put", "--", key, value).text()));
        }
    }

    /** Puts files of many sizes: one of nothing, one of some megabytes, and others. */
    void putFiles(List<String> keys, Path file) throws IOException {
        byte[] bytes = new byte[0];
        for (String key : keys) {
            Files.write(file, bytes);
            UnixFs.write(noted, new ByteArrayInputStream(bytes));
            roots.add(Cid.parse(
                    repository.pail("put", "--file", file.toString(), "--", key).text()));
            byte[] text = key.getBytes(StandardCharsets.UTF_8);
            int times = bytes.length == 0 ? 1 + (3 << 20) / text.length : values.size();
            bytes = key.repeat(times).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The shards of all versions, the events that led to them, and the values that were stored. */
    Set<Cid> blocks() {
        Set<Cid> blocks = new HashSet<>(values);
        try (DirectoryBlockStore store = DirectoryBlockStore.open(repository.blocks())) {
            roots.forEach(root -> addShards(Pail.open(store, root).shard(), blocks));
        }
        try (Repository opened = FileRepository.open(repository.folder())) {
            Head head = opened.snapshot(Repository.MAIN).head();
            blocks.addAll(MerkleClock.open(opened.blocks()).history(head));
        }
        return blocks;
    }

    private static void addShards(ShardView shard, Set<Cid> blocks) {
        if (blocks.add(shard.cid())) {
            shard.items().forEach(item -> item.shard().ifPresent(below -> addShards(below, blocks)));
        }
    }
}
