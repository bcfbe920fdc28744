package dev.pail.cli.table;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;

/** An action that reads a version, and prints rows of cells. */
abstract class TableQuery extends Command {
    static final Option.Text FORMAT = Option.text(
                    "FORMAT",
                    "table: aligned; ndjson: as --json; or csv. table and csv hold all rows in memory.",
                    "--format")
            .offering("table", "ndjson", "csv");

    static final Option.Text CELLS = Option.text(
                    "FORM",
                    "Cells of csv. plain: texts as they are, so null and the text null look alike, and so do a missing field and an "
                            + "empty text. json: each cell is JSON, empty if the field is missing. spreadsheet: plain, with ' before "
                            + "what would be a formula.",
                    "--cells")
            .offering("plain", "json", "spreadsheet");

    TableQuery(String name, String... description) {
        super(name, description);
    }

    final void prints() {
        takes(FORMAT);
    }

    final void printsCells() {
        prints();
        takes(CELLS);
    }

    static TablePrinter printer(Call call, String... columns) {
        return TablePrinter.of(call.terminal(), call.get(FORMAT), columns);
    }
}
