package dev.pail.sql.calcite;

import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.sql.calcite.ListTable.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.calcite.schema.Table;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** What a repository knows of its versions, as tables. */
public final class HistoryTables {
    private static final Field BRANCH = new Field("branch", SqlTypeName.VARCHAR);

    private HistoryTables() {}

    /**
     * The tables by their names.
     *
     * @param revision whose history {@code pail_log} lists
     */
    public static Map<String, Table> of(Repository repository, String revision) {
        Map<String, Table> tables = new TreeMap<>();
        tables.put("pail_log", log(repository, revision));
        tables.put("pail_branches", branches(repository));
        tables.put("pail_conflicts", conflicts(repository));
        return tables;
    }

    private static Table log(Repository repository, String revision) {
        return new ListTable(
                "log of " + revision,
                List.of(
                        new Field("event", SqlTypeName.VARCHAR),
                        new Field("time", SqlTypeName.TIMESTAMP),
                        new Field("author", SqlTypeName.VARCHAR),
                        new Field("message", SqlTypeName.VARCHAR),
                        new Field("changes", SqlTypeName.BIGINT)),
                () -> repository.history().of(revision).map(HistoryTables::entry));
    }

    private static @Nullable Object[] entry(HistoryEntry entry) {
        return new @Nullable Object[] {
            entry.event().cid().toString(),
            entry.time().map(time -> (Object) time.toEpochMilli()).orElse(null),
            entry.note().author().orElse(null),
            entry.note().message().orElse(null),
            (long) entry.size()
        };
    }

    private static Table branches(Repository repository) {
        return new ListTable(
                "branches",
                List.of(BRANCH, new Field("root", SqlTypeName.VARCHAR), new Field("is_current", SqlTypeName.BOOLEAN)),
                () -> repository.branches().names().stream().map(name -> new @Nullable Object[] {
                    name,
                    repository.pail(name).root().toString(),
                    name.equals(repository.branches().current())
                }));
    }

    private static Table conflicts(Repository repository) {
        return new ListTable(
                "conflicts",
                List.of(
                        BRANCH,
                        new Field("key", SqlTypeName.VARCHAR),
                        new Field("ours", SqlTypeName.VARCHAR),
                        new Field("theirs", SqlTypeName.VARCHAR)),
                () -> repository.branches().names().stream()
                        .flatMap(name -> repository.conflicts().of(name).stream()
                                .map(each -> new @Nullable Object[] {
                                    name,
                                    each.conflict().key(),
                                    text(each.conflict().ours()),
                                    text(each.conflict().theirs())
                                })));
    }

    private static @Nullable String text(Optional<?> value) {
        return value.map(Object::toString).orElse(null);
    }
}
