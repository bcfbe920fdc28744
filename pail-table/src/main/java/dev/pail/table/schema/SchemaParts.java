package dev.pail.table.schema;

import dev.pail.Escapes;
import dev.pail.table.Column;
import dev.pail.table.FieldPath;
import dev.pail.table.document.Values;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a schema: each merges by itself.
 *
 * @param columns by their paths, in the order of their bytes
 * @param checks the texts of filters, in the order of their bytes
 * @param key the field with the id of the row
 * @param isClosed whether a document has no other fields
 */
public record SchemaParts(
        SortedMap<String, Column> columns, SortedSet<String> checks, Optional<FieldPath> key, boolean isClosed) {
    public static final SchemaParts NONE = of(List.of(), List.of(), Optional.empty(), false);

    public static SchemaParts of(
            Collection<Column> columns, Collection<String> checks, Optional<FieldPath> key, boolean isClosed) {
        SortedMap<String, Column> byPath = new TreeMap<>(Values::compareTexts);
        columns.forEach(column -> byPath.put(column.path().text(), column));
        SortedSet<String> texts = new TreeSet<>(Values::compareTexts);
        texts.addAll(checks);
        return new SchemaParts(
                Collections.unmodifiableSortedMap(byPath), Collections.unmodifiableSortedSet(texts), key, isClosed);
    }

    /**
     * A merged schema.
     *
     * @param parts null if nothing is left
     * @param conflicts a text for each part that both sides changed in different ways
     */
    public record Merged(@Nullable SchemaParts parts, List<String> conflicts) {}

    /** Merges schemas part by part; null for none. Depends on which side is ours only in the texts. Rule R13. */
    public static Merged merge(@Nullable SchemaParts base, @Nullable SchemaParts ours, @Nullable SchemaParts theirs) {
        if (Objects.equals(ours, theirs)) {
            return new Merged(ours, List.of());
        }
        SchemaParts before = orNone(base);
        SchemaParts our = orNone(ours);
        SchemaParts their = orNone(theirs);
        List<String> conflicts = new ArrayList<>();
        SortedSet<String> paths = new TreeSet<>(Values::compareTexts);
        List.of(our, their).forEach(side -> paths.addAll(side.columns.keySet()));
        List<Column> columns = new ArrayList<>();
        for (String path : paths) {
            Column merged = merged(
                    column(before, path),
                    column(our, path),
                    column(their, path),
                    Column::toString,
                    "column",
                    conflicts);
            if (merged != null) {
                columns.add(merged);
            }
        }
        FieldPath key = merged(
                before.key.orElse(null),
                our.key.orElse(null),
                their.key.orElse(null),
                FieldPath::text,
                "key",
                conflicts);
        Set<String> checks = new TreeSet<>(Values::compareTexts);
        List.of(our, their)
                .forEach(side -> side.checks.stream()
                        .filter(check -> !before.checks.contains(check)
                                || (our.checks.contains(check) && their.checks.contains(check)))
                        .forEach(checks::add));
        boolean isClosed = our.isClosed == before.isClosed ? their.isClosed : our.isClosed;
        SchemaParts merged = of(columns, checks, Optional.ofNullable(key), isClosed);
        return new Merged(merged.equals(NONE) ? null : merged, conflicts);
    }

    private static SchemaParts orNone(@Nullable SchemaParts parts) {
        return parts == null ? NONE : parts;
    }

    private static @Nullable Column column(SchemaParts parts, String path) {
        return parts.columns.get(path);
    }

    /** Of two changes, one that removes the part loses; else that with the greater text stays. */
    private static <T> @Nullable T merged(
            @Nullable T base,
            @Nullable T ours,
            @Nullable T theirs,
            Function<T, String> text,
            String what,
            List<String> conflicts) {
        if (Objects.equals(ours, theirs) || Objects.equals(theirs, base)) {
            return ours;
        }
        if (Objects.equals(ours, base)) {
            return theirs;
        }
        conflicts.add(what + ": ours " + named(ours, text) + ", theirs " + named(theirs, text));
        if (ours == null || theirs == null) {
            return ours == null ? theirs : ours;
        }
        return Values.compareTexts(text.apply(ours), text.apply(theirs)) > 0 ? ours : theirs;
    }

    private static <T> String named(@Nullable T part, Function<T, String> text) {
        return part == null ? "none" : Escapes.brief(text.apply(part));
    }
}
