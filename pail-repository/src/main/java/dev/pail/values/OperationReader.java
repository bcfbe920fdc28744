package dev.pail.values;

import com.fasterxml.jackson.core.Base64Variant;
import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads operations, which are JSON objects: {@code {"op":"put","key":KEY}} with a {@code value}, a {@code text}, {@code base64} or a
 * {@code file}; {@code {"op":"del","key":KEY}}; or {@code {"op":"batch","ops":[...]}} of these. With {@code "if":CID}, a put or del is
 * made if the key has that value then, and a put with {@code "ifAbsent":true} if it has none. Immutable.
 */
public final class OperationReader {
    /** Names are not kept: of those that are not known, in any number of operations, they would be too many. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private static final Base64Variant BASE64 =
            Base64Variants.MIME_NO_LINEFEEDS.withReadPadding(Base64Variant.PaddingReadBehaviour.PADDING_ALLOWED);

    private final Values values;

    /** A put or a delete. */
    @FunctionalInterface
    public interface Change {
        /** Makes the change. */
        void applyTo(Batch batch);
    }

    /** A value of a put. */
    @FunctionalInterface
    public interface Value {
        /** Gives it to a key. */
        void put(Batch batch, String key);
    }

    /** What must hold for a key when it is changed. */
    private interface Condition {
        void check(Batch batch, String key);
    }

    /** Values that each program reads in its own way. */
    @FunctionalInterface
    public interface Values {
        /** The value with a CID. */
        Value cid(String text);

        /**
         * A value that is no text. The parser is at its first token, and is left at its last. By default there is none.
         *
         * @throws MalformedOperationException if there is no such value
         * @throws IOException if it is not JSON
         */
        default Value json(JsonParser json) throws IOException {
            throw new MalformedOperationException("\"value\" is no text");
        }

        /** The bytes of a file. By default an operation names none. */
        default Value file(String path) {
            throw unknown("file");
        }
    }

    /** A reader for the values of one program. */
    public OperationReader(Values values) {
        this.values = values;
    }

    /** A parser of a text. */
    public static JsonParser parser(String text) throws IOException {
        return JSON.createParser(text);
    }

    /** A parser of a text in UTF-8. */
    public static JsonParser parser(byte[] text) throws IOException {
        return JSON.createParser(text);
    }

    /**
     * Reads the operation that begins at the current token, and passes its changes on. Some may be passed on before a mistake is found.
     *
     * @throws MalformedOperationException if it is none
     * @throws IOException if it is not JSON
     */
    public void read(JsonParser json, Consumer<Change> changes) throws IOException {
        read(json, Place.ALONE, changes);
    }

    private enum Place {
        ALONE,
        IN_A_BATCH
    }

    private void read(JsonParser json, Place place, Consumer<Change> changes) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new MalformedOperationException("an object is expected");
        }
        String op = null;
        String key = null;
        Value value = null;
        Condition condition = null;
        boolean hasOps = false;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken token = json.nextToken();
            if (name.equals("ops") && token == JsonToken.START_ARRAY) {
                hasOps = true;
                readAll(json, place, changes);
            } else if (name.equals("value") && token != JsonToken.VALUE_STRING && value == null) {
                value = values.json(json);
            } else if (name.equals("ifAbsent") && token == JsonToken.VALUE_TRUE && condition == null) {
                condition = (batch, of) -> batch.expect(of, Optional.empty());
            } else if (token != JsonToken.VALUE_STRING) {
                throw new MalformedOperationException(
                        Escapes.brief(name) + (name.equals("ifAbsent") ? " is true, or left out" : " is no text"));
            } else if (name.equals("if") && condition == null) {
                Cid expected = cid(json.getText());
                condition = (batch, of) -> batch.expect(of, Optional.of(expected));
            } else if (name.equals("op")) {
                op = json.getText();
            } else if (name.equals("key")) {
                key = json.getText();
            } else if (value != null && isValue(name)) {
                throw new MalformedOperationException("a put has one value");
            } else {
                value = value(name, json.getText());
            }
        }
        Change change = change(op, key, value, condition, hasOps);
        if (change != null) {
            changes.accept(change);
        }
    }

    private void readAll(JsonParser json, Place place, Consumer<Change> changes) throws IOException {
        if (place == Place.IN_A_BATCH) {
            throw new MalformedOperationException("a batch within a batch");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            read(json, Place.IN_A_BATCH, changes);
        }
    }

    private static boolean isValue(String name) {
        return name.equals("value") || name.equals("text") || name.equals("base64") || name.equals("file");
    }

    private Value value(String name, String text) {
        return switch (name) {
            case "value" -> values.cid(text);
            case "file" -> values.file(text);
            case "text" -> bytes(utf8(text));
            case "base64" -> bytes(base64(text));
            default -> throw unknown(name);
        };
    }

    private static Value bytes(byte[] bytes) {
        return (batch, key) -> batch.putBytes(key, bytes);
    }

    private static MalformedOperationException unknown(String name) {
        return new MalformedOperationException("no " + Escapes.brief(name) + " is known");
    }

    private static byte[] utf8(String text) {
        if (Utf8.loneSurrogate(text) >= 0) {
            throw new MalformedOperationException("the text has half of a character, a lone surrogate");
        }
        return Utf8.encode(text);
    }

    private static byte[] base64(String text) {
        try {
            return BASE64.decode(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedOperationException("\"base64\" is not base64: " + e.getMessage());
        }
    }

    private static Cid cid(String text) {
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            throw new MalformedOperationException("\"if\" is no CID: " + Escapes.brief(text));
        }
    }

    /** What an operation does by itself; null for a batch. */
    private static @Nullable Change change(
            @Nullable String op,
            @Nullable String key,
            @Nullable Value value,
            @Nullable Condition condition,
            boolean hasOps) {
        if ("batch".equals(op) && key == null && value == null && condition == null && hasOps) {
            return null;
        }
        Change change = key == null || hasOps ? null : change(op, key, value);
        if (change == null || key == null) {
            throw new MalformedOperationException("put has a key and a value, del a key, batch has ops; this is "
                    + (op == null ? "without op" : Escapes.brief(op)));
        }
        return condition == null
                ? change
                : batch -> {
                    condition.check(batch, key);
                    change.applyTo(batch);
                };
    }

    private static @Nullable Change change(@Nullable String op, String key, @Nullable Value value) {
        if ("put".equals(op) && value != null) {
            return batch -> value.put(batch, key);
        }
        return "del".equals(op) && value == null ? batch -> batch.delete(key) : null;
    }
}
