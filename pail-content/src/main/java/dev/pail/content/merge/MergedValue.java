package dev.pail.content.merge;

import dev.pail.bytes.Utf8;
import dev.pail.content.Content;
import dev.pail.content.lines.TextMerge;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The value that holds what both sides changed in one (spec rules VM4 and VM5). Does not depend on which side is ours. */
final class MergedValue {
    private MergedValue() {}

    /**
     * Merges two values.
     *
     * @param base the value before; empty if the key had none
     * @return empty if the values have a conflict, or are not of these kinds
     */
    static Optional<Block> of(Set<ValueKind> kinds, Optional<ReadValue> base, ReadValue first, ReadValue second) {
        boolean isText = first.text().isPresent() && second.text().isPresent();
        if (kinds.contains(ValueKind.JSON)
                && first.document().isPresent()
                && second.document().isPresent()
                && isText == (first.text().isPresent() || second.text().isPresent())
                && base.map(value -> value.document().isPresent()).orElse(true)) {
            Optional<Document> merged = Document.merge(
                    base.flatMap(ReadValue::document),
                    first.document().get(),
                    second.document().get());
            return isText
                    ? merged.flatMap(fields -> json(fields, lines(base, first, second), first))
                    : merged.map(Document::block);
        }
        return kinds.contains(ValueKind.TEXT) && isText
                ? lines(base, first, second).flatMap(MergedValue::text)
                : Optional.empty();
    }

    /** The text that has the lines of both sides, if all three are texts and no place is in conflict. Rule VM4. */
    private static Optional<String> lines(Optional<ReadValue> base, ReadValue first, ReadValue second) {
        if (base.isPresent() && base.get().text().isEmpty()) {
            return Optional.empty();
        }
        List<String> before = split(base.flatMap(ReadValue::text));
        List<String> left = split(first.text());
        List<String> right = split(second.text());
        boolean isLong = Math.max(before.size(), Math.max(left.size(), right.size())) > TextMerge.MOST_LINES;
        return isLong
                ? Optional.empty()
                : TextMerge.of(before, left, right).merged().map(lines -> String.join("", lines));
    }

    private static List<String> split(Optional<String> text) {
        return text.map(all -> Content.Text.of(all).lines()).orElse(List.of());
    }

    /** A block with a text, if that can be merged again. */
    static Optional<Block> text(String text) {
        byte[] bytes = Utf8.encode(text);
        return bytes.length > Content.MOST_BYTES ? Optional.empty() : Optional.of(Block.of(Cid.RAW, bytes));
    }

    /**
     * A text with these fields. The lines of both sides keep the form that people gave it, if they have the same fields. Otherwise it is
     * written anew. Rule VM5.
     */
    private static Optional<Block> json(Document fields, Optional<String> lines, ReadValue first) {
        if (lines.isPresent() && isJson(lines.get(), fields)) {
            return text(lines.get());
        }
        String form = first.text().orElse("");
        boolean isOneLine = form.strip().indexOf('\n') < 0;
        return isOneLine
                ? text(fields.json() + (form.endsWith("\n") ? "\n" : ""))
                : IndentedJson.of(fields.json()).flatMap(MergedValue::text);
    }

    private static boolean isJson(String text, Document fields) {
        try {
            return Document.parse(text).equals(fields);
        } catch (DocumentException e) {
            return false;
        }
    }
}
