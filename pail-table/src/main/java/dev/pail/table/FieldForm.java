package dev.pail.table;

import java.util.Objects;

/**
 * Which values of a field a condition compares, and an index has. Spec rules T19 and T20.
 *
 * <pre>{@code
 * Filter oslo = Filter.parse("lower(city) == \"oslo\""); // Oslo, OSLO
 * Filter red = Filter.parse("tags[] == \"red\""); // a row whose list tags has this item
 * Index both = Index.parse("lower(city),tags[]");
 * }</pre>
 */
public enum FieldForm {
    /** The value as it is. */
    VALUE,

    /** The lower case of a text, and any other value as it is. Written {@code lower(city)}. */
    LOWER,

    /**
     * Each text, number, boolean and null in a list; nothing of any other value. Written {@code tags[]}. A condition holds if it holds for one of
     * the items.
     */
    ITEMS;

    /** The function of {@link #LOWER}. */
    static final String LOWER_WORD = "lower";

    /** What is behind the path of {@link #ITEMS}. */
    static final String ITEMS_SIGN = "[]";

    /**
     * Returns a field in this form as text.
     *
     * @param path as the text around it has paths
     */
    public String of(String path) {
        Objects.requireNonNull(path, "path");
        return switch (this) {
            case VALUE -> path;
            case LOWER -> LOWER_WORD + "(" + path + ")";
            case ITEMS -> path + ITEMS_SIGN;
        };
    }
}
