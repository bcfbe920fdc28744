package dev.pail.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines for {@code pail apply}, in ASCII alone, so that any key survives. */
public final class Line {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private Line() {}

    public static String put(String key, String value) {
        return write(putting(key, value));
    }

    public static String put(String key, int number) {
        return put(key, Shell.cid(number));
    }

    public static String delete(String key) {
        return write(fields("op", "del", "key", key));
    }

    public static String batch(List<Map<String, Object>> ops) {
        return write(fields("op", "batch", "ops", ops));
    }

    /** The fields of a put, for a batch. */
    public static Map<String, Object> putting(String key, String value) {
        return fields("op", "put", "key", key, "value", value);
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private static String write(Map<String, Object> fields) {
        try {
            return JSON.writeValueAsString(fields) + "\n";
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
