package dev.pail.ipld;

import dev.pail.Escapes;
import dev.pail.PailException;

/**
 * Bytes or text that break a rule of their format: not a CID, not canonical dag-cbor.
 *
 * <pre>{@code
 * try {
 *     Cid cid = Cid.parse("bafk!");
 * } catch (MalformedDataException e) {
 *     System.err.println("at character " + e.offset() + ": " + e.rule());
 * }
 * }</pre>
 */
public final class MalformedDataException extends PailException {
    private final int offset;
    private final String rule;

    public MalformedDataException(int offset, String rule) {
        this("", offset, rule);
    }

    private MalformedDataException(String what, int offset, String rule) {
        super(what + rule + " (at offset " + offset + ")");
        this.offset = offset;
        this.rule = rule;
    }

    /** What is wrong with a text that was to be a CID. */
    static MalformedDataException ofCid(String text, MalformedDataException wrong) {
        return new MalformedDataException("not a CID: " + Escapes.brief(text) + ": ", wrong.offset, wrong.rule);
    }

    /**
     * Returns the place of the error: an index into the bytes or the text that was read. It is 0 if the error is in the bytes that a text
     * encodes.
     */
    public int offset() {
        return offset;
    }

    /** The rule that was broken. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return "malformed-data";
    }

    @Override
    public Kind kind() {
        return Kind.MALFORMED;
    }
}
