package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.table.document.Decimal;
import dev.pail.table.document.Values;
import dev.pail.table.index.OrderedValue;
import dev.pail.testkit.Randomness;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values: equal and ordered by what they are, with one form each. */
class NumbersTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "1.0, 1",
        "10e-1, 1",
        "-0.0, 0",
        "0e5, 0",
        "100, 100",
        "1e2, 100",
        "0.1, 0.1",
        "0.000001, 0.000001",
        "0.0000001, 1e-7",
        "1e21, 1e+21",
        "1e20, 100000000000000000000",
        "123456789012345678901234, 1.23456789012345678901234e+23",
        "-1.50, -1.5",
        "1e-400, 1e-400",
        "9007199254740993, 9007199254740993",
        "5e-324, 5e-324"
    })
    void haveOneFormInJson_B5(String written, String canonical) {
        Scalar number = Scalar.parse(written);
        assertThat(number.json()).isEqualTo(canonical);
        assertThat(Scalar.parse(canonical)).isEqualTo(number).hasSameHashCodeAs(number);
        assertThat(new BigDecimal(canonical)).isEqualByComparingTo(new BigDecimal(written));
    }

    /** The shortest decimal of a double is that of the library, where that is right: not more digits, and read as the same double. */
    @Test
    void shortestDecimalsOfDoubles() {
        Random random = new Random(Randomness.seed("NumbersTest.shortestDecimals"));
        int cases = Randomness.times(100_000, 1_000_000);
        for (int i = 0; i < cases; i++) {
            double number = switch (i % 4) {
                case 0 -> Double.longBitsToDouble(random.nextLong());
                case 1 -> random.nextInt(1_000_000) / 100.0;
                case 2 -> random.nextGaussian();
                default -> Math.scalb(1.0, random.nextInt(2000) - 1000);
            };
            if (!Double.isFinite(number)) {
                continue;
            }
            BigDecimal shortest = Decimal.shortest(number);
            assertThat(shortest.doubleValue()).isEqualTo(number + 0.0);
            int digits = shortest.stripTrailingZeros().precision();
            int theirs =
                    new BigDecimal(Double.toString(number)).stripTrailingZeros().precision();
            assertThat(digits <= theirs || digits <= 15).as("%s", number).isTrue();
        }
    }

    /**
     * Of two decimals that are as near to a double, the one whose last digit is even (spec rule D2); and beside a power of two the
     * one farther away, where the nearer is another double.
     */
    @ParameterizedTest
    @CsvSource({
        "1125899906842624.25, 1125899906842624.2",
        "1125899906842624.75, 1125899906842624.8",
        "1125899906842625.25, 1125899906842625.2",
        "-1125899906842624.25, -1125899906842624.2",
        "36028797018963965, 36028797018963964",
        "0.68408966064453125, 0.6840896606445312",
        "0.1, 0.1",
        "5.9604644775390625e-8, 5.960464477539063e-8",
        "6.183260036827614e172, 6.183260036827614e172",
        "5e-324, 4.94065645841247e-324",
        "2e23, 2e23"
    })
    void theNearestIsTaken(double number, String decimal) {
        assertThat(Decimal.shortest(number)).isEqualByComparingTo(decimal);
    }

    /** The decimals of 15, 16 and 17 digits next to a double, and of those that give it back the nearest. */
    @Test
    void shortestDecimalsAreTheNearest() {
        Random random = new Random(Randomness.seed("NumbersTest.shortestDecimalsAreTheNearest"));
        int[] lengths = new int[18];
        int ties = 0;
        int farther = 0;
        for (int i = 0; i < Randomness.times(40_000, 1_000_000); i++) {
            double number = switch (i % 5) {
                case 0 -> Double.longBitsToDouble(random.nextLong());
                case 1 -> 0x1p50 + random.nextInt(1 << 30) * 0.25;
                case 2 -> random.nextInt(1 << 30) - 0x1p50 * 0.125;
                case 3 -> Math.scalb(random.nextBoolean() ? 1 : -1.0, random.nextInt(2098) - 1074);
                default -> Math.scalb(1.0 + random.nextInt(1 << 20), random.nextInt(200) - 100);
            };
            if (!Double.isFinite(number) || number == 0) {
                continue;
            }
            BigDecimal exact = new BigDecimal(number);
            BigDecimal expected = null;
            for (int digits = 15; expected == null; digits++) {
                lengths[digits]++;
                BigDecimal below = exact.round(new MathContext(digits, RoundingMode.FLOOR));
                BigDecimal above = exact.round(new MathContext(digits, RoundingMode.CEILING));
                int nearer = exact.subtract(below).compareTo(above.subtract(exact));
                if (nearer == 0 && below.compareTo(above) != 0) {
                    ties++;
                    nearer = below.unscaledValue().testBit(0) ? 1 : -1;
                }
                BigDecimal nearest = nearer < 0 ? below : above;
                BigDecimal other = nearer < 0 ? above : below;
                if (nearest.doubleValue() == number) {
                    expected = nearest;
                } else if (other.doubleValue() == number) {
                    expected = other;
                    farther++;
                }
            }
            assertThat(Decimal.shortest(number)).as("%s", exact).isEqualByComparingTo(expected);
        }
        assertThat(lengths[17]).isGreaterThan(1_000);
        assertThat(ties).isGreaterThan(1_000);
        assertThat(farther).isGreaterThan(50);
    }

    /** All ways of comparing agree with the numbers themselves, and the bytes with them. */
    @Test
    void areInOrder_B6() {
        long seed = Randomness.seed("NumbersTest.areInOrder");
        Random random = new Random(seed);
        Parts parts = new Parts(random);
        List<Scalar> values = new ArrayList<>();
        while (values.size() < Randomness.times(100_000, 500_000)) {
            Scalar value = parts.value();
            if (OrderedValue.isIndexable(value.value)) {
                values.add(value);
                if (value.value instanceof Number number) {
                    BigDecimal exact = Values.decimal(number).toBigDecimal();
                    values.add(Scalar.of(exact.add(exact.ulp())));
                    values.add(Scalar.of(exact.negate()));
                    values.add(Scalar.of(exact.toBigInteger()));
                }
            }
        }
        List<Scalar> byBytes = new ArrayList<>(values);
        byBytes.sort((a, b) ->
                Bytes.owned(OrderedValue.encode(a.value)).compareTo(Bytes.owned(OrderedValue.encode(b.value))));
        Collections.sort(values);
        assertThat(byBytes).isEqualTo(values);
        for (Scalar value : values) {
            byte[] bytes = OrderedValue.encode(value.value);
            assertThat(new Scalar(OrderedValue.decode(bytes))).isEqualTo(value).hasSameHashCodeAs(value);
            for (byte b : bytes) {
                assertThat(b < 0 || b > FieldKey.SEPARATOR).isTrue();
            }
        }
        for (int i = 1; i < values.size(); i++) {
            Scalar a = values.get(i - 1);
            Scalar b = values.get(i);
            if (a.value instanceof Number x && b.value instanceof Number y) {
                assertThat(Values.decimal(x).toBigDecimal())
                        .isLessThanOrEqualTo(Values.decimal(y).toBigDecimal());
            }
        }
    }

    @Test
    void numbersFromDifferentTypesAreOneNumber() {
        Scalar one = Scalar.of(1);
        assertThat(one)
                .isEqualTo(Scalar.of(1.0))
                .isEqualTo(Scalar.of(new BigDecimal("1.000")))
                .isEqualTo(Scalar.of(BigInteger.ONE))
                .isNotEqualTo(Scalar.of("1"))
                .isNotEqualTo(Scalar.of(true));
        assertThat(Scalar.of(0.1)).isEqualTo(Scalar.of(new BigDecimal("0.1")));
        assertThat(Scalar.of(1L << 53)).isLessThan(Scalar.of((1L << 53) + 1)).isEqualTo(Scalar.of(0x1p53));
        assertThat(Scalar.of("\uffff")).isLessThan(Scalar.of("\ud800\udc00"));
    }
}
