package dev.pail.cli.text;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;

/** Reads the values of many entries. Counts those that it took for texts because they are no CIDs. */
public final class ValueTexts {
    private final Meaning meaning;
    private final String asText;
    private final String textSays;
    private long guessed;

    /** What the values are. */
    public enum Meaning {
        CIDS,
        TEXTS,
        /** CIDs, and texts that are none. What may be a damaged CID is refused. */
        EITHER
    }

    /**
     * @param asText the command or the form that takes a text as it is, for hints
     * @param textSays what in it says that a value is a text, for the note
     */
    public ValueTexts(Meaning meaning, String asText, String textSays) {
        this.meaning = meaning;
        this.asText = asText;
        this.textSays = textSays;
    }

    /** Forgets what was counted. */
    public void restart() {
        guessed = 0;
    }

    /** The value that a text gives. */
    public NewValue read(String given) {
        return switch (meaning) {
            case CIDS -> NewValue.of(Values.parse(given));
            case TEXTS -> text(given);
            case EITHER -> {
                Cid cid = Values.shown(given);
                if (cid != null) {
                    yield NewValue.of(cid);
                }
                if (Values.looksLikeCid(given)) {
                    yield NewValue.of(Values.given(given, asText).cid());
                }
                NewValue text = text(given);
                guessed++;
                yield text;
            }
        };
    }

    /** Whether a value may be other than a CID. */
    boolean takesTexts() {
        return meaning != Meaning.CIDS;
    }

    /** Whether all values are texts. */
    boolean areTexts() {
        return meaning == Meaning.TEXTS;
    }

    private static NewValue text(String given) {
        if (Utf8.loneSurrogate(given) >= 0) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "bad-value",
                    "a text with half of a character, a lone surrogate: " + Escapes.brief(given),
                    null);
        }
        return NewValue.of(Utf8.encode(given));
    }

    /** Says once that values were taken for texts, if some were. */
    public void note(Terminal terminal) {
        if (guessed > 0 && !terminal.json && !terminal.quiet) {
            terminal.note((guessed == 1
                            ? "1 value is a text, as it is no CID; "
                            : guessed + " values are texts, as they are no CIDs; ")
                    + textSays + " says so, and --cid refuses " + (guessed == 1 ? "it" : "them"));
        }
    }
}
