package dev.pail.proof;

import dev.pail.ipld.Block;

/**
 * The largest proof that is made and read. Rule PF12.
 *
 * <pre>{@code
 * ProofLimits small = new ProofLimits(1 << 16, 100, 1 << 16);
 * Proof proof = Proof.read(Files.readAllBytes(file), small); // or throws MalformedDataException
 * }</pre>
 *
 * @param bytes the most bytes of a proof, at least 1
 * @param blocks the most blocks in it, at least 1
 * @param answer the most bytes of an answer: each entry or change counts 128, 2 for each UTF-16 code unit of its key, and the bytes of
 *     its values. At least 1
 */
public record ProofLimits(int bytes, int blocks, int answer) {
    /** 16 MiB, 16,384 blocks, and an answer of 8 MiB: what a Java heap of 64 MiB can check. */
    public static final ProofLimits DEFAULT = new ProofLimits(2 * Block.MAX_SIZE, 1 << 14, Block.MAX_SIZE);

    /** @throws IllegalArgumentException if a limit is less than 1 */
    public ProofLimits {
        if (bytes < 1 || blocks < 1 || answer < 1) {
            throw new IllegalArgumentException(
                    "limits are at least 1, not " + bytes + " bytes, " + blocks + " blocks, " + answer + " bytes");
        }
    }
}
