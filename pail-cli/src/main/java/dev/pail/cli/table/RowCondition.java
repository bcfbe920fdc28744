package dev.pail.cli.table;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.table.Row;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.util.Optional;

/** What must hold for a row that is changed: that it is as in an older version. */
interface RowCondition {
    Option.Text AS_IN = Option.text(
            "REVISION",
            "Only if the row is as in this version; else nothing is changed, and the exit status is 4.",
            "--if");

    /** Refuses a row that is not as it must be. */
    void check(Tables tables, String id);

    /** What {@link #AS_IN} asks for. */
    static RowCondition of(Call call, Repository repository, String table) {
        String revision = call.get(AS_IN);
        if (revision == null) {
            return (tables, id) -> {};
        }
        Optional<Table> seen = Tables.of(RepositoryVersions.resolve(repository, call.branch(repository), revision)
                        .pail())
                .find(table);
        return (tables, id) -> {
            if (!row(seen, id).equals(row(tables.find(table), id))) {
                throw new Failure.Found(
                        Exit.CONFLICT,
                        "condition-failed",
                        "the row " + Escapes.brief(id) + " is not as in " + Escapes.escape(revision),
                        "pail table diff " + Escapes.escape(revision) + " shows what changed");
            }
        };
    }

    private static Optional<Cid> row(Optional<Table> table, String id) {
        return table.flatMap(each -> each.get(id)).map(Row::cid);
    }
}
