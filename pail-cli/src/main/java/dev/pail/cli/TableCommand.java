package dev.pail.cli;

import dev.pail.Pail;
import dev.pail.repository.Repository;
import java.util.function.UnaryOperator;

/** Tables of documents: each action is a command of its own. */
final class TableCommand extends Command {
    TableCommand() {
        super(
                "table",
                "Keeps tables of JSON documents with indexes.",
                "Each version of the repository is a version of its tables, and --at reads any of them. Tables use the keys that start",
                "with T, P, F and R: no other keys may start so, and are best in a repository of their own.");
        action(new TableDefinitionCommands.Create());
        action(new TableDefinitionCommands.Drop());
        action(new TableDefinitionCommands.Ls());
        action(new TableDefinitionCommands.Index());
        action(new TableDefinitionCommands.Reindex());
        action(new TableDefinitionCommands.Orphan());
        action(new TableRowCommands.Load());
        action(new TableRowCommands.Put());
        action(new TableRowCommands.Get());
        action(new TableRowCommands.Rm());
        action(new TableLocateCommand());
        action(new TableQueryCommands.Find());
        action(new TableQueryCommands.Scan());
        action(new TableSummaryCommands.Count());
        action(TableSummaryCommands.Total.sum());
        action(TableSummaryCommands.Total.min());
        action(TableSummaryCommands.Total.max());
        action(TableSummaryCommands.Total.avg());
        action(new TableQueryCommands.Explain());
        action(new TableQueryCommands.Diff());
        action(new TableHistoryCommand());
        examples(
                "  pail table create people",
                "  pail table index people address.city",
                "  pail table load people people.ndjson",
                "  pail table find people address.city Oslo",
                "  pail table scan people --where 'age >= 30 and not exists email'");
    }

    @Override
    int run(Call call) {
        throw Failure.usage(
                "table does one of: create, drop, ls, index, reindex, orphans, load, put, get, rm, locate, find, scan, count, sum, min, max, avg, explain, diff, history");
    }

    /** An action that makes a new version of the tables, and prints its root. */
    abstract static class Change extends ChangeCommand {
        Change(String name, String... description) {
            super(name, description);
            parameter("TABLE", "1", "The table.");
        }

        /**
         * Changes the branch, and prints the new root.
         *
         * @param reason what the log says
         */
        static int update(Call call, String reason, UnaryOperator<Pail> change) {
            try (Repository repository = call.toWrite()) {
                printRoot(
                        call,
                        repository
                                .update(call.branch(repository), reason, change::apply)
                                .pail());
                return Exit.DONE;
            }
        }
    }

    /** An action that reads a version, and prints rows of cells. */
    abstract static class Query extends Command {
        Query(String name, String... description) {
            super(name, description);
        }

        final void prints() {
            option(
                    String.class,
                    "FORMAT",
                    "table: aligned; ndjson: as --json; or csv. table and csv hold all rows in memory.",
                    "--format");
        }

        final void printsCells() {
            prints();
            option(
                    String.class,
                    "FORM",
                    "Cells of csv. plain: texts as they are, so null and the text null look alike, and so do a missing field and an "
                            + "empty text. json: each cell is JSON, empty if the field is missing. spreadsheet: plain, with ' before "
                            + "what would be a formula.",
                    "--cells");
        }

        static TablePrinter printer(Call call, String... columns) {
            return TablePrinter.of(call.terminal(), call.option("--format"), columns);
        }
    }
}
