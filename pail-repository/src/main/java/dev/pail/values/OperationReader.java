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
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads operations, which are JSON objects: {@code {"op":"put","key":KEY}} with a {@code value}, a {@code text}, {@code base64} or a
 * {@code file}; {@code {"op":"del","key":KEY}}; or {@code {"op":"batch","ops":[...]}} of these. Immutable.
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
        boolean hasOps = false;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken token = json.nextToken();
            if (name.equals("ops") && token == JsonToken.START_ARRAY) {
                hasOps = true;
                readAll(json, place, changes);
            } else if (name.equals("value") && token != JsonToken.VALUE_STRING && value == null) {
                value = values.json(json);
            } else if (token != JsonToken.VALUE_STRING) {
                throw new MalformedOperationException(Escapes.brief(name) + " is no text");
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
        finish(op, key, value, hasOps, changes);
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

    private static void finish(
            @Nullable String op,
            @Nullable String key,
            @Nullable Value value,
            boolean hasOps,
            Consumer<Change> changes) {
        if ("put".equals(op) && key != null && value != null && !hasOps) {
            changes.accept(batch -> value.put(batch, key));
        } else if ("del".equals(op) && key != null && value == null && !hasOps) {
            changes.accept(batch -> batch.delete(key));
        } else if (!"batch".equals(op) || key != null || value != null || !hasOps) {
            throw new MalformedOperationException("put has a key and a value, del a key, batch has ops; this is "
                    + (op == null ? "without op" : Escapes.brief(op)));
        }
    }
}
