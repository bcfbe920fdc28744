package dev.pail.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** JSON as maps, lists, texts, numbers and booleans. */
@SuppressWarnings("unchecked")
public final class JsonValues {
    private JsonValues() {}

    public static Map<String, Object> object(byte[] json) {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            return (Map<String, Object>) value(parser);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The objects of a field of an object. */
    public static List<Map<String, Object>> objects(Map<String, Object> object, String field) {
        List<Map<String, Object>> found = new ArrayList<>();
        for (Object each : (List<?>) Objects.requireNonNull(object.get(field), () -> field + " of " + object)) {
            found.add((Map<String, Object>) each);
        }
        return found;
    }

    private static Object value(JsonParser parser) throws IOException {
        JsonToken token = Objects.requireNonNull(parser.currentToken());
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> object = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                object.put(name, value(parser));
            }
            return object;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                list.add(value(parser));
            }
            return list;
        }
        return token == JsonToken.VALUE_NUMBER_INT ? (Object) parser.getLongValue() : parser.getText();
    }
}
