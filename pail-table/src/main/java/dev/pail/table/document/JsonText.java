package dev.pail.table.document;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Writes JSON in one canonical form: without spaces, with as few escapes as there can be, in ASCII where it must. Rule D3. */
public final class JsonText {
    private JsonText() {}

    /** Writes a value as {@link Values} has it. */
    public static String of(Object tree) {
        StringBuilder out = new StringBuilder(256);
        append(out, tree);
        return out.toString();
    }

    private static void append(StringBuilder out, Object tree) {
        if (tree instanceof String text) {
            append(out, text);
        } else if (tree instanceof Number number) {
            number(out, number);
        } else if (Values.isScalar(tree)) {
            out.append(Values.json(tree));
        } else if (tree instanceof List<?> list) {
            char between = '[';
            for (Object item : list) {
                out.append(between);
                append(out, item);
                between = ',';
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else {
            Map<?, ?> map = (Map<?, ?>) tree;
            char between = '{';
            for (Map.Entry<?, ?> field : map.entrySet()) {
                out.append(between);
                append(out, (String) field.getKey());
                out.append(':');
                append(out, field.getValue());
                between = ',';
            }
            out.append(map.isEmpty() ? "{}" : "}");
        }
    }

    /** A number that was written with a point keeps one, and an integer has none, so that each is stored as it was when it is read again. */
    private static void number(StringBuilder out, Number number) {
        if (Values.isInteger(number)) {
            out.append(number);
            return;
        }
        String json = Values.decimal(number).json();
        out.append(json);
        if (isPlainInteger(json)) {
            out.append(".0");
        }
    }

    private static boolean isPlainInteger(String json) {
        return json.indexOf('.') < 0 && json.indexOf('e') < 0;
    }

    public static void append(StringBuilder out, String text) {
        out.append('"');
        int plain = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c)) {
                continue;
            }
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                continue;
            }
            out.append(text, plain, i);
            plain = i + 1;
            escape(out, c);
        }
        out.append(text, plain, text.length()).append('"');
    }

    private static void escape(StringBuilder out, char c) {
        switch (c) {
            case '"', '\\' -> out.append('\\').append(c);
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append("\\u").append(HexFormat.of().toHexDigits(c));
        }
    }
}
