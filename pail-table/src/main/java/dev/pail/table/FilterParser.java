package dev.pail.table;

import dev.pail.Escapes;
import dev.pail.table.document.JsonReader;
import dev.pail.table.document.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a {@link Filter} from its text. Rule Q1. */
final class FilterParser {
    private static final Set<String> WORDS =
            Set.of("and", "or", "not", "in", "starts", "contains", "exists", "true", "false", "null");
    private static final int MAX_DEPTH = 100;

    /** What ends a name that is not quoted, besides spaces. */
    private static final String ENDS = "()[],=!<>\"'`";

    private final String text;
    private int next;
    private int depth = 1;

    FilterParser(String text) {
        this.text = text;
    }

    /** A field as a filter has it: its path between back quotes, where it would be taken for something else. */
    static String quote(FieldPath field, FieldForm form) {
        return form.of(quote(field));
    }

    private static String quote(FieldPath field) {
        String path = field.text();
        boolean plain =
                !isWord(path) && path.codePoints().noneMatch(c -> Character.isWhitespace(c) || ENDS.indexOf(c) >= 0);
        return plain ? path : "`" + path.replace("`", "``") + "`";
    }

    Filter parse() {
        Filter filter = or();
        spaces();
        if (next < text.length()) {
            throw expected("and, or, or the end");
        }
        return filter;
    }

    private Filter or() {
        List<Filter> filters = new ArrayList<>(List.of(and()));
        while (word("or")) {
            filters.add(and());
        }
        return filters.size() == 1 ? filters.get(0) : new Filter.Or(filters);
    }

    private Filter and() {
        List<Filter> filters = new ArrayList<>(List.of(one()));
        while (word("and")) {
            filters.add(one());
        }
        return filters.size() == 1 ? filters.get(0) : new Filter.And(filters);
    }

    private Filter one() {
        int outer = depth;
        int negations = 0;
        while (word("not")) {
            negations++;
            deeper();
        }
        Filter filter;
        if (sign("(")) {
            // Behind a not, brackets may have been put there by the filter's own text.
            if (negations == 0) {
                deeper();
            }
            filter = or();
            if (!sign(")")) {
                throw expected("and, or, or a closing bracket");
            }
        } else {
            filter = word("exists") ? exists() : condition();
        }
        for (; negations > 0; negations--) {
            filter = new Filter.Not(filter);
        }
        depth = outer;
        return filter;
    }

    private void deeper() {
        if (++depth > MAX_DEPTH) {
            throw expected("no more than " + MAX_DEPTH + " conditions, in brackets or behind not, within each other");
        }
    }

    /** A field, and which of its values count. */
    private record Term(FieldPath field, FieldForm form) {}

    private Filter exists() {
        Term term = term();
        return new Filter.Exists(term.field, term.form);
    }

    private Filter condition() {
        Term term = term();
        FieldPath field = term.field;
        FieldForm form = term.form;
        if (word("in")) {
            return new Filter.In(field, form, values());
        }
        if (word("starts")) {
            spaces();
            int from = next;
            Scalar start = value();
            if (!(start.value instanceof String prefix)) {
                next = from;
                throw expected("a text behind starts");
            }
            return new Filter.Starts(field, form, prefix);
        }
        if (word("contains")) {
            return new Filter.Contains(field, form, value());
        }
        return new Filter.Compare(field, form, comparison(), value());
    }

    private Filter.Comparison comparison() {
        for (Filter.Comparison comparison : Filter.Comparison.values()) {
            if (sign(comparison.sign)) {
                return comparison;
            }
        }
        // As in SQL.
        if (sign("=")) {
            return Filter.Comparison.EQUAL;
        }
        throw expected("==, !=, <, <=, >, >=, in, starts or contains");
    }

    private List<Scalar> values() {
        List<Scalar> values = new ArrayList<>();
        if (!sign("[")) {
            throw expected("values between [ and ]");
        }
        if (sign("]")) {
            return values;
        }
        do {
            values.add(value());
        } while (sign(","));
        if (!sign("]")) {
            throw expected("a comma or ]");
        }
        return values;
    }

    private Term term() {
        int from = next;
        if (word(FieldForm.LOWER_WORD) && sign("(")) {
            Term term = new Term(field(), FieldForm.LOWER);
            if (!sign(")")) {
                throw expected("a closing bracket behind the field");
            }
            return term;
        }
        next = from;
        FieldPath field = field();
        if (!sign(FieldForm.ITEMS_SIGN)) {
            return new Term(field, FieldForm.VALUE);
        }
        if (next < text.length() && text.charAt(next) == '.') {
            throw expected("a path ends with its []: a condition");
        }
        return new Term(field, FieldForm.ITEMS);
    }

    private FieldPath field() {
        spaces();
        int from = next;
        if (next < text.length() && text.charAt(next) == '`') {
            return path(from, quoted('`').replace("``", "`"));
        }
        String name = bare();
        if (name.isEmpty() || isWord(name)) {
            next = from;
            throw expected("a field");
        }
        return path(from, name);
    }

    private static FieldPath path(int from, String path) {
        try {
            return FieldPath.parse(path);
        } catch (TableException e) {
            throw malformed(from, e.getMessage());
        }
    }

    /** A value in JSON; or a text between single quotes, in which two stand for one. */
    private Scalar value() {
        spaces();
        int from = next;
        if (next < text.length() && text.charAt(next) == '\'') {
            return Scalar.of(quoted('\'').replace("''", "'"));
        }
        String json = next < text.length() && text.charAt(next) == '"' ? jsonText() : bare();
        try {
            Object value = JsonReader.value(json);
            if (Values.isScalar(value)) {
                return new Scalar(value);
            }
        } catch (DocumentException e) {
            // What is expected is said below.
            next = from;
        }
        next = from;
        throw expected("a value: a text in quotes, a number, true, false or null");
    }

    private String jsonText() {
        int from = next;
        for (next++; next < text.length() && text.charAt(next) != '"'; next++) {
            if (text.charAt(next) == '\\') {
                next++;
            }
        }
        next = Math.min(text.length(), next + 1);
        return text.substring(from, next);
    }

    private String quoted(char quote) {
        int from = ++next;
        while (next < text.length()) {
            if (text.charAt(next++) == quote) {
                if (next == text.length() || text.charAt(next) != quote) {
                    return text.substring(from, next - 1);
                }
                next++;
            }
        }
        throw expected("a closing " + quote);
    }

    private String bare() {
        int from = next;
        while (next < text.length() && !isEnd(text.charAt(next))) {
            next++;
        }
        return text.substring(from, next);
    }

    private static boolean isEnd(char c) {
        return Character.isWhitespace(c) || ENDS.indexOf(c) >= 0;
    }

    private boolean word(String word) {
        spaces();
        int end = next + word.length();
        if (!isAt(text, next, word) || (end < text.length() && !isEnd(text.charAt(end)))) {
            return false;
        }
        next = end;
        return true;
    }

    private static boolean isWord(String name) {
        return WORDS.stream().anyMatch(word -> word.length() == name.length() && isAt(name, 0, word));
    }

    /** Whether a word is there, in upper or lower case. These differ in one bit for letters of ASCII, and for no others. */
    private static boolean isAt(String text, int from, String word) {
        if (word.length() > text.length() - from) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if ((text.charAt(from + i) | ('a' ^ 'A')) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean sign(String sign) {
        spaces();
        if (!text.startsWith(sign, next)) {
            return false;
        }
        next += sign.length();
        return true;
    }

    private void spaces() {
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
    }

    private TableException expected(String what) {
        String found = next >= text.length() ? "the end" : Escapes.brief(text.substring(next));
        return malformed(next, what + " is expected, not " + found);
    }

    private static TableException malformed(int at, @Nullable String why) {
        return new TableException(TableException.Reason.FILTER, "not a filter, at column " + (at + 1) + ": " + why);
    }
}
