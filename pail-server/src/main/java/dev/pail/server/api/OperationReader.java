package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.ipld.Cid;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads operations: JSON objects behind each other, as one a line, or in one array. Each is {@code {"op":"put","key":KEY}} with a
 * {@code value}, a {@code text} or {@code base64}; {@code {"op":"del","key":KEY}}; or {@code {"op":"batch","ops":[...]}} of these. It holds one
 * operation at a time. For one use.
 */
final class OperationReader {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private static final Set<String> FIELDS = Set.of("op", "key", "value", "text", "base64");

    private final JsonParser parser;
    private final Batch batch;
    private long number;

    private OperationReader(JsonParser parser, Batch batch) {
        this.parser = parser;
        this.batch = batch;
    }

    /**
     * Applies all operations of a text in UTF-8 to a batch.
     *
     * @throws Refusal if it is malformed, or the format does not take a key; it says which operation
     */
    static void apply(byte[] text, Batch batch) {
        try (JsonParser parser = JSON.createParser(text)) {
            new OperationReader(parser, batch).readAll();
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String place = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
            throw malformed(place + e.getOriginalMessage().lines().findFirst().orElse("not JSON"));
        } catch (IOException e) {
            throw malformed("not JSON in UTF-8: " + e.getMessage());
        }
    }

    private static Refusal malformed(String message) {
        return Refusal.malformed("the operations are malformed: " + message);
    }

    private Refusal wrong(String message) {
        return malformed("operation " + number + ": " + message);
    }

    private void readAll() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                read();
            }
            if (parser.nextToken() != null) {
                throw malformed("something is behind the array");
            }
            return;
        }
        for (JsonToken token = first; token != null; token = parser.nextToken()) {
            read();
        }
    }

    private void read() throws IOException {
        number++;
        try {
            readOne(Place.ALONE);
        } catch (PailException e) {
            throw Refusal.of(e).at("operation " + number);
        }
    }

    private enum Place {
        ALONE,
        IN_A_BATCH
    }

    private void readOne(Place place) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw wrong("an object is expected");
        }
        Map<String, String> fields = new HashMap<>();
        boolean hasOps = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (name.equals("ops") && token == JsonToken.START_ARRAY && place == Place.ALONE) {
                hasOps = true;
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    readOne(Place.IN_A_BATCH);
                }
            } else if (!FIELDS.contains(name)) {
                throw wrong("no field " + Escapes.brief(name) + " is known here");
            } else if (token != JsonToken.VALUE_STRING) {
                throw wrong("the field " + name + " is no text");
            } else {
                fields.put(name, parser.getText());
            }
        }
        apply(fields, hasOps);
    }

    private void apply(Map<String, String> fields, boolean hasOps) {
        String op = fields.getOrDefault("op", "");
        String key = fields.get("key");
        if (op.equals("put") && key != null && fields.size() == 3 && !hasOps) {
            put(key, fields);
        } else if (op.equals("del") && key != null && fields.size() == 2 && !hasOps) {
            batch.delete(key);
        } else if (!op.equals("batch") || fields.size() > 1 || !hasOps) {
            throw wrong("put has a key and one of value, text and base64, del has a key, batch has ops");
        }
    }

    private void put(String key, Map<String, String> fields) {
        String cid = fields.get("value");
        String text = fields.get("text");
        if (cid != null) {
            batch.put(key, cid(cid));
        } else {
            batch.putBytes(key, text != null ? utf8(text) : base64(String.valueOf(fields.get("base64"))));
        }
    }

    private Cid cid(String text) {
        return RequestedVersions.parse(text).orElseThrow(() -> wrong("the value is no CID: " + Escapes.brief(text)));
    }

    private byte[] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        } catch (CharacterCodingException e) {
            throw wrong("the text has half of a character, a lone surrogate");
        }
    }

    private byte[] base64(String text) {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw wrong("the field base64 is not base64: " + e.getMessage());
        }
    }
}
