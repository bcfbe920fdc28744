package dev.pail.table.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.table.DocumentException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads JSON strictly: one value and nothing behind it, no name twice in an object. Rule D1. */
public final class JsonReader {
    private static final int MAX_DEPTH = 500;
    private static final int MAX_DIGITS = 1000;

    /** The limit for all digits: a stored number may also have leading zeros and an exponent. */
    private static final int MAX_DIGITS_IN_ALL = MAX_DIGITS + 16;

    /** What the parser says of itself: where it keeps its source, which of its settings would take the text. */
    private static final Pattern OWN_MATTERS =
            Pattern.compile("(?s) ?\\([^()]*\\[Source:.*|: enable `.*|: maybe a \\(non-standard\\) comment.*"
                    + "| \\(code [^()]*\\)|: (?:was expecting|expected a valid value) \\(.*");

    private static final Pattern UNENDED = Pattern.compile("Unexpected end-of-input: expected close marker for (\\w+)");

    /**
     * What bounds levels and numbers is here: the parser counts other digits where a number is not in one piece of its text. Names are
     * not kept: of all that are ever read they would be too many, and what one document has is no matter of the next.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Block.MAX_SIZE)
                    .maxNameLength(Block.MAX_SIZE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final String text;
    private final JsonParser parser;

    /** How many levels may be in the one that is read. */
    private int levels;

    private JsonReader(String text, JsonParser parser, int levels) {
        this.text = text;
        this.parser = parser;
        this.levels = levels;
    }

    /**
     * A value as {@link Values} has it.
     *
     * @throws DocumentException if the text is not JSON
     */
    public static Object value(String text) {
        return value(text, 0);
    }

    /**
     * As {@link #value(String)}, of a text that has a document in it.
     *
     * @param around how many levels there may be around the document
     */
    public static Object value(String text, int around) {
        try (JsonParser parser = JSON.createParser(text)) {
            JsonReader reader = new JsonReader(text, parser, MAX_DEPTH + around);
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new DocumentException(0, text.length() + 1, "a value in JSON is expected, and there is nothing");
            }
            Object value = reader.read(first);
            if (parser.nextToken() != null) {
                throw reader.failure("something is behind the value");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw failure(text, e.getLocation(), what(e));
        } catch (IOException e) {
            throw new DocumentException(0, 1, String.valueOf(e.getMessage()));
        }
    }

    private static String what(JsonProcessingException e) {
        if (e instanceof StreamConstraintsException) {
            return "a text of more than " + Block.MAX_SIZE + " characters (D4)";
        }
        String line = e.getOriginalMessage().lines().findFirst().orElse("");
        Matcher unended = UNENDED.matcher(line);
        if (unended.find()) {
            return "the " + unended.group(1).toLowerCase(Locale.ROOT) + " does not end";
        }
        String what = OWN_MATTERS.matcher(line).replaceAll("");
        return what.isEmpty() || what.indexOf('`') >= 0 ? "not JSON" : what;
    }

    /** @param token the current one */
    private Object read(JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> list();
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> integer();
            case VALUE_NUMBER_FLOAT -> decimal();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> Values.NULL;
            default -> throw failure("a value is expected");
        };
    }

    private Map<String, Object> object() throws IOException {
        deeper();
        Map<String, Object> fields = new TreeMap<>(JsonReader::compareNames);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            // The parser refuses those that are escaped, and takes the others.
            if (Utf8.loneSurrogate(name) >= 0) {
                throw failure("a name has a lone surrogate (D1)");
            }
            if (fields.put(name, read(parser.nextToken())) != null) {
                throw failure("the name \"" + Escapes.escape(name) + "\" is there twice in one object");
            }
        }
        levels++;
        return fields;
    }

    private void deeper() {
        if (--levels < 0) {
            throw failure("more than " + MAX_DEPTH + " levels (D1)");
        }
    }

    /** As dag-cbor orders the keys of a map: shorter ones first, those as long by their bytes. */
    public static int compareNames(String a, String b) {
        int lengths = Integer.compare(utf8Length(a), utf8Length(b));
        return lengths != 0 ? lengths : Values.compareTexts(a, b);
    }

    private static int utf8Length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                // Each half of a pair of surrogates stands for two of four bytes.
                length += c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
            }
        }
        return length;
    }

    private List<Object> list() throws IOException {
        deeper();
        List<Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(read(token));
        }
        levels++;
        return items;
    }

    private Object integer() throws IOException {
        checkDigits();
        return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                ? Values.of(new BigInteger(parser.getText()))
                : (Object) parser.getLongValue();
    }

    /** Before anything is made of a number: of many digits that would take long. */
    private void checkDigits() throws IOException {
        if (parser.getTextLength() <= MAX_DIGITS) {
            return;
        }
        String number = parser.getText();
        int all = 0;
        int digits = 0;
        int exponent = exponent(number);
        for (int i = 0; i < number.length(); i++) {
            char c = number.charAt(i);
            if (c >= '0' && c <= '9') {
                all++;
                digits += i < exponent && (digits > 0 || c != '0') ? 1 : 0;
            }
        }
        if (digits > MAX_DIGITS || all > MAX_DIGITS_IN_ALL) {
            throw failure("a number of more than " + MAX_DIGITS + " digits (D1)");
        }
    }

    /** Where the exponent of a number begins, or where the number ends. */
    private static int exponent(String number) {
        int e = Math.max(number.indexOf('e'), number.indexOf('E'));
        return e < 0 ? number.length() : e;
    }

    private static boolean isZero(String number) {
        return number.chars().limit(exponent(number)).noneMatch(c -> c > '0' && c <= '9');
    }

    /** A double, where its shortest decimal form is the number that was written; else the decimal number. */
    private Object decimal() throws IOException {
        checkDigits();
        String number = parser.getText();
        BigDecimal written;
        BigDecimal exact;
        try {
            written = new BigDecimal(number);
            // As it is stored: without zeros at its end, which makes its exponent greater.
            exact = Values.of(written.stripTrailingZeros());
        } catch (ArithmeticException | IllegalArgumentException e) {
            if (isZero(number)) {
                return 0.0;
            }
            throw failure("a number is too large or too small");
        }
        double nearest = written.doubleValue();
        return Double.isFinite(nearest) && Decimal.shortest(nearest).compareTo(written) == 0
                ? (Object) Values.of(nearest)
                : exact;
    }

    private DocumentException failure(String what) {
        return failure(text, parser.currentLocation(), what);
    }

    /** @param where null, if that is not known */
    private static DocumentException failure(String text, @Nullable JsonLocation where, String what) {
        if (where == null) {
            return new DocumentException(0, 1, what);
        }
        if (text.stripTrailing().indexOf('\n') >= 0) {
            return new DocumentException(Math.max(1, where.getLineNr()), Math.max(1, where.getColumnNr()), what);
        }
        // A carriage return alone ends a line of JSON, but none of a file.
        return new DocumentException(0, (int) Math.max(0, where.getCharOffset()) + 1, what);
    }
}
