package dev.pail.cli.table;

import dev.pail.BlockLocation;
import dev.pail.Escapes;
import dev.pail.LocatedBlocks;
import dev.pail.RowLoc;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.table.Row;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Says where in the segments the documents of rows are. */
final class TableLocateCommand extends Command {
    TableLocateCommand() {
        super(
                "locate",
                "Prints where in a segment the documents of rows are.",
                "A line has the id, the number of the segment (section), the offset of the document in its file, the size, and the same three as ten",
                "bytes in hexadecimal (RowLoc), with tabs between. The file is segments/NNNNN.seg, or NNNNN.open if it is still written to. The bytes",
                "there are those of the block, as table get --raw prints them. A place is valid until the next compaction (pail gc, pail pack).",
                "A document has a place if it is whole in a segment: see table load --raw --whole. For any other, locate says how it is stored, and the exit",
                "status is 1.");
        parameter("TABLE", "1", "The table.");
        parameter("ID", "0..*", "The ids of the rows; if none, all rows.");
        readsAt();
        examples("  pail table locate blobs ada", "  pail table locate blobs --json");
    }

    @Override
    public int run(Call call) {
        List<String> ids = call.parameters(1);
        List<String> others = new ArrayList<>();
        try (Versions versions = call.versions()) {
            Table table = Tables.of(versions.pail()).table(call.parameter(0));
            List<Row> named = new ArrayList<>();
            List<String> absent = new ArrayList<>();
            for (String id : ids) {
                table.get(id).ifPresentOrElse(named::add, () -> absent.add(Escapes.brief(id)));
            }
            if (!absent.isEmpty()) {
                throw TableRowCommands.absent(String.join(", ", absent));
            }
            try (Stream<Row> rows = ids.isEmpty() ? table.rows() : named.stream()) {
                rows.forEachOrdered(row -> {
                    BlockLocation found = LocatedBlocks.locate(versions.blocks(), row.cid());
                    print(call.terminal(), row, found);
                    if (found.rowLoc().isEmpty() && others.size() < 2) {
                        others.add(
                                Escapes.brief(row.id()) + " is " + found.form().text());
                    }
                });
            }
        }
        if (others.isEmpty()) {
            return Exit.DONE;
        }
        throw new Failure.Found(
                Exit.NO,
                "no-location",
                "no location: the document of " + others.get(0) + (others.size() > 1 ? ", and of others" : ""),
                "store documents whole with: pail table load TABLE FILE --raw --whole");
    }

    private static void print(Terminal terminal, Row row, BlockLocation found) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("id", row.id());
                json.writeStringField("cid", row.cid().toString());
                json.writeStringField("form", found.form().name().toLowerCase(Locale.ROOT));
                if (found.file().isPresent()) {
                    json.writeStringField("file", found.file().get());
                }
                if (found.rowLoc().isPresent()) {
                    RowLoc place = found.rowLoc().get();
                    json.writeNumberField("section", place.section());
                    json.writeNumberField("offset", place.offset());
                    json.writeNumberField("size", place.size());
                    json.writeStringField("rowLoc", hex(place));
                }
            });
            return;
        }
        found.rowLoc()
                .ifPresent(place -> terminal.print(Escapes.printable(row.id()) + "\t" + place.section() + "\t"
                        + place.offset() + "\t" + place.size() + "\t" + hex(place)));
    }

    private static String hex(RowLoc place) {
        return HexFormat.of().formatHex(place.toBytes());
    }
}
