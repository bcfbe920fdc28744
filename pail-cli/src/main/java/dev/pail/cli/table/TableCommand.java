package dev.pail.cli.table;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.terminal.Failure;

/** Tables of documents: each action is a command of its own. */
public final class TableCommand extends Command {
    public TableCommand() {
        super(
                "table",
                "Keeps tables of JSON documents with indexes.",
                "Each version of the repository is a version of its tables, and --at reads any of them. Tables use the keys that start",
                "with T, P, F and R: no other keys may start so, and are best in a repository of their own.");
        action(new TableDefinitionCommands.Create());
        action(new TableDefinitionCommands.Drop());
        action(new TableDefinitionCommands.Ls());
        action(new TableDefinitionCommands.Index());
        action(new TableSchemaCommand());
        action(new TableDefinitionCommands.Reindex());
        action(new TableDefinitionCommands.Orphan());
        action(new TableRowCommands.Load());
        action(new TableRowCommands.Put());
        action(new TableRowCommands.Get());
        action(new TableRowCommands.Rm());
        action(new TableUpdateCommand());
        action(new TableLocateCommand());
        action(new TableQueryCommands.Find());
        action(new TableQueryCommands.Scan());
        action(new TableSummaryCommands.Count());
        action(TableSummaryCommands.Total.sum());
        action(TableSummaryCommands.Total.min());
        action(TableSummaryCommands.Total.max());
        action(TableSummaryCommands.Total.avg());
        action(new TableSummaryCommands.Percentile());
        action(new TableQueryCommands.Explain());
        action(new TableQueryCommands.Diff());
        action(new TableHistoryCommand());
        examples(
                "  pail table create people",
                "  pail table index people address.city",
                "  pail table schema people --column 'age integer required'",
                "  pail table load people people.ndjson",
                "  pail table find people address.city Oslo",
                "  pail table scan people --where 'age >= 30 and not exists email'");
    }

    @Override
    public int run(Call call) {
        throw Failure.usage(
                "table does one of: " + String.join(", ", spec().subcommands().keySet()));
    }
}
