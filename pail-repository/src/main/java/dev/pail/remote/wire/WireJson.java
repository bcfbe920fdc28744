package dev.pail.remote.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One JSON object as text in UTF-8. It reads values that are text, whole numbers, true and false, null, lists and objects. */
public final class WireJson {
    private static final int MOST_LEVELS = 8;
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private WireJson() {}

    /** Writes the fields of an object. */
    @FunctionalInterface
    public interface Fields {
        /** Writes names and values. */
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** The object. */
    public static byte[] write(Fields fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            fields.writeTo(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** Writes a field that is a list of texts. */
    public static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    /** Writes a field that is a list of CIDs. */
    public static void writeCids(JsonGenerator json, String name, Collection<Cid> cids) throws IOException {
        json.writeArrayFieldStart(name);
        for (Cid cid : cids) {
            json.writeString(cid.toString());
        }
        json.writeEndArray();
    }

    /** @throws MalformedDataException if the bytes are not one JSON object, or one with fractions or more than eight levels */
    static Map<String, Object> read(byte[] bytes) {
        try (JsonParser json = JSON.createParser(bytes)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedDataException(0, "a message is a JSON object");
            }
            Map<String, Object> read = object(json, 1);
            if (json.nextToken() != null) {
                throw new MalformedDataException((int) json.currentLocation().getByteOffset(), "one JSON object");
            }
            return read;
        } catch (IOException e) {
            throw new MalformedDataException(0, "JSON: " + e.getMessage());
        }
    }

    private static Map<String, Object> object(JsonParser json, int level) throws IOException {
        checkLevel(level);
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
            json.nextToken();
            Object value = value(json, level);
            if (value != null) {
                fields.put(name, value);
            }
        }
        return fields;
    }

    private static @Nullable Object value(JsonParser json, int level) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json, level + 1);
            case START_ARRAY -> list(json, level + 1);
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default ->
                throw new MalformedDataException((int) json.currentLocation().getByteOffset(), "numbers are whole");
        };
    }

    private static List<Object> list(JsonParser json, int level) throws IOException {
        checkLevel(level);
        List<Object> items = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            Object item = value(json, level);
            if (item == null) {
                throw new MalformedDataException((int) json.currentLocation().getByteOffset(), "no null in a list");
            }
            items.add(item);
        }
        return items;
    }

    private static void checkLevel(int level) {
        if (level > MOST_LEVELS) {
            throw new MalformedDataException(0, "at most " + MOST_LEVELS + " levels of JSON");
        }
    }
}
