package dev.pail.cli.command.history;

import dev.pail.BlockException;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Versions;
import dev.pail.cli.text.ValueText;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.table.TableConflict;
import dev.pail.table.TableRules;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What a change did, in a line: to keys, and to tables and rows by their names. */
final class ChangeText {
    private static final TableRules TABLES = new TableRules();

    private final Versions versions;
    private final boolean hasCids;

    /** @param hasCids whether to print the CID of a value too */
    ChangeText(Versions versions, boolean hasCids) {
        this.versions = versions;
        this.hasCids = hasCids;
    }

    /**
     * All that a change did, without entries of indexes. A change of several events counts all its keys: to find the rows among them, each
     * event would be read.
     */
    String of(HistoryEntry entry) {
        if (entry.events().size() > 1) {
            return batch(entry.size());
        }
        List<Change> changes = entry.changes();
        Optional<String> ofTables = changes.stream().anyMatch(change -> Tables.mayHave(change.key()))
                ? ofTables(entry, changes)
                : Optional.empty();
        return ofTables.orElseGet(
                () -> entry.event().operation() instanceof Change change ? of(change) : batch(changes.size()));
    }

    /** The change of a key. */
    String of(Change change) {
        return text(change, Escapes.brief(change.key()));
    }

    private static String batch(long changes) {
        return "batch of " + changes;
    }

    private String text(Change change, String what) {
        return change instanceof Operation.Put put
                ? "put " + what + (hasCids ? " " + put.value() : "")
                        + ValueText.preview(versions.blocks(), put.value(), " = ")
                : "del " + what;
    }

    /** The tables and rows that changed; empty if there are none, or if their names cannot be read. */
    private Optional<String> ofTables(HistoryEntry entry, List<Change> changes) {
        Map<String, Change> byKey = new LinkedHashMap<>();
        changes.forEach(change -> byKey.put(change.key(), change));
        List<TableConflict> parts;
        try {
            parts = named(entry, byKey.keySet());
        } catch (BlockException e) {
            return Optional.empty();
        }
        List<TableConflict> tables = new ArrayList<>();
        List<TableConflict> rows = new ArrayList<>();
        for (TableConflict part : parts) {
            if (part.table().isPresent()) {
                (part.row().isPresent() ? rows : tables).add(part);
            }
        }
        int keys = parts.size() - tables.size() - rows.size();
        if (tables.isEmpty() && rows.isEmpty()) {
            return Optional.empty();
        }
        if (parts.size() == 1 && tables.isEmpty()) {
            return Optional.of(
                    text(Objects.requireNonNull(byKey.get(parts.get(0).key())), ConflictsCommand.place(parts.get(0))));
        }
        List<String> counts = new ArrayList<>();
        if (tables.size() == 1) {
            // The value of a table is for programs.
            boolean isPut = byKey.get(tables.get(0).key()) instanceof Operation.Put;
            counts.add((isPut ? "put " : "del ") + ConflictsCommand.place(tables.get(0)));
        } else if (tables.size() > 1) {
            counts.add(tables.size() + " tables");
        }
        if (!rows.isEmpty()) {
            counts.add(rows.size() == 1 ? "1 row" : rows.size() + " rows");
        }
        if (keys > 0) {
            counts.add(keys == 1 ? "1 key" : keys + " keys");
        }
        return Optional.of((tables.size() == 1 ? "" : "batch of ") + String.join(", ", counts));
    }

    /** Names the tables and rows of keys by the version after a change; those that it removed, by the version before. */
    private List<TableConflict> named(HistoryEntry entry, Set<String> keys) {
        List<TableConflict> parts = new ArrayList<>();
        Set<String> unnamed = new LinkedHashSet<>();
        for (TableConflict part :
                TABLES.named(Pail.open(versions.blocks(), entry.event().root()), keys)) {
            if (part.table().isEmpty() && Tables.mayHave(part.key())) {
                unnamed.add(part.key());
            } else {
                parts.add(part);
            }
        }
        if (!unnamed.isEmpty()) {
            parts.addAll(TABLES.named(versions.pailAt(Head.of(entry.parents())), unnamed));
        }
        return parts;
    }
}
