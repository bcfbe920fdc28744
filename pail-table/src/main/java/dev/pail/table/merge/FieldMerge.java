package dev.pail.table.merge;

import dev.pail.table.document.JsonReader;
import dev.pail.table.document.Values;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The merge of documents field by field: objects recursively, all other values as a whole. Rule D6. Values are as {@link Values} has
 * them. They are nested no deeper than a document is, which bounds the recursion.
 */
public final class FieldMerge {
    private FieldMerge() {}

    /**
     * Merges two objects.
     *
     * @param base the object that both come from; an empty one, if there is none
     * @return null if both changed a field in different ways
     */
    public static @Nullable Map<String, Object> of(Map<?, ?> base, Map<?, ?> ours, Map<?, ?> theirs) {
        SortedSet<String> names = new TreeSet<>(JsonReader::compareNames);
        ours.keySet().forEach(name -> names.add((String) name));
        theirs.keySet().forEach(name -> names.add((String) name));
        Map<String, Object> merged = new TreeMap<>(JsonReader::compareNames);
        for (String name : names) {
            Object before = base.get(name);
            Object our = ours.get(name);
            Object their = theirs.get(name);
            Object value;
            if (our instanceof Map<?, ?> ourMap && their instanceof Map<?, ?> theirMap) {
                // Not compared as a whole first: each level would compare all that is below it.
                value = of(before instanceof Map<?, ?> map ? map : Map.of(), ourMap, theirMap);
                if (value == null) {
                    return null;
                }
            } else if (isSame(our, before)) {
                value = their;
            } else if (isSame(their, before) || isSame(our, their)) {
                value = our;
            } else {
                return null;
            }
            if (value != null) {
                merged.put(name, value);
            }
        }
        return merged;
    }

    /** Whether two values have the same text as JSON (spec rule D3). Null stands for no value. */
    private static boolean isSame(@Nullable Object a, @Nullable Object b) {
        if (a == null || b == null) {
            return a == b;
        }
        if (a instanceof Number && b instanceof Number) {
            return Values.isInteger(a) == Values.isInteger(b) && Values.compare(a, b) == 0;
        }
        if (a instanceof List<?> list && b instanceof List<?> other) {
            Iterator<?> items = other.iterator();
            return list.size() == other.size() && list.stream().allMatch(item -> isSame(item, items.next()));
        }
        if (a instanceof Map<?, ?> map && b instanceof Map<?, ?> other) {
            return map.size() == other.size()
                    && map.entrySet().stream().allMatch(field -> isSame(field.getValue(), other.get(field.getKey())));
        }
        return a.equals(b);
    }
}
