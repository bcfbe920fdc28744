package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Entry;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A CAR file, as npm {@code @ipld/car} and the npm packages of pail see it: 0.5.0 for v0, 0.6.2 for v1. */
record InteropCar(InteropNode node, Path path, String format) {
    /** What is in it: both sides have hashed the blocks. */
    record Content(int version, List<Cid> roots, List<Block> blocks) {}

    Content read() {
        List<JsonNode> lines = node.run("read-car.js", List.of(), path);
        List<Cid> roots = new ArrayList<>();
        lines.get(0).get("roots").forEach(root -> roots.add(Cid.parse(root.asText())));
        List<Block> blocks = new ArrayList<>();
        for (JsonNode line : lines.subList(1, lines.size())) {
            Cid cid = Cid.parse(line.get("cid").asText());
            assertThat(Base64.getDecoder().decode(line.get("multihash").asText()))
                    .isEqualTo(cid.multihash());
            blocks.add(Block.verified(
                    cid, Base64.getDecoder().decode(line.get("bytes").asText())));
        }
        return new Content(lines.get(0).get("version").asInt(), roots, blocks);
    }

    void write(Cid root, List<Block> blocks) {
        List<Map<String, Object>> lines = blocks.stream()
                .map(block -> Map.<String, Object>of(
                        "codec",
                        block.cid().codec(),
                        "bytes",
                        Base64.getEncoder().encodeToString(block.bytes())))
                .toList();
        node.run("write-car.js", lines, path, root);
    }

    /** The entries of the pail that is the first root. */
    List<Entry> list() {
        return InteropRepository.entries(node.run("list-car.js", List.of(), path, format));
    }

    /** Runs the command {@code pail} of the npm package on it, and returns what it printed. */
    String command(String... arguments) {
        JsonNode answer = answer(arguments);
        assertThat(answer.get("status").asInt()).as(answer.get("err").asText()).isZero();
        return answer.get("out").asText();
    }

    /** Runs the command; the answer has {@code status}, {@code out} and {@code err}. */
    JsonNode answer(String... arguments) {
        List<Object> all = new ArrayList<>(List.of(format, "--path", path));
        all.addAll(List.of(arguments));
        return node.run("pail-command.js", List.of(), all.toArray()).get(0);
    }
}
