package dev.pail.sql.calcite;

import com.google.common.collect.ImmutableMultimap;
import com.google.common.collect.Multimap;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import dev.pail.table.Table;
import dev.pail.table.TableException;
import dev.pail.table.Tables;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.rel.type.RelProtoDataType;
import org.apache.calcite.schema.Function;
import org.apache.calcite.schema.impl.AbstractSchema;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** The tables of one version, and its keys. */
public final class RevisionSchema extends AbstractSchema {
    /** The name of the schema of the version that a connection reads. */
    public static final String NAME = "pail";

    /** The name of the table with all keys that belong to no table. */
    static final String KEYS = "keys";

    private final Pail pail;
    private final Map<String, org.apache.calcite.schema.Table> others;
    private final Multimap<String, Function> functions;
    private @Nullable Map<String, org.apache.calcite.schema.Table> tables;

    /**
     * @param others further tables
     * @param functions by their names
     */
    public RevisionSchema(
            Pail pail, Map<String, org.apache.calcite.schema.Table> others, Map<String, Function> functions) {
        this.pail = pail;
        this.functions = ImmutableMultimap.copyOf(functions.entrySet());
        this.others = others;
    }

    @Override
    protected synchronized Map<String, org.apache.calcite.schema.Table> getTableMap() {
        if (tables == null) {
            Map<String, org.apache.calcite.schema.Table> all = new TreeMap<>(others);
            all.put(KEYS, keys());
            List<Table> list = Tables.of(pail).list();
            list.forEach(table -> all.put(table.name(), new RowTable(table)));
            tables = all;
        }
        return tables;
    }

    /** The keys that belong to no table, with their values: as text, if the bytes are such, and as JSON. */
    private ListTable keys() {
        return new ListTable(
                "keys of " + pail.root(),
                List.of(
                        new ListTable.Field("key", SqlTypeName.VARCHAR),
                        new ListTable.Field("cid", SqlTypeName.VARCHAR),
                        new ListTable.Field("json", SqlTypeName.VARCHAR)),
                () -> pail.entries(KeyRange.all())
                        .filter(entry -> !Tables.isReserved(entry.key()))
                        .map(entry -> new @Nullable Object[] {
                            entry.key(), entry.value().toString(), json(entry.value())
                        }));
    }

    /** A value as JSON, if it is a document. */
    private @Nullable String json(Cid value) {
        try {
            return Document.read(pail.blocks(), value).json();
        } catch (DocumentException | TableException | MissingBlockException e) {
            return null;
        }
    }

    @Override
    protected Multimap<String, Function> getFunctionMultimap() {
        return functions;
    }

    @Override
    protected Map<String, RelProtoDataType> getTypeMap() {
        return Map.of();
    }
}
