package dev.pail.table.document;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes of fields in values as {@link Values} has them. They are nested no deeper than a document is, which bounds the recursion. */
public final class Patches {
    private Patches() {}

    /** What a JSON merge patch (RFC 7396) makes of a value; null stands for no value. */
    public static Object merged(@Nullable Object target, Object patch) {
        if (!(patch instanceof Map<?, ?> changes)) {
            return patch;
        }
        Map<String, Object> fields = fields(target);
        changes.forEach((name, change) -> {
            if (change == Values.NULL) {
                fields.remove((String) name);
            } else {
                fields.put((String) name, merged(fields.get((String) name), change));
            }
        });
        return fields;
    }

    /** The value with another one at a path, null for none. A value on the way that is no object is replaced by one. */
    public static Object with(@Nullable Object target, List<String> path, @Nullable Object value) {
        Map<String, Object> fields = fields(target);
        String name = path.get(0);
        Object before = fields.get(name);
        if (path.size() > 1) {
            if (value != null || before instanceof Map) {
                fields.put(name, with(before, path.subList(1, path.size()), value));
            }
        } else if (value == null) {
            fields.remove(name);
        } else {
            fields.put(name, value);
        }
        return fields;
    }

    private static Map<String, Object> fields(@Nullable Object target) {
        Map<String, Object> fields = new TreeMap<>(JsonReader::compareNames);
        if (target instanceof Map<?, ?> map) {
            map.forEach((name, value) -> fields.put((String) name, value));
        }
        return fields;
    }
}
