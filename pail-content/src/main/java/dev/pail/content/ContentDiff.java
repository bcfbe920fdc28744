package dev.pail.content;

import dev.pail.content.lines.Edit;
import dev.pail.content.lines.LineDiff;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** How two contents differ, for a reader. Immutable. */
public sealed interface ContentDiff {
    /**
     * Lines differ.
     *
     * @param edits the runs that differ, in order
     */
    record Lines(Content.Text before, Content.Text after, List<Edit> edits) implements ContentDiff {
        public Lines {
            edits = List.copyOf(edits);
        }
    }

    /**
     * A part that differs.
     *
     * @param name the path of a field as tables write it, or the name of an entry
     * @param before its value; empty, if it was added
     * @param after its value; empty, if it was removed
     */
    record Part<V>(String name, Optional<V> before, Optional<V> after) {}

    /** Fields differ, in the order of their paths. Their values are JSON. */
    record Fields(List<Part<String>> fields) implements ContentDiff {
        public Fields {
            fields = List.copyOf(fields);
        }
    }

    /** Entries of a folder differ, in the order of their names. */
    record Names(List<Part<Cid>> names) implements ContentDiff {
        public Names {
            names = List.copyOf(names);
        }
    }

    /** The contents have no parts to compare: one is absent, or has bytes that are no text, or they are of two kinds. */
    record Whole(Content before, Content after) implements ContentDiff {}

    /** Returns how many lines, fields or names were added. */
    default int added() {
        if (this instanceof Lines lines) {
            return lines.edits().stream()
                    .mapToInt(edit -> edit.afterTo() - edit.afterFrom())
                    .sum();
        }
        return (int) parts().stream().filter(part -> part.after().isPresent()).count();
    }

    /** Returns how many lines, fields or names were removed. One that changed was removed and added. */
    default int removed() {
        if (this instanceof Lines lines) {
            return lines.edits().stream()
                    .mapToInt(edit -> edit.beforeTo() - edit.beforeFrom())
                    .sum();
        }
        return (int) parts().stream().filter(part -> part.before().isPresent()).count();
    }

    private List<? extends Part<?>> parts() {
        if (this instanceof Fields fields) {
            return fields.fields();
        }
        return this instanceof Names names ? names.names() : List.of();
    }

    /** Compares two contents. If one is nothing, all parts of the other differ. */
    static ContentDiff of(Content before, Content after) {
        if (isFields(before) && isFields(after)) {
            List<Part<String>> fields = differing(values(before), values(after));
            if (!fields.isEmpty()) {
                return new Fields(fields);
            }
        }
        Optional<Content.Text> text = text(before);
        Optional<Content.Text> other = text(after);
        if (text.isPresent() && other.isPresent()) {
            return new Lines(
                    text.get(),
                    other.get(),
                    LineDiff.of(text.get().lines(), other.get().lines()));
        }
        if (isFolder(before) && isFolder(after)) {
            return new Names(differing(entries(before), entries(after)));
        }
        return new Whole(before, after);
    }

    private static boolean isFields(Content content) {
        return content instanceof Content.Fields || content instanceof Content.Nothing;
    }

    private static Map<String, String> values(Content content) {
        return content instanceof Content.Fields fields ? fields.values() : Map.of();
    }

    private static boolean isFolder(Content content) {
        return content instanceof Content.Folder || content instanceof Content.Nothing;
    }

    private static Map<String, Cid> entries(Content content) {
        return content instanceof Content.Folder folder ? folder.entries() : Map.of();
    }

    private static Optional<Content.Text> text(Content content) {
        if (content instanceof Content.Fields fields) {
            return fields.text();
        }
        if (content instanceof Content.Nothing) {
            return Optional.of(new Content.Text(List.of()));
        }
        return content instanceof Content.Text text ? Optional.of(text) : Optional.empty();
    }

    /** The parts whose values differ, in the order of their names. */
    private static <V> List<Part<V>> differing(Map<String, V> before, Map<String, V> after) {
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        List<Part<V>> parts = new ArrayList<>();
        for (String name : names) {
            Optional<V> old = Optional.ofNullable(before.get(name));
            Optional<V> now = Optional.ofNullable(after.get(name));
            if (!old.equals(now)) {
                parts.add(new Part<>(name, old, now));
            }
        }
        return parts;
    }
}
