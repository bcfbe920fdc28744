package dev.pail.sql.calcite;

import dev.pail.Escapes;
import dev.pail.repository.Repository;
import dev.pail.sql.QueryException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.schema.FunctionParameter;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.TableMacro;
import org.apache.calcite.schema.TranslatableTable;
import org.jspecify.annotations.Nullable;

/**
 * The table of another version, as a function of a revision and a name: {@link VersionParser} writes calls of it. A revision is resolved once, and
 * stays the same version after that.
 */
public final class OtherVersions implements TableMacro {
    public static final String NAME = "pail_table";

    private final Repository repository;
    private final Map<String, RevisionSchema> known = new HashMap<>();

    public OtherVersions(Repository repository) {
        this.repository = repository;
    }

    @Override
    public TranslatableTable apply(List<? extends @Nullable Object> arguments) {
        String revision = String.valueOf(arguments.get(0));
        String name = String.valueOf(arguments.get(1));
        Table table;
        synchronized (known) {
            table = known.computeIfAbsent(
                            revision,
                            any -> new RevisionSchema(
                                    repository.resolve(revision).pail(), Map.of(), Map.of()))
                    .getTableMap()
                    .get(name);
        }
        if (table instanceof TranslatableTable found) {
            return found;
        }
        throw new QueryException("no table " + Escapes.escape(name) + " in " + Escapes.escape(revision));
    }

    @Override
    public List<FunctionParameter> getParameters() {
        return List.of(new Text(0, "revision"), new Text(1, "name"));
    }

    private record Text(int ordinal, String name) implements FunctionParameter {
        @Override
        public int getOrdinal() {
            return ordinal;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public RelDataType getType(RelDataTypeFactory factory) {
            return ((JavaTypeFactory) factory).createJavaType(String.class);
        }

        @Override
        public boolean isOptional() {
            return false;
        }
    }
}
