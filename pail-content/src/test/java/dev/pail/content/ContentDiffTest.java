package dev.pail.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.content.lines.Edit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ContentDiffTest {
    private final MemoryBlockStore blocks = new MemoryBlockStore();

    private Content raw(String text) {
        Block block = Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
        blocks.put(block);
        return Content.read(blocks, Optional.of(block.cid()));
    }

    @Test
    void aTextHasLinesWithTheirNewlines() {
        Content before = raw("a\nb");
        Content after = raw("a\nb\n");
        assertThat(before).isEqualTo(new Content.Text(List.of("a\n", "b")));
        assertThat(ContentDiff.of(before, after))
                .isEqualTo(new ContentDiff.Lines(
                        (Content.Text) before, (Content.Text) after, List.of(new Edit(1, 2, 1, 2))));
    }

    @Test
    void jsonDiffersByItsFields() {
        assertThat(ContentDiff.of(
                        raw("{\"a\":1,\"b\":{\"c\":\"x\"}}"), raw("{ \"b\":{\"c\":\"y\"}, \"a\":1,\"d\":null}")))
                .isEqualTo(new ContentDiff.Fields(List.of(
                        new ContentDiff.Part<>("b.c", Optional.of("\"x\""), Optional.of("\"y\"")),
                        new ContentDiff.Part<>("d", Optional.empty(), Optional.of("null")))));
        // The same fields in another form: the lines are all that differs.
        assertThat(ContentDiff.of(raw("{\"a\":1}"), raw("{ \"a\":1}"))).isInstanceOf(ContentDiff.Lines.class);
    }

    @Test
    void aDocumentOfDagCborHasFields() {
        Document document = Document.parse("{\"name\":\"Ann\"}");
        blocks.put(document.block());
        assertThat(ContentDiff.of(Content.read(blocks, Optional.of(document.cid())), new Content.Nothing()))
                .isEqualTo(new ContentDiff.Fields(
                        List.of(new ContentDiff.Part<>("name", Optional.of("\"Ann\""), Optional.empty()))));
    }

    @Test
    void whatNestsTooDeepIsText() {
        assertThat(raw("{\"a\":".repeat(100_000))).isInstanceOf(Content.Text.class);
        assertThat(raw("{\"a\":" + "[".repeat(400_000) + "]".repeat(400_000) + "}"))
                .isInstanceOf(Content.Text.class);
    }

    @Test
    void otherBytesHaveASizeOnly() throws IOException {
        assertThat(raw("a\0b")).isInstanceOf(Content.Bytes.class);
        byte[] large = "line\n".repeat(20_000_000).getBytes(StandardCharsets.US_ASCII);
        Cid file = UnixFs.write(
                blocks, new ByteArrayInputStream(large), FileLayout.V1_2025, OptionalInt.empty(), Optional.empty());
        assertThat(Content.read(blocks, Optional.of(file))).isEqualTo(new Content.Bytes(file, large.length));
    }

    @Test
    void aBlockThatIsNotHereIsAbsent() {
        Cid cid = Block.of(Cid.RAW, new byte[] {1}).cid();
        assertThat(Content.read(blocks, Optional.of(cid))).isEqualTo(new Content.Absent(cid));
    }
}
