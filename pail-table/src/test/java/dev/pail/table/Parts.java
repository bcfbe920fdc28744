package dev.pail.table;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random parts of keys: empty, binary, very long, full of separators, prefixes, escapes and quotes, or almost equal to another. */
final class Parts {
    private static final String[] TRICKY = {
        "", "T", "P", "F", "R", "\u001f", " ", "!", "}", "~", "\"", "\\", "a", "ab", "b", "0", "\u0000", "\u007f", "é",
        "中", "😀", "\u001e", "\ue000", "null", ".", "1"
    };

    private final Random random;

    Parts(Random random) {
        this.random = random;
    }

    Bytes bytes() {
        if (random.nextInt(2) == 0) {
            return Bytes.of(text());
        }
        byte[] bytes = new byte[length()];
        random.nextBytes(bytes);
        return Bytes.of(bytes);
    }

    private int length() {
        return random.nextInt(2000) == 0 ? random.nextInt(100_000) : random.nextInt(12);
    }

    String text() {
        StringBuilder out = new StringBuilder();
        for (int parts = random.nextInt(4); parts >= 0; parts--) {
            out.append(TRICKY[random.nextInt(TRICKY.length)]);
        }
        if (random.nextInt(5000) == 0) {
            out.append("long".repeat(random.nextInt(20_000)));
        }
        return out.toString();
    }

    static boolean hasSeparator(Bytes bytes) {
        return new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1).indexOf(0x1f) >= 0;
    }

    Scalar value() {
        return switch (random.nextInt(12)) {
            case 0 -> Scalar.ofNull();
            case 1 -> Scalar.of(random.nextBoolean());
            case 2 -> Scalar.of(random.nextInt(21) - 10);
            case 3 -> Scalar.of(random.nextLong());
            case 4 -> Scalar.of(random.nextGaussian());
            case 5 -> Scalar.of(Math.scalb(random.nextDouble() - 0.5, random.nextInt(1800) - 900));
            case 6 ->
                Scalar.of(new java.math.BigDecimal(
                        new java.math.BigInteger(random.nextInt(200), random), random.nextInt(60) - 30));
            case 7 -> Scalar.of(random.nextInt(2000) / 100.0);
            default -> Scalar.of(text());
        };
    }
}
