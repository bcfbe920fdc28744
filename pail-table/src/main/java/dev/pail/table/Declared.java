package dev.pail.table;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.ipld.Block;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexName;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** Changes of what a table declares. */
final class Declared {
    private Declared() {}

    static Table withIndex(Table table, Index wanted) {
        TableInfo info = table.info();
        if (info.index(wanted) != null) {
            throw new TableException(
                    TableException.Reason.INDEX_EXISTS,
                    "there is an " + TableText.index(wanted) + " of the table " + TableText.quoted(info.name)
                            + " already");
        }
        SortedSet<IndexName> names = info.names();
        names.add(new IndexName(wanted));
        TableInfo next = info.with(names);
        IndexKeys index = new IndexKeys(info.name, new IndexName(wanted));
        List<Entry> entries = UniqueValues.entries(index, table.rows());
        Batch batch = table.pail().batch();
        // A merge may have left some of an index that was there once.
        index.clear(table.pail(), batch);
        entries.forEach(entry -> batch.put(entry.key(), entry.value()));
        return described(table, batch, next);
    }

    static Table withoutIndex(Table table, Index wanted) {
        TableInfo info = table.info();
        IndexKeys index = info.index(wanted);
        if (index == null) {
            throw noIndex(info, wanted);
        }
        SortedSet<IndexName> names = info.names();
        names.remove(index.name);
        Batch batch = table.pail().batch();
        index.clear(table.pail(), batch);
        return described(table, batch, info.with(names));
    }

    static TableException noIndex(TableInfo info, Index index) {
        return new TableException(
                TableException.Reason.NO_INDEX,
                "no " + TableText.index(index) + " of the table " + TableText.quoted(info.name));
    }

    /** Rule T17. */
    static Table withSchema(Table table, Schema schema) {
        schema.checkDeclarable();
        String name = table.name();
        List<String> misfits = SchemaRows.misfits(table, schema, SchemaRows.MOST_NAMED + 1);
        if (!misfits.isEmpty()) {
            throw new TableException(
                    TableException.Reason.MISFIT,
                    "rows of the table " + TableText.quoted(name) + " do not fit the schema: "
                            + misfits.stream().limit(SchemaRows.MOST_NAMED).collect(Collectors.joining("; "))
                            + (misfits.size() > SchemaRows.MOST_NAMED ? "; and more" : "") + " (T17)");
        }
        TableInfo next = table.info().withSchema(schema.parts());
        return described(table, table.pail().batch(), next);
    }

    static Table withoutSchema(Table table) {
        if (table.schema().isEmpty()) {
            throw new TableException(
                    TableException.Reason.NO_SCHEMA, "no schema of the table " + TableText.quoted(table.name()));
        }
        return described(table, table.pail().batch(), table.info().withSchema(null));
    }

    private static Table described(Table table, Batch batch, TableInfo next) {
        Block block = next.block();
        table.pail().blocks().put(block);
        return new Table(batch.put(TableInfo.key(next.name), block.cid()).commit(), next);
    }
}
