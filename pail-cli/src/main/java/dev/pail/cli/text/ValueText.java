package dev.pail.cli.text;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.table.TableException;
import dev.pail.values.ValueBytes;
import java.util.Optional;

/** Values as texts, where they are small texts or documents. */
public final class ValueText {
    /** The characters of a value that a line shows. */
    private static final int SHOWN = 60;

    private ValueText() {}

    /** A value in one line: the beginning of its text, or its CID. */
    public static String brief(BlockStore blocks, Optional<Cid> value) {
        return value.map(cid -> text(blocks, cid).map(ValueText::brief).orElseGet(cid::toString))
                .orElse("(no value)");
    }

    private static String brief(String text) {
        String line = text.lines().findFirst().orElse("");
        boolean isWhole = line.length() == text.strip().length() && line.length() <= SHOWN;
        int to = Math.min(SHOWN, line.length());
        // A character of two code units stays whole.
        int end = to > 0 && Character.isHighSurrogate(line.charAt(to - 1)) ? to - 1 : to;
        return Escapes.quote(line.substring(0, end)) + (isWhole ? "" : "...");
    }

    /** The text of a value: of a block of UTF-8, or of a document, as JSON. Empty for other values, and for one that is not here. */
    public static Optional<String> text(BlockStore blocks, Cid cid) {
        try {
            if (cid.codec() == Cid.DAG_CBOR) {
                return blocks.getChecked(cid).map(Document::of).map(Document::json);
            }
            return cid.codec() == Cid.RAW
                    ? ValueBytes.inlined(cid)
                            .or(() -> blocks.getChecked(cid).map(Block::bytes))
                            .flatMap(ValueText::decode)
                    : Optional.empty();
        } catch (BlockException | TableException e) {
            // Shown by its CID.
            return Optional.empty();
        }
    }

    private static Optional<String> decode(byte[] bytes) {
        return Utf8.firstMalformed(bytes, 0, bytes.length) < 0
                ? Optional.of(Utf8.decode(bytes, 0, bytes.length))
                : Optional.empty();
    }

    /**
     * The text of a value for an editor; empty if there is no value.
     *
     * @throws Failure.Found if the value is no text, or not here
     */
    public static String toEdit(BlockStore blocks, Optional<Cid> value) {
        return value.map(cid -> text(blocks, cid)
                        .orElseThrow(() -> new Failure.Found(
                                Exit.FAILED,
                                "bad-value",
                                "no text that is here: " + cid,
                                "give the value with --file, or take a side with --ours or --theirs")))
                .orElse("");
    }
}
