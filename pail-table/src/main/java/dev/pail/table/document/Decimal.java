package dev.pail.table.document;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * A finite number as sign, digits and exponent: {@code 0.d1d2d3... * 10^exponent}, without zeros at either end of the digits.
 * Zero has no digits. It depends on the number alone, not on how it was written.
 */
public record Decimal(boolean negative, String digits, int exponent) {
    /** At most one decimal number with up to this many digits has a given double as its nearest. */
    private static final int SURE_DIGITS = 15;

    private static final int MOST_DIGITS = 17;
    private static final double EXACT = 1e15;
    private static final int CENTS = 2;
    private static final double HUNDRED = 100;

    /** How many digits before the point are written out. */
    private static final int MOST_PLAIN = 21;

    /** Numbers with this exponent or a lesser one are not written out. */
    private static final int LEAST_PLAIN = -6;

    public static final Decimal ZERO = new Decimal(false, "", 0);

    public static Decimal of(long number) {
        String text = Long.toString(number);
        return of(Long.signum(number), number < 0 ? text.substring(1) : text, 0);
    }

    public static Decimal of(BigDecimal number) {
        BigInteger unscaled = number.unscaledValue();
        return of(unscaled.signum(), unscaled.abs().toString(), number.scale());
    }

    private static Decimal of(int signum, String digits, int scale) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '0') {
            end--;
        }
        return end == 0
                ? ZERO
                : new Decimal(signum < 0, digits.substring(0, end), Math.subtractExact(digits.length(), scale));
    }

    /**
     * The decimal number with the fewest digits, but at least 15, whose nearest double this is; of those with as many, the one
     * next to it. Java's own text of a double is not the same in all its versions.
     */
    public static BigDecimal shortest(double number) {
        if (Math.abs(number) < EXACT) {
            if (number == (long) number) {
                return BigDecimal.valueOf((long) number);
            }
            long cents = Math.round(number * HUNDRED);
            if (cents / HUNDRED == number && Math.abs(cents) < EXACT) {
                return BigDecimal.valueOf(cents, CENTS);
            }
        }
        BigDecimal exact = new BigDecimal(number);
        for (int digits = SURE_DIGITS; digits < MOST_DIGITS; digits++) {
            BigDecimal nearest = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
            if (nearest.doubleValue() == number) {
                return nearest;
            }
            // The next double below a power of two is nearer than the one above, and so may be the one of the nearest
            // decimal.
            BigDecimal farther = exact.round(new MathContext(digits, RoundingMode.UP));
            if (farther.doubleValue() == number) {
                return farther;
            }
        }
        return exact.round(new MathContext(MOST_DIGITS, RoundingMode.HALF_EVEN));
    }

    public BigDecimal toBigDecimal() {
        if (digits.isEmpty()) {
            return BigDecimal.ZERO;
        }
        BigInteger unscaled = new BigInteger(negative ? "-" + digits : digits);
        return new BigDecimal(unscaled, Math.subtractExact(digits.length(), exponent));
    }

    /** The number as JSON has it, in its one canonical form (spec rule B5). */
    public String json() {
        if (digits.isEmpty()) {
            return "0";
        }
        StringBuilder out = new StringBuilder(digits.length() + 8);
        if (negative) {
            out.append('-');
        }
        int length = digits.length();
        if (exponent > MOST_PLAIN || exponent <= LEAST_PLAIN) {
            out.append(digits.charAt(0));
            if (length > 1) {
                out.append('.').append(digits, 1, length);
            }
            out.append('e').append(exponent > 0 ? "+" : "").append(exponent - 1L);
        } else if (exponent <= 0) {
            out.append("0.").append("0".repeat(-exponent)).append(digits);
        } else if (exponent < length) {
            out.append(digits, 0, exponent).append('.').append(digits, exponent, length);
        } else {
            out.append(digits).append("0".repeat(exponent - length));
        }
        return out.toString();
    }
}
