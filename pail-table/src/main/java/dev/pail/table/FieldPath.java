package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.table.document.JsonReader;
import dev.pail.table.document.Patches;
import dev.pail.table.index.KeyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The path to a value in a document: names of nested fields, with dots between them in text, as {@code address.city}. A dot or a
 * backslash in a name has a backslash before it.
 *
 * <p>Immutable and equal by its text.
 *
 * <pre>{@code
 * FieldPath city = FieldPath.parse("address.city"); // the field city of the object address
 * FieldPath version = FieldPath.parse("java\\.version"); // one field: java.version
 * }</pre>
 */
@CheckReturnValue
public final class FieldPath implements Comparable<FieldPath> {
    private static final int MAX_LENGTH = 255;

    private final String text;
    private final List<String> names;

    /** The names in UTF-8. */
    private final byte[][] bytes;

    private FieldPath(String text, List<String> names) {
        this.text = text;
        this.names = names;
        this.bytes = names.stream().map(Utf8::encode).toArray(byte[][]::new);
    }

    /**
     * Parses a path.
     *
     * @throws TableException if a name is empty, the text has a unit separator or a lone surrogate, a backslash stands before any
     *     other character than a dot or a backslash, or the text is longer than 255 bytes
     */
    public static FieldPath parse(String text) {
        KeyText.check("field", text);
        if (!isShort(text)) {
            throw malformed(text, "it is longer than " + MAX_LENGTH + " bytes");
        }
        List<String> names = new ArrayList<>();
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                add(names, name, text);
            } else if (c != '\\') {
                name.append(c);
            } else if (++i < text.length() && (text.charAt(i) == '.' || text.charAt(i) == '\\')) {
                name.append(text.charAt(i));
            } else {
                throw malformed(text, "behind a backslash is a dot or another backslash");
            }
        }
        add(names, name, text);
        return new FieldPath(text, List.copyOf(names));
    }

    /** Whether a path is no longer than one may be. */
    static boolean isShort(String text) {
        return text.length() <= MAX_LENGTH && Utf8.encode(text).length <= MAX_LENGTH;
    }

    /** How many names there are on the way. */
    int depth() {
        return names.size();
    }

    private static void add(List<String> names, StringBuilder name, String text) {
        if (name.isEmpty()) {
            throw malformed(text, "a name is missing");
        }
        names.add(name.toString());
        name.setLength(0);
    }

    private static TableException malformed(String text, String why) {
        return new TableException(
                TableException.Reason.NAME, "no path of a field: " + Escapes.brief(text) + ": " + why + " (T4)");
    }

    /** The text. */
    public String text() {
        return text;
    }

    /** The names on the way. */
    List<String> list() {
        return names;
    }

    /** The path of a field in the object at this path, or of one at the top if this is null. */
    static FieldPath below(@Nullable FieldPath path, String name) {
        String last = name.replace("\\", "\\\\").replace(".", "\\.");
        return parse(path == null ? last : path.text + "." + last);
    }

    /** The names on the way, in UTF-8. */
    byte[][] names() {
        return bytes;
    }

    /** What a value is with another one at the end of the way; null for none. */
    Object with(Object tree, @Nullable Object value) {
        return Patches.with(tree, names, value);
    }

    /** What is at the end of the way, or null. */
    @Nullable
    Object in(Object tree) {
        Object at = tree;
        for (String name : names) {
            at = at instanceof Map<?, ?> map ? map.get(name) : null;
            if (at == null) {
                return null;
            }
        }
        return at;
    }

    /** Puts a value at the end of the way. If an object on the way is there already, it has the value. */
    @SuppressWarnings("unchecked")
    void put(Map<String, Object> tree, Object value) {
        Map<String, Object> at = tree;
        for (String name : names.subList(0, names.size() - 1)) {
            Object next = at.computeIfAbsent(name, each -> new TreeMap<String, Object>(JsonReader::compareNames));
            if (!(next instanceof TreeMap<?, ?>)) {
                return;
            }
            at = (Map<String, Object>) next;
        }
        at.putIfAbsent(names.get(names.size() - 1), value);
    }

    @Override
    public int compareTo(FieldPath other) {
        return text.compareTo(other.text);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldPath path && text.equals(path.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The text. */
    @Override
    public String toString() {
        return text;
    }
}
