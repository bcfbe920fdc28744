package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.table.document.Values;
import dev.pail.table.index.IndexKinds;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A condition on documents. {@code toString} writes it as text, and {@link #parse} reads that (spec rules Q1 to Q3). The text form:
 *
 * <ul>
 *   <li>A comparison: {@code age >= 30}, with one of {@code == != < <= > >=}.
 *   <li>One of several values: {@code city in ["Oslo", "Bergen"]}.
 *   <li>The start of a text: {@code name starts "A"}.
 *   <li>An item of a list, a part of a text or a field of an object: {@code tags contains "new"}.
 *   <li>A field that is there, even if it is null: {@code exists email}.
 *   <li>{@code not} before one condition, {@code and} and {@code or} between two. {@code not} binds strongest, {@code or} weakest;
 *       brackets change that: {@code age >= 30 and (city == "Oslo" or not exists email)}.
 *   <li>A value is a text, a number, {@code true}, {@code false} or {@code null} as in JSON. A text may be between {@code '} instead;
 *       {@code ''} in it is one {@code '}.
 *   <li>A field is a {@link FieldPath}: {@code address.city}. A field with spaces or signs, or with one of these words as its name, stands
 *       between back quotes: {@code `order`}.
 *   <li>{@code lower(city)} in the place of a field is the lower case of its text, and {@code tags[]} each item of its list: see
 *       {@link FieldForm}.
 *   <li>Words may be in upper or lower case. Conditions nest at most 100 deep.
 * </ul>
 *
 * <p>A filter compares only values of one kind: numbers with numbers, texts with texts, booleans with booleans. Values of different kinds
 * are neither equal nor less nor greater; neither is a missing value.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * Filter adults = Filter.parse("age >= 18 and address.city in [\"Oslo\", \"Bergen\"]");
 * boolean accepts = adults.accepts(Document.parse("{\"age\":30,\"address\":{\"city\":\"Oslo\"}}")); // true
 * try (Stream<Row> rows = Tables.of(pail).table("people").rows(adults)) {
 *     rows.forEach(row -> System.out.println(row.id()));
 * }
 * }</pre>
 */
@CheckReturnValue
public sealed interface Filter {
    /** Whether a document fulfils the condition. */
    boolean accepts(Document document);

    /** Returns the filter that accepts all documents. It has no text form. */
    static Filter all() {
        return new And(List.of());
    }

    /**
     * The filter with this text.
     *
     * @throws TableException if it is none: it says where, and what is expected there
     */
    static Filter parse(String text) {
        return new FilterParser(text).parse();
    }

    /** An operator that compares two values. */
    enum Comparison {
        // The parser takes the first sign that fits: a sign that others start with is behind them.
        EQUAL("=="),
        NOT_EQUAL("!="),
        AT_MOST("<="),
        AT_LEAST(">="),
        LESS("<"),
        GREATER(">");

        final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        /** Whether the comparison holds between a found value and the given one. Rule Q2. */
        boolean holds(Object found, Scalar value) {
            if (!Values.isScalar(found) || !Values.areComparable(found, value.value)) {
                return false;
            }
            int order = Values.compare(found, value.value);
            return switch (this) {
                case EQUAL -> order == 0;
                case NOT_EQUAL -> order != 0;
                case LESS -> order < 0;
                case AT_MOST -> order <= 0;
                case GREATER -> order > 0;
                case AT_LEAST -> order >= 0;
            };
        }
    }

    /** A comparison of a field with a value. A missing field, or one of another kind, is not equal to it. */
    record Compare(FieldPath field, FieldForm form, Comparison comparison, Scalar value) implements Filter {
        public Compare {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(form, "form");
            Objects.requireNonNull(comparison, "comparison");
            Objects.requireNonNull(value, "value");
        }

        /** For the value as it is. */
        public Compare(FieldPath field, Comparison comparison, Scalar value) {
            this(field, FieldForm.VALUE, comparison, value);
        }

        @Override
        public boolean accepts(Document document) {
            // The opposite of an equality, also for several values (spec rule Q2).
            boolean isOpposite = comparison == Comparison.NOT_EQUAL;
            Comparison one = isOpposite ? Comparison.EQUAL : comparison;
            return isOpposite != IndexKinds.of(form).any(document.at(field), found -> one.holds(found, value));
        }

        @Override
        public String toString() {
            return FilterParser.quote(field, form) + " " + comparison.sign + " " + value.json();
        }
    }

    /** A field that has one of several values. */
    record In(FieldPath field, FieldForm form, List<Scalar> values) implements Filter {
        public In {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(form, "form");
            values = List.copyOf(Objects.requireNonNull(values, "values"));
        }

        /** For the value as it is. */
        public In(FieldPath field, List<Scalar> values) {
            this(field, FieldForm.VALUE, values);
        }

        @Override
        public boolean accepts(Document document) {
            return IndexKinds.of(form).any(document.at(field), this::hasOne);
        }

        private boolean hasOne(Object found) {
            for (Scalar value : values) {
                if (Comparison.EQUAL.holds(found, value)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return FilterParser.quote(field, form) + " in "
                    + values.stream().map(Scalar::json).collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** A text that starts with another. */
    record Starts(FieldPath field, FieldForm form, String start) implements Filter {
        public Starts {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(form, "form");
            Objects.requireNonNull(start, "start");
        }

        /** For the value as it is. */
        public Starts(FieldPath field, String start) {
            this(field, FieldForm.VALUE, start);
        }

        @Override
        public boolean accepts(Document document) {
            return IndexKinds.of(form)
                    .any(document.at(field), found -> found instanceof String text && text.startsWith(start));
        }

        @Override
        public String toString() {
            return FilterParser.quote(field, form) + " starts "
                    + Scalar.of(start).json();
        }
    }

    /** A list that has a value in it, a text that has a text in it, or an object that has a field of this name. Rule Q3. */
    record Contains(FieldPath field, FieldForm form, Scalar value) implements Filter {
        public Contains {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(form, "form");
            Objects.requireNonNull(value, "value");
        }

        /** For the value as it is. */
        public Contains(FieldPath field, Scalar value) {
            this(field, FieldForm.VALUE, value);
        }

        @Override
        public boolean accepts(Document document) {
            return IndexKinds.of(form).any(document.at(field), this::isIn);
        }

        private boolean isIn(Object found) {
            if (found instanceof List<?> list) {
                return list.stream().anyMatch(item -> Comparison.EQUAL.holds(item, value));
            }
            if (!(value.value instanceof String part)) {
                return false;
            }
            return found instanceof Map<?, ?> map
                    ? map.containsKey(part)
                    : found instanceof String text && text.contains(part);
        }

        @Override
        public String toString() {
            return FilterParser.quote(field, form) + " contains " + value.json();
        }
    }

    /** A field that is there, even if it is null. */
    record Exists(FieldPath field, FieldForm form) implements Filter {
        public Exists {
            Objects.requireNonNull(field, "field");
            Objects.requireNonNull(form, "form");
        }

        /** For the value as it is. */
        public Exists(FieldPath field) {
            this(field, FieldForm.VALUE);
        }

        @Override
        public boolean accepts(Document document) {
            return IndexKinds.of(form).any(document.at(field), found -> true);
        }

        @Override
        public String toString() {
            return "exists " + FilterParser.quote(field, form);
        }
    }

    /** All of several conditions. */
    record And(List<Filter> filters) implements Filter {
        public And {
            filters = List.copyOf(Objects.requireNonNull(filters, "filters"));
        }

        @Override
        public boolean accepts(Document document) {
            for (Filter filter : filters) {
                if (!filter.accepts(document)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return filters.stream()
                    .map(filter ->
                            filter instanceof Or || filter instanceof And ? "(" + filter + ")" : filter.toString())
                    .collect(Collectors.joining(" and "));
        }
    }

    /** At least one of several conditions. */
    record Or(List<Filter> filters) implements Filter {
        public Or {
            filters = List.copyOf(Objects.requireNonNull(filters, "filters"));
        }

        @Override
        public boolean accepts(Document document) {
            for (Filter filter : filters) {
                if (filter.accepts(document)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return filters.stream()
                    .map(filter -> filter instanceof Or ? "(" + filter + ")" : filter.toString())
                    .collect(Collectors.joining(" or "));
        }
    }

    /** The opposite of a condition. */
    record Not(Filter filter) implements Filter {
        public Not {
            Objects.requireNonNull(filter, "filter");
        }

        @Override
        public boolean accepts(Document document) {
            return !filter.accepts(document);
        }

        @Override
        public String toString() {
            return filter instanceof Not || filter instanceof Exists ? "not " + filter : "not (" + filter + ")";
        }
    }
}
