package dev.pail.ipld;

import dev.pail.PailException;

/** Bytes or text that break a rule of their format: not a CID, not canonical dag-cbor. */
public final class MalformedDataException extends PailException {
    private final int offset;
    private final String rule;

    public MalformedDataException(int offset, String rule) {
        super(rule + " (at offset " + offset + ")");
        this.offset = offset;
        this.rule = rule;
    }

    /**
     * Where the rule was broken: an index into the bytes, or into the text if it was text that was read; 0, if the bytes break it that
     * a text stands for.
     */
    public int offset() {
        return offset;
    }

    /** The rule that was broken. */
    public String rule() {
        return rule;
    }
}
