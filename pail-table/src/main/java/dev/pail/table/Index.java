package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of an index: its fields in order, each ascending or descending, whether it is unique, and which fields it covers. Spec rules
 * T11 to T13.
 *
 * <p>As text, an index has its fields with commas between them, and {@code desc} behind a descending one: {@code city,age desc}. In place of a
 * path, there can be the lower case of its texts, {@code lower(city)}, or the items of its list, {@code tags[]}. A comma, a space, {@code (} or
 * {@code [} in a path has a backslash before it there.
 *
 * <p>Immutable and safe for use by several threads. Two indexes are equal if their fields and properties are.
 *
 * <pre>{@code
 * Table people = Tables.of(pail).table("people")
 *         .createIndex(Index.parse("city,age desc")) // answers conditions on city, or on city and age
 *         .createIndex(Index.parse("email").unique()); // refuses a second row with the same email
 * }</pre>
 */
@CheckReturnValue
public final class Index {
    /** The most fields of an index. */
    public static final int MAX_FIELDS = 8;

    private static final int MAX_NAME = 255;
    private static final String DESCENDING = " desc";
    private static final String ASCENDING = " asc";

    /** What begins another thing than a path. */
    private static final String BRACKETS = "([";

    /** What has a backslash before it in a path. */
    private static final String ESCAPED = ", " + BRACKETS;

    /**
     * A field of an index.
     *
     * @param form which values of the field the index has
     * @param isDescending whether the index has greater values first
     */
    public record Field(FieldPath path, FieldForm form, boolean isDescending) {
        public Field {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(form, "form");
        }

        /** A field whose value the index has as it is. */
        public Field(FieldPath path, boolean isDescending) {
            this(path, FieldForm.VALUE, isDescending);
        }

        /** The path in its form, and {@code desc} if the field is descending. */
        @Override
        public String toString() {
            return form.of(escaped(path.text())) + (isDescending ? DESCENDING : "");
        }
    }

    private final List<Field> fields;
    private final boolean isUnique;
    private final List<FieldPath> included;

    private Index(List<Field> fields, boolean isUnique, List<FieldPath> included) {
        this.fields = fields;
        this.isUnique = isUnique;
        this.included = included;
    }

    /** Returns an index on one ascending field. */
    public static Index on(FieldPath field) {
        return new Index(List.of(new Field(field, false)), false, List.of());
    }

    /**
     * Returns an index on several fields.
     *
     * @param fields 1 to 8, no path twice, at most one of them {@link FieldForm#ITEMS}
     * @throws TableException if there are none or more than 8, a path is there twice, two are lists, or the name is longer than 255 bytes
     */
    public static Index on(List<Field> fields) {
        List<Field> all = List.copyOf(Objects.requireNonNull(fields, "fields"));
        Index index = all.isEmpty() ? null : new Index(all, false, List.of());
        if (index == null || all.size() > MAX_FIELDS) {
            throw malformed(all.toString(), "it has 1 to " + MAX_FIELDS + " fields, not " + all.size());
        }
        if (all.stream().map(Field::path).distinct().count() < all.size()) {
            throw malformed(index.name(), "a field is there twice");
        }
        if (all.stream().filter(field -> field.form == FieldForm.ITEMS).count() > 1) {
            throw malformed(index.name(), "two fields are the items of lists, and an index has one such field at most");
        }
        if (Utf8.encode(index.name()).length > MAX_NAME) {
            throw malformed(index.name(), "it is longer than " + MAX_NAME + " bytes");
        }
        return index;
    }

    /**
     * Parses the fields of an index: paths with commas between them, each alone, as {@code lower(city)}, or as {@code tags[]} (see
     * {@link FieldForm}). Behind a field, {@code desc} makes it descending, and {@code asc} ascending.
     *
     * @throws TableException if the text is no such list, or {@link #on(List)} throws it
     */
    public static Index parse(String text) {
        List<Field> fields = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || (text.charAt(i) == ',' && !isEscaped(text, i))) {
                fields.add(field(text.substring(start, i)));
                start = i + 1;
            }
        }
        return on(fields);
    }

    private static Field field(String text) {
        int from = 0;
        int end = text.length();
        while (from < end && text.charAt(from) == ' ') {
            from++;
        }
        while (end > from && text.charAt(end - 1) == ' ' && !isEscaped(text, end - 1)) {
            end--;
        }
        String path = text.substring(from, end);
        boolean isDescending = endsWith(path, DESCENDING);
        String direction = isDescending ? DESCENDING : endsWith(path, ASCENDING) ? ASCENDING : "";
        String term = path.substring(0, path.length() - direction.length());
        String function = FieldForm.LOWER_WORD + "(";
        String items = FieldForm.ITEMS_SIGN;
        if (term.endsWith(items) && !isEscaped(term, term.length() - items.length())) {
            return new Field(path(term.substring(0, term.length() - items.length())), FieldForm.ITEMS, isDescending);
        }
        if (term.startsWith(function) && term.endsWith(")")) {
            return new Field(path(term.substring(function.length(), term.length() - 1)), FieldForm.LOWER, isDescending);
        }
        return new Field(path(term), isDescending);
    }

    private static FieldPath path(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (BRACKETS.indexOf(text.charAt(i)) >= 0 && !isEscaped(text, i)) {
                throw malformed(
                        text,
                        "a field is a path, lower(PATH) or PATH[], and a bracket in a path has a backslash before it");
            }
        }
        return FieldPath.parse(unescaped(text));
    }

    private static boolean endsWith(String path, String direction) {
        return path.endsWith(direction) && !isEscaped(path, path.length() - direction.length());
    }

    /** Whether an odd number of backslashes stands before a character. */
    private static boolean isEscaped(String text, int at) {
        int first = at;
        while (first > 0 && text.charAt(first - 1) == '\\') {
            first--;
        }
        return (at - first) % 2 == 1;
    }

    private static String unescaped(String text) {
        StringBuilder path = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            boolean isPair = c == '\\' && i + 1 < text.length();
            char last = isPair ? text.charAt(i + 1) : c;
            if (isPair && ESCAPED.indexOf(last) < 0) {
                path.append(c);
            }
            path.append(last);
            i += isPair ? 2 : 1;
        }
        return path.toString();
    }

    private static String escaped(String path) {
        StringBuilder text = new StringBuilder(path.length());
        path.codePoints()
                .forEach(c -> text.append(ESCAPED.indexOf(c) < 0 ? "" : "\\").appendCodePoint(c));
        return text.toString();
    }

    private static TableException malformed(String text, String why) {
        return new TableException(
                TableException.Reason.NAME, "no index is " + Escapes.brief(text) + ": " + why + " (T11)");
    }

    /** Returns the index that refuses two rows with the same values in all its fields. */
    public Index unique() {
        return new Index(fields, true, included);
    }

    /**
     * Returns the index that also has the values of other fields, so that a query of these fields needs no documents: see
     * {@link Row#document(Collection)}. A row whose values take more than about 1,000 bytes is read all the same.
     *
     * @param more fields in any order. Those of the index need not be named
     */
    public Index include(List<FieldPath> more) {
        SortedSet<FieldPath> paths = new TreeSet<>(included);
        paths.addAll(Objects.requireNonNull(more, "more"));
        fields.forEach(field -> paths.remove(field.path));
        return new Index(fields, isUnique, List.copyOf(paths));
    }

    /** The fields, in the order in which the index compares them. */
    public List<Field> fields() {
        return fields;
    }

    /** Whether two rows may not have the same values in all fields. */
    public boolean isUnique() {
        return isUnique;
    }

    /** The other fields that the entries of the index have, in order. */
    public List<FieldPath> included() {
        return included;
    }

    /** The fields whose values the entries of a covering index have: those of the index, and those that it includes. */
    public List<FieldPath> covered() {
        List<FieldPath> all = new ArrayList<>();
        if (!included.isEmpty()) {
            fields.forEach(field -> all.add(field.path));
            all.addAll(included);
        }
        return all;
    }

    /** Whether the index is on the value of one ascending field, and nothing else is said of it. Version 0.2 understands these. */
    public boolean isPlain() {
        return fields.size() == 1
                && !fields.get(0).isDescending
                && fields.get(0).form == FieldForm.VALUE
                && !isUnique
                && included.isEmpty();
    }

    /** The fields as {@link #parse} takes them. A table has at most one index of a name. */
    public String name() {
        return fields.stream().map(Field::toString).collect(Collectors.joining(","));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Index index
                && fields.equals(index.fields)
                && isUnique == index.isUnique
                && included.equals(index.included);
    }

    @Override
    public int hashCode() {
        return Objects.hash(fields, isUnique, included);
    }

    /** The path of a plain index; else the name and the properties, as {@code city,age desc unique include name}. */
    @Override
    public String toString() {
        if (isPlain()) {
            return fields.get(0).path.text();
        }
        String include = included.stream().map(path -> escaped(path.text())).collect(Collectors.joining(","));
        return name() + (isUnique ? " unique" : "") + (include.isEmpty() ? "" : " include " + include);
    }
}
