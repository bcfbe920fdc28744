package dev.pail.cli.text;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.content.Content;
import dev.pail.ipld.Cid;
import java.util.Optional;

/** Values as texts, where they are small texts or documents. */
public final class ValueText {
    /** The characters of a value that a line shows. */
    private static final int SHOWN = 40;

    /** The largest block whose text a list shows, in bytes. */
    private static final int MOST_LISTED = 64 << 10;

    private ValueText() {}

    /** The beginning of a text or a document for a list, with a separator before it. Empty for other values, large blocks and missing ones. */
    public static String preview(BlockStore blocks, Cid value, String separator) {
        return Codecs.block(blocks, value)
                .map(block -> preview(value, block, separator))
                .orElse("");
    }

    /** The same for a value whose block was read. */
    public static String preview(Cid value, byte[] block, String separator) {
        return block.length > MOST_LISTED
                ? ""
                : Content.text(value, block)
                        .map(text -> separator + brief(value, text))
                        .orElse("");
    }

    /** A value in one line: the beginning of its text, or its CID. */
    public static String brief(BlockStore blocks, Optional<Cid> value) {
        return value.map(cid ->
                        Content.text(blocks, cid).map(text -> brief(cid, text)).orElseGet(cid::toString))
                .orElse("(no value)");
    }

    /** A text is in quotes; a document is JSON already. */
    private static String brief(Cid value, String text) {
        int line = 0;
        while (line < text.length() && text.charAt(line) != '\n' && text.charAt(line) != '\r') {
            line++;
        }
        int end = Math.min(SHOWN, line);
        // A character of two code units stays whole.
        if (end > 0 && end < line && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        boolean isWhole = end == line && text.substring(line).isBlank();
        String shown = text.substring(0, end);
        return (value.codec() == Cid.DAG_CBOR ? Escapes.printable(shown) : Escapes.quote(shown))
                + (isWhole ? "" : "...");
    }

    /**
     * The text of a value for an editor; empty if there is no value.
     *
     * @throws Failure.Found if the value is no text, or not here
     */
    public static String toEdit(BlockStore blocks, Optional<Cid> value) {
        return value.map(cid -> Content.text(blocks, cid)
                        .orElseThrow(() -> new Failure.Found(
                                Exit.FAILED,
                                "bad-value",
                                "no text that is here: " + cid,
                                "give the value with --file, or take a side with --ours or --theirs")))
                .orElse("");
    }
}
