package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Entry;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A folder of blocks that is used with npm {@code blockstore-fs}, and pails in it with npm {@code @web3-storage/pail}: 0.5.0
 * for v0, 0.6.2 for v1.
 */
record InteropFolder(InteropNode node, Path path, String format) {
    /** Makes an empty pail. */
    Cid create(String configuration) {
        return root(node.run("create-pail.js", List.of(), path, format, configuration));
    }

    /** Stores each text as a raw block and puts its CID. */
    Cid put(Cid root, Map<String, String> texts) {
        List<Map<String, String>> puts = texts.entrySet().stream()
                .map(put -> Map.of("key", put.getKey(), "text", put.getValue()))
                .toList();
        return root(node.run("put-texts.js", puts, path, format, root));
    }

    private static Cid root(List<JsonNode> lines) {
        return Cid.parse(lines.get(0).get("root").asText());
    }

    /** The entries, as they come. */
    List<Entry> list(Cid root) {
        return InteropRepository.entries(node.run("list-pail.js", List.of(), path, format, root));
    }

    /** Reads blocks by CID. Both sides have hashed the bytes. */
    List<Block> read(List<Cid> cids) {
        List<Map<String, String>> requests =
                cids.stream().map(cid -> Map.of("cid", cid.toString())).toList();
        List<JsonNode> answers = node.run("read-blocks.js", requests, path);
        assertThat(answers).hasSameSizeAs(cids);
        return answers.stream().map(InteropFolder::block).toList();
    }

    private static Block block(JsonNode answer) {
        Cid cid = Cid.parse(answer.get("cid").asText());
        assertThat(bytes(answer, "multihash")).isEqualTo(cid.multihash());
        return Block.verified(cid, bytes(answer, "bytes"));
    }

    /** The multihashes in hex, and the sizes, of all blocks that are found without being asked for. */
    List<String> find() {
        return node.run("list-blocks.js", List.of(), path).stream()
                .map(found ->
                        description(bytes(found, "multihash"), found.get("size").asInt()))
                .toList();
    }

    /** What {@link #find} tells of a block. */
    static String description(byte[] multihash, int size) {
        return HexFormat.of().formatHex(multihash) + " " + size;
    }

    private static byte[] bytes(JsonNode json, String field) {
        return Base64.getDecoder().decode(json.get(field).asText());
    }
}
