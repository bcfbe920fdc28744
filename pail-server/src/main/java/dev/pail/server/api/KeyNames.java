package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.table.TableConflict;
import dev.pail.table.TableRules;
import dev.pail.table.Tables;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What keys of tables stand for: tables, rows and entries of indexes, by the names that a version has for them. */
final class KeyNames {
    /** The most keys that start as those of tables do. With more, nothing is named. */
    private static final int MOST_TABLES = 1000;

    private static final TableRules TABLES = new TableRules();

    private final Map<String, TableConflict> named = new HashMap<>();
    private final Set<String> entries = new HashSet<>();

    /**
     * Names keys by the first version that can.
     *
     * @param versions gives the versions, if one of the keys may be of a table
     */
    KeyNames(Collection<String> keys, List<Supplier<Pail>> versions) {
        List<String> unnamed = keys.stream().filter(Tables::mayHave).distinct().toList();
        for (Supplier<Pail> version : versions) {
            unnamed = unnamed.isEmpty() ? unnamed : name(version.get(), unnamed);
        }
    }

    private List<String> name(Pail version, List<String> keys) {
        if (!hasFewTables(version)) {
            return keys;
        }
        Set<String> indexed = new HashSet<>(keys);
        for (TableConflict each : TABLES.named(version, keys)) {
            indexed.remove(each.key());
            if (each.table().isPresent()) {
                named.put(each.key(), each);
            }
        }
        entries.addAll(indexed);
        return keys.stream()
                .filter(key -> !named.containsKey(key) && !entries.contains(key))
                .toList();
    }

    private static boolean hasFewTables(Pail version) {
        try (Stream<Entry> tables = version.entries(KeyRange.prefix("T"))) {
            long count = tables.limit(MOST_TABLES + 1L).count();
            return count > 0 && count <= MOST_TABLES;
        }
    }

    /** Writes the table and the row that a key stands for, or that it is an entry of an index. */
    void write(JsonGenerator json, String key) throws IOException {
        TableConflict name = named.get(key);
        if (name != null) {
            write(json, name);
        } else if (entries.contains(key)) {
            json.writeBooleanField("index", true);
        }
    }

    /** Writes the table and the row of a conflict, if it has them. */
    static void write(JsonGenerator json, TableConflict name) throws IOException {
        if (name.table().isPresent()) {
            json.writeStringField("table", name.table().get());
            if (name.row().isPresent()) {
                json.writeStringField("row", name.row().get());
            }
        }
    }
}
