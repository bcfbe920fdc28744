package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.table.document.JsonReader;
import dev.pail.table.document.JsonText;
import dev.pail.table.document.TypedTexts;
import dev.pail.table.document.Values;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a {@link Schema}: a field of documents and the values that it can have. Spec rules T14 and T15.
 *
 * <p>As text, a column is its path, its type, and then, if they hold, {@code required}, {@code null} and {@code default} with a value in
 * JSON: {@code age integer required}. A space in the path has a backslash before it there.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * Column age = Column.of(FieldPath.parse("age"), Column.Type.INTEGER).required();
 * Column city = Column.parse("address.city text default \"Oslo\"");
 * }</pre>
 *
 * @param isRequired whether each document has the field. If a column of type object is above it, each document that has this object
 * @param isNullable whether the field may be null; false for the type json, which takes null anyway
 * @param defaultValue what a put gives the field if it is absent, in JSON
 */
@CheckReturnValue
public record Column(FieldPath path, Type type, boolean isRequired, boolean isNullable, Optional<String> defaultValue) {
    private static final Pattern TEXT =
            Pattern.compile("((?:\\\\.|[^\\\\ ])+) +([a-z]+)( +required)?( +null)?(?: +default (.+))?", Pattern.DOTALL);

    /** The most characters of a value that a message has. */
    private static final int SHOWN = 200;

    /** The values that a column can have. */
    public enum Type {
        /** A text. */
        TEXT("a text"),
        /** A number without a fraction: 1.0 is one. */
        INTEGER("an integer"),
        /** A number. */
        DECIMAL("a number"),
        /** True or false. */
        BOOLEAN("true or false"),
        /** A text with a date, a time and an offset from UTC, as RFC 3339 has it. */
        TIMESTAMP("a time such as \"2026-01-31T23:59:00Z\""),
        /** A text with a date, as RFC 3339 has it. */
        DATE("a date such as \"2026-01-31\""),
        /** A text with bytes in base64 (RFC 4648), with padding. */
        BYTES("bytes in base64"),
        /** A list. */
        LIST("a list"),
        /** An object. */
        OBJECT("an object"),
        /** Any value. */
        JSON("any value");

        final String wanted;

        Type(String wanted) {
            this.wanted = wanted;
        }

        /** Whether a value is of the type: null is of the type json alone. Spec rule T15. */
        boolean accepts(Object value) {
            return switch (this) {
                case TEXT -> value instanceof String;
                case INTEGER -> value instanceof Number number && Values.isWhole(number);
                case DECIMAL -> value instanceof Number;
                case BOOLEAN -> value instanceof Boolean;
                case TIMESTAMP -> value instanceof String text && TypedTexts.isTimestamp(text);
                case DATE -> value instanceof String text && TypedTexts.isDate(text);
                case BYTES -> value instanceof String text && TypedTexts.isBase64(text);
                case LIST -> value instanceof List;
                case OBJECT -> value instanceof Map;
                case JSON -> true;
            };
        }

        /** The name in lower case. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * Returns the type with a name in lower case.
         *
         * @throws TableException if there is none
         */
        public static Type parse(String name) {
            for (Type type : values()) {
                if (type.toString().equals(name)) {
                    return type;
                }
            }
            throw new TableException(
                    TableException.Reason.SCHEMA,
                    "a column has one of the types " + List.of(values()) + ", not " + Escapes.brief(name) + " (T15)");
        }
    }

    /** @throws TableException if the default value is not JSON, or none that the column takes */
    public Column {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(type, "type");
        isNullable &= type != Type.JSON;
        Optional<Object> value = defaultValue.map(json -> value(path, json));
        boolean accepts = value.isEmpty() || accepts(type, isNullable, value.get());
        if (!accepts) {
            throw malformed(path, "its default is " + brief(value.get()) + ", and it takes " + type.wanted);
        }
        defaultValue = value.map(JsonText::of);
    }

    /** Returns a column that is neither required nor nullable, without a default. */
    public static Column of(FieldPath path, Type type) {
        return new Column(path, type, false, false, Optional.empty());
    }

    /**
     * Parses the text of a column.
     *
     * @throws TableException if the text is none of a column
     */
    public static Column parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (Utf8.loneSurrogate(text) >= 0 || !matcher.matches()) {
            throw new TableException(
                    TableException.Reason.SCHEMA,
                    "not a column: " + Escapes.brief(text)
                            + "; PATH TYPE [required] [null] [default JSON] is expected (T15)");
        }
        return new Column(
                FieldPath.parse(matcher.group(1).replace("\\ ", " ")),
                Type.parse(matcher.group(2)),
                matcher.group(3) != null,
                matcher.group(4) != null,
                Optional.ofNullable(matcher.group(5)));
    }

    /** Returns the column that each document has. */
    public Column required() {
        return new Column(path, type, true, isNullable, defaultValue);
    }

    /** Returns the column that may be null. */
    public Column nullable() {
        return new Column(path, type, isRequired, true, defaultValue);
    }

    /**
     * Returns the column with a default value.
     *
     * @param json a value that the column takes, in JSON
     * @throws TableException if it is not JSON, or none that the column takes
     */
    public Column withDefault(String json) {
        Objects.requireNonNull(json, "json");
        return new Column(path, type, isRequired, isNullable, Optional.of(json));
    }

    /** The default value as {@link Values} has it, or null. */
    @Nullable
    Object defaultTree() {
        return defaultValue.map(json -> value(path, json)).orElse(null);
    }

    boolean accepts(Object value) {
        return accepts(type, isNullable, value);
    }

    private static boolean accepts(Type type, boolean isNullable, Object value) {
        return (isNullable && value == Values.NULL) || type.accepts(value);
    }

    private static Object value(FieldPath path, String json) {
        try {
            return JsonReader.value(json, -path.depth());
        } catch (DocumentException e) {
            throw malformed(path, "its default is not JSON: " + e.what());
        }
    }

    /** A value in JSON for a message: without hidden characters, and not long. */
    static String brief(Object value) {
        String json = JsonText.of(value);
        return json.length() <= SHOWN
                ? Escapes.printable(json)
                : Escapes.printable(json.substring(0, SHOWN)) + "... (" + json.length() + " characters)";
    }

    private static TableException malformed(FieldPath path, String why) {
        return new TableException(
                TableException.Reason.SCHEMA,
                "the column " + Escapes.brief(path.text()) + " is malformed: " + why + " (T15)");
    }

    /** The text, as {@link #parse} takes it. */
    @Override
    public String toString() {
        return path.text().replace(" ", "\\ ") + " " + type + (isRequired ? " required" : "")
                + (isNullable ? " null" : "")
                + defaultValue.map(json -> " default " + json).orElse("");
    }
}
