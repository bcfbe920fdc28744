package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.table.document.Decimal;
import dev.pail.table.document.Values;
import dev.pail.table.index.OrderedValue;
import dev.pail.table.index.TableText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values that rows have in a field, summed up: {@link Table#summary}. Rule Q5.
 *
 * <ul>
 *   <li>Sum and average take numbers alone. They are exact decimals: {@code 0.1} and {@code 0.2} make {@code 0.3}, and nothing overflows.
 *       Only an average of more than 34 digits is rounded, half to even.
 *   <li>The least and the greatest value are those of all values but null, in the order of an index: booleans, numbers, texts.
 *   <li>An absent field, a list and an object have no value.
 * </ul>
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * Table people = Tables.of(pail).table("people");
 * Summary ages = people.summary(Filter.parse("exists email"), FieldPath.parse("age"));
 * System.out.println(ages.rows() + " rows, average age " + ages.average().map(Scalar::json).orElse("unknown"));
 * }</pre>
 */
@CheckReturnValue
public final class Summary {
    private final long rows;
    private final long numbers;
    private final BigDecimal sum;
    private final @Nullable Scalar min;
    private final @Nullable Scalar max;

    /** The field with a number that {@link #sum} does not take, and the row of it. */
    private final @Nullable String refused;

    private Summary(Builder from) {
        this.rows = from.rows;
        this.numbers = from.numbers;
        this.sum = from.large.add(BigDecimal.valueOf(from.small));
        this.min = from.min == null ? null : new Scalar(from.min);
        this.max = from.max == null ? null : new Scalar(from.max);
        this.refused = from.refused;
    }

    /**
     * The rows with one value in a field.
     *
     * @param value the value; empty for the rows that have none there
     */
    public record Group(Optional<Scalar> value, Summary summary) {
        public Group {
            Objects.requireNonNull(value, "value");
            Objects.requireNonNull(summary, "summary");
        }
    }

    /** The number of rows. */
    public long rows() {
        return rows;
    }

    /** The number of rows with a number in the field. */
    public long numbers() {
        return numbers;
    }

    /**
     * Returns the sum of the numbers, exact; 0 if there are none.
     *
     * @throws TableException if one of them is 10^2047 or more, or not 0 and less than 10^-2049, without its sign
     */
    public Scalar sum() {
        return Scalar.of(exact());
    }

    private BigDecimal exact() {
        if (refused != null) {
            throw new TableException(
                    TableException.Reason.NOT_INDEXABLE,
                    refused + " a number that is too large or too small for a sum (Q5)");
        }
        return sum;
    }

    /**
     * Returns the sum divided by the number of numbers, if there are any. It is exact, or rounded to 34 digits, half to even.
     *
     * @throws TableException as {@link #sum} throws
     */
    public Optional<Scalar> average() {
        return numbers == 0
                ? Optional.empty()
                : Optional.of(Scalar.of(exact().divide(BigDecimal.valueOf(numbers), MathContext.DECIMAL128)));
    }

    /** Returns the least value, if there is any but null. */
    public Optional<Scalar> min() {
        return Optional.ofNullable(min);
    }

    /** Returns the greatest value, if there is any but null. */
    public Optional<Scalar> max() {
        return Optional.ofNullable(max);
    }

    /** The numbers of rows and of numbers. */
    @Override
    public String toString() {
        return rows + " rows, " + numbers + " numbers";
    }

    /** Takes in one row after the other. */
    static final class Builder {
        private long rows;
        private long numbers;

        /** The sum of the integers since they last went beyond a long. */
        private long small;

        private BigDecimal large = BigDecimal.ZERO;
        private @Nullable Object min;
        private @Nullable Object max;
        private @Nullable String refused;

        void add(Row row, @Nullable FieldPath field, Document document) {
            rows++;
            Object found = field == null ? null : document.at(field);
            if (field == null || found == null || found == Values.NULL || !Values.isScalar(found)) {
                return;
            }
            if (found instanceof Number number) {
                numbers++;
                if (refused == null && !add(number)) {
                    refused = "the row " + TableText.quoted(row.id()) + " has in the field "
                            + TableText.quoted(field.text());
                }
            }
            min = min == null || Values.compare(found, min) < 0 ? found : min;
            max = max == null || Values.compare(found, max) > 0 ? found : max;
        }

        /** Returns whether the number is of a size that can be added: of any sizes, a sum may have millions of digits. */
        private boolean add(Number number) {
            if (number instanceof Long value) {
                long next = small + value;
                // It overflows if both summands have the other sign.
                if (((small ^ next) & (value ^ next)) < 0) {
                    large = large.add(BigDecimal.valueOf(small));
                    next = value;
                }
                small = next;
                return true;
            }
            Decimal decimal = Values.decimal(number);
            if (!OrderedValue.hasExponent(decimal)) {
                return false;
            }
            large = large.add(decimal.toBigDecimal());
            return true;
        }

        Summary build() {
            return new Summary(this);
        }
    }
}
