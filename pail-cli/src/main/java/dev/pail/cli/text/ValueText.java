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
    private static final int SHOWN = 60;

    private ValueText() {}

    /** A value in one line: the beginning of its text, or its CID. */
    public static String brief(BlockStore blocks, Optional<Cid> value) {
        return value.map(cid -> Content.text(blocks, cid).map(ValueText::brief).orElseGet(cid::toString))
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
