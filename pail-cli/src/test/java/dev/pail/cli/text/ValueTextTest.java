package dev.pail.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ValueTextTest {
    private final MemoryBlockStore blocks = new MemoryBlockStore();

    private String preview(String text) {
        Block block = Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
        blocks.put(block);
        return ValueText.preview(blocks, block.cid(), "\t");
    }

    @Test
    void aPreviewIsTheFirstLine() {
        assertThat(preview("buy milk\n")).isEqualTo("\t\"buy milk\"");
        assertThat(preview("buy milk\nand bread")).isEqualTo("\t\"buy milk\"...");
        assertThat(preview("")).isEqualTo("\t\"\"");
        assertThat(preview("a\u001b[31m\tb")).isEqualTo("\t\"a\\u{1b}[31m\\u{9}b\"");
    }

    @Test
    void aPreviewHasAtMostFortyCharacters() {
        assertThat(preview("x".repeat(40))).isEqualTo("\t\"" + "x".repeat(40) + "\"");
        assertThat(preview("x".repeat(41))).isEqualTo("\t\"" + "x".repeat(40) + "\"...");
        // The character at the bound has two code units.
        assertThat(preview("x".repeat(39) + "\ud83d\ude00 there")).isEqualTo("\t\"" + "x".repeat(39) + "\"...");
    }

    @Test
    void aDocumentIsShownAsJson() {
        Document document = Document.parse("{\"name\":\"Ann\"}");
        blocks.put(document.block());
        assertThat(ValueText.preview(blocks, document.cid(), " = ")).isEqualTo(" = {\"name\":\"Ann\"}");
    }

    @Test
    void otherValuesHaveNoPreview() {
        assertThat(preview("a\0b")).isEmpty();
        assertThat(preview("x".repeat(65_536))).isNotEmpty();
        assertThat(preview("x".repeat(65_537))).isEmpty();
        assertThat(ValueText.preview(
                        new MemoryBlockStore(),
                        Block.of(Cid.RAW, new byte[] {'a'}).cid(),
                        "\t"))
                .isEmpty();
    }
}
