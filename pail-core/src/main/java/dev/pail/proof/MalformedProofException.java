package dev.pail.proof;

import dev.pail.PailException;

/**
 * Bytes that do not have the form of a proof, or more of them than {@link ProofLimits} allow.
 *
 * <pre>{@code
 * try {
 *     Proof proof = Proof.read(Files.readAllBytes(file));
 * } catch (MalformedProofException e) {
 *     System.err.println("at byte " + e.offset() + ": " + e.rule());
 * }
 * }</pre>
 */
public final class MalformedProofException extends PailException {
    private final int offset;
    private final String rule;

    /** @param offset in bytes from the start of the proof */
    public MalformedProofException(int offset, String rule) {
        super("malformed proof: " + rule + " (at offset " + offset + ")");
        this.offset = offset;
        this.rule = rule;
    }

    /** Where the rule is broken, in bytes from the start of the proof. */
    public int offset() {
        return offset;
    }

    /** The rule that is broken. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return "malformed-proof";
    }

    @Override
    public Kind kind() {
        return Kind.MALFORMED;
    }
}
