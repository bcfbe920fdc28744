package dev.pail.proof;

import dev.pail.PailException;

/**
 * A refused proof: it would be larger than {@link ProofLimits} allow.
 *
 * <pre>{@code
 * try {
 *     Proof all = pail.prove(KeyRange.all());
 * } catch (ProofLimitException e) {
 *     System.err.println("prove a smaller range: " + e.limit());
 * }
 * }</pre>
 */
public final class ProofLimitException extends PailException {
    private final String limit;

    public ProofLimitException(String limit) {
        super("proof limit reached: " + limit);
        this.limit = limit;
    }

    /** The limit. */
    public String limit() {
        return limit;
    }

    @Override
    public String code() {
        return "proof-limit";
    }

    @Override
    public Kind kind() {
        return Kind.REFUSED;
    }
}
