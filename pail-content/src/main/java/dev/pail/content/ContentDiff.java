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
     * A field that differs.
     *
     * @param path as tables write it
     * @param before its value as JSON; empty, if the field was added
     * @param after its value as JSON; empty, if the field was removed
     */
    record Field(String path, Optional<String> before, Optional<String> after) {}

    /** Fields differ, in the order of their paths. */
    record Fields(List<Field> fields) implements ContentDiff {
        public Fields {
            fields = List.copyOf(fields);
        }
    }

    /**
     * An entry of a folder that differs.
     *
     * @param before its value; empty, if it was added
     * @param after its value; empty, if it was removed
     */
    record Name(String name, Optional<Cid> before, Optional<Cid> after) {}

    /** Entries of a folder differ, in the order of their names. */
    record Names(List<Name> names) implements ContentDiff {
        public Names {
            names = List.copyOf(names);
        }
    }

    /** The contents have no parts to compare: one is absent, or has bytes that are no text, or they are of two kinds. */
    record Whole(Content before, Content after) implements ContentDiff {}

    /** Compares two contents. If one is nothing, all parts of the other differ. */
    static ContentDiff of(Content before, Content after) {
        if (isFields(before) && isFields(after)) {
            List<Field> fields = fields(values(before), values(after));
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
            return new Names(names(entries(before), entries(after)));
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

    private static List<Field> fields(Map<String, String> before, Map<String, String> after) {
        TreeSet<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(after.keySet());
        List<Field> fields = new ArrayList<>();
        for (String path : paths) {
            Field field = new Field(path, Optional.ofNullable(before.get(path)), Optional.ofNullable(after.get(path)));
            if (!field.before().equals(field.after())) {
                fields.add(field);
            }
        }
        return fields;
    }

    private static List<Name> names(Map<String, Cid> before, Map<String, Cid> after) {
        TreeSet<String> all = new TreeSet<>(before.keySet());
        all.addAll(after.keySet());
        List<Name> names = new ArrayList<>();
        for (String each : all) {
            Name name = new Name(each, Optional.ofNullable(before.get(each)), Optional.ofNullable(after.get(each)));
            if (!name.before().equals(name.after())) {
                names.add(name);
            }
        }
        return names;
    }
}
