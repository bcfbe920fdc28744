package dev.pail.table.index;

import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborReader.Kind;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.table.FieldForm;
import dev.pail.table.FieldPath;
import dev.pail.table.Index;
import dev.pail.table.TableException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** How the declaration of a table has an index: a plain one as the path of its field, another as a map (Rule T11). */
final class IndexForm {
    private static final String ITEMS = "items";
    private static final String LOWER = "lower";
    private static final String FIELDS = "fields";
    private static final String UNIQUE = "unique";
    private static final String INCLUDE = "include";
    private static final String DESCENDING = "descending";

    private IndexForm() {}

    static void write(DagCborWriter writer, Index index) {
        if (index.isPlain()) {
            writer.text(index.fields().get(0).path().text());
            return;
        }
        writer.map(members(index));
        write(writer, ITEMS, paths(index, field -> field.form() == FieldForm.ITEMS));
        write(writer, LOWER, paths(index, field -> field.form() == FieldForm.LOWER));
        write(writer, FIELDS, paths(index, field -> true));
        if (index.isUnique()) {
            writer.text(UNIQUE).bool(true);
        }
        write(writer, INCLUDE, index.included());
        write(writer, DESCENDING, paths(index, Index.Field::isDescending));
    }

    private static List<FieldPath> paths(Index index, Predicate<Index.Field> which) {
        return index.fields().stream().filter(which).map(Index.Field::path).toList();
    }

    private static int members(Index index) {
        return 1
                + (int) Stream.of(FieldForm.ITEMS, FieldForm.LOWER)
                        .filter(form ->
                                !paths(index, field -> field.form() == form).isEmpty())
                        .count()
                + (index.isUnique() ? 1 : 0)
                + (index.included().isEmpty() ? 0 : 1)
                + (index.fields().stream().anyMatch(Index.Field::isDescending) ? 1 : 0);
    }

    private static void write(DagCborWriter writer, String name, List<FieldPath> paths) {
        if (!paths.isEmpty()) {
            writer.text(name).array(paths.size());
            paths.forEach(path -> writer.text(path.text()));
        }
    }

    /**
     * Reads an index.
     *
     * @param takesMaps whether it may be other than plain
     * @throws MalformedDataException if it is no index, or not in the form that a writer gives it
     * @throws TableException if a path is none
     */
    static Index read(DagCborReader reader, boolean takesMaps) {
        if (!takesMaps || reader.peek() != Kind.MAP) {
            return Index.on(FieldPath.parse(reader.readText()));
        }
        int at = reader.position();
        List<FieldPath> items = List.of();
        List<FieldPath> lower = List.of();
        List<FieldPath> fields = List.of();
        List<FieldPath> include = List.of();
        List<FieldPath> descending = List.of();
        boolean isUnique = false;
        int count = reader.readMap();
        for (int left = count; left > 0; left--) {
            String member = reader.readText();
            switch (member) {
                case ITEMS -> items = paths(reader);
                case LOWER -> lower = paths(reader);
                case FIELDS -> fields = paths(reader);
                case UNIQUE -> isUnique = reader.readBoolean();
                case INCLUDE -> include = paths(reader);
                case DESCENDING -> descending = paths(reader);
                default ->
                    throw new MalformedDataException(
                            at, "an index has a member that this program does not know: " + TableText.quoted(member));
            }
        }
        List<Index.Field> all = new ArrayList<>();
        for (FieldPath path : fields) {
            FieldForm form =
                    items.contains(path) ? FieldForm.ITEMS : lower.contains(path) ? FieldForm.LOWER : FieldForm.VALUE;
            all.add(new Index.Field(path, form, descending.contains(path)));
        }
        Index index = Index.on(all).include(include);
        Index read = isUnique ? index.unique() : index;
        if (read.isPlain()
                || members(read) != count
                || !paths(read, field -> field.form() == FieldForm.ITEMS).equals(items)
                || !paths(read, field -> field.form() == FieldForm.LOWER).equals(lower)
                || !paths(read, Index.Field::isDescending).equals(descending)
                || !read.included().equals(include)) {
            throw new MalformedDataException(
                    at, "an index says each thing once, in order, and nothing that is so anyway");
        }
        return read;
    }

    private static List<FieldPath> paths(DagCborReader reader) {
        List<FieldPath> paths = new ArrayList<>();
        for (int items = reader.readArray(); items > 0; items--) {
            paths.add(FieldPath.parse(reader.readText()));
        }
        return paths;
    }
}
