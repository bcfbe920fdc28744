package dev.pail.cli.table;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.CsvTexts;
import dev.pail.cli.text.JsonTexts;
import dev.pail.cli.text.Lines;
import dev.pail.cli.text.Operations;
import dev.pail.cli.text.TextInputs;
import dev.pail.repository.Repository;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import dev.pail.table.FieldPath;
import dev.pail.table.Row;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.Tables;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts, reads and removes rows. */
final class TableRowCommands {
    /** A text this long is longer than any document. */
    private static final int MOST_READ = 8 * Document.MAX_SIZE;

    private TableRowCommands() {}

    /** Puts many rows. */
    static final class Load extends TableChange {
        private static final Option.Text ID =
                Option.text("FIELD", "The field with the id, a text or an integer; else id.", "--id");

        private static final Option.Text DOCUMENT =
                Option.text("FIELD", "The field with the document; else it is the line.", "--document");

        private static final Option.Flag INSERT =
                Option.flag("Refuse ids that exist; else replace their rows.", "--insert");

        private static final Option.Flag RAW = Option.flag("Keep the bytes of each document as they are.", "--raw");

        private static final Option.Flag WHOLE =
                Option.flag("With --raw: keep each document whole in a segment.", "--whole");

        private static final String RAW_ALONE =
                "--raw keeps JSON texts as they are, and takes neither --csv nor --document";

        private static final Option.Flag CSV = Option.flag("Read CSV.", "--csv");

        private static final Option.Text CELLS =
                Option.text("FORM", "With --csv: plain or json.", "--cells").offering("plain", "json", "spreadsheet");

        private static final Option.Flag RAGGED =
                Option.flag("With --csv: take lines with fewer fields than the first line.", "--ragged");

        Load() {
            super(
                    "load",
                    "Puts a row for each JSON object of a text, and prints the new root.",
                    "All rows come in one new version. The text has one object a line, objects over several lines, or one array of objects. An object is the document;",
                    "with --document a field of it is. Another field is the id of the row. If load refuses one object, nothing changes.",
                    "If two rows have one id, the later one counts. load reports how many documents it replaced. It refuses an integer and a text that make",
                    "the same id, such as 7 and \"7\", and stores -0 as 0.",
                    "With --raw, the block of a document is its own text, from the first brace to the last, and get --raw prints it byte for byte. Indexes,",
                    "filters and merges read it as any other. With --whole too, it is whole in a segment, where table locate finds it for other",
                    "programs, in a repository with files as well.",
                    "It takes about a kilobyte of memory for each row, and a third of that for each index. Load large files in parts.",
                    "With --csv, the text is CSV. Its first line has the paths of the fields, and an empty cell is no field. Cells are texts; a column",
                    "with the name age:number has numbers, and so :boolean and :json. With --cells json, each cell is JSON, as scan --format csv",
                    "--cells json prints it: then load gives the same rows. A cell has at most 8 MiB, a line 10,000 cells. If lines have fewer fields than the",
                    "first line, load refuses them and says which; with --ragged, the missing ones are no fields.");
            parameter("FILE", "0..1", "The file to read; - or none: standard input.");
            takes(ID, DOCUMENT, INSERT, RAW, WHOLE, CSV, RAGGED, CELLS);
            excludes(RAW, CSV, RAW_ALONE);
            excludes(RAW, DOCUMENT, RAW_ALONE);
            needs(WHOLE, RAW, "--whole is for --raw");
            needs(RAGGED, CSV, "--ragged is for --csv");
            takesMessage();
            examples(
                    "  pail table load people people.ndjson",
                    "  pail table load people people.csv --csv",
                    "  pail table load orders - --id number --insert",
                    "  pail table load blobs blobs.ndjson --raw --whole",
                    "  pail -C other table scan people --json |",
                    "    pail table load people --document document");
        }

        @Override
        public int run(Call call) {
            String table = call.parameter(0);
            String id = call.get(ID);
            String document = call.get(DOCUMENT);
            boolean isCsv = call.get(CSV);
            TablePrinter.Cells cells =
                    TablePrinter.Cells.of(isCsv ? TablePrinter.Format.CSV : TablePrinter.Format.TABLE, call.get(CELLS));
            if (isCsv && (document != null || cells == TablePrinter.Cells.SPREADSHEET)) {
                throw Failure.usage("--csv takes no --document, and --cells plain or json");
            }
            boolean isRaw = call.get(RAW);
            TableBatch.Load load = new TableBatch.Load(
                    FieldPath.parse(isCsv || id == null ? CsvTexts.ID : id),
                    Optional.ofNullable(isCsv ? CsvTexts.DOCUMENT : document).map(FieldPath::parse),
                    !call.get(INSERT),
                    call.get(WHOLE)
                            ? TableBatch.Blob.RAW_WHOLE
                            : isRaw ? TableBatch.Blob.RAW : TableBatch.Blob.ENCODED);
            try (Repository repository = call.toWrite();
                    Lines lines = TextInputs.of(call.terminal(), call.optionalParameter(1));
                    Progress progress = call.progress("rows", lines)) {
                JsonTexts texts = new JsonTexts(lines, JsonTexts.Layout.FREE);
                CsvTexts csv = new CsvTexts(lines, cells == TablePrinter.Cells.JSON, call.get(RAGGED), id);
                AtomicReference<TableBatch.Loaded> loaded = new AtomicReference<>(new TableBatch.Loaded(0, 0));
                Pail changed = repository
                        .update(call.branch(repository), "table load " + table, pail -> {
                            texts.restart();
                            csv.restart();
                            progress.restart();
                            TableBatch batch = Tables.of(pail).batch();
                            loaded.set(batch.loadTexts(
                                    table, () -> isCsv ? read(csv) : read(texts), load, count -> progress.step()));
                            return batch.commit().pail();
                        })
                        .pail();
                progress.hide();
                print(call, changed, Objects.requireNonNull(loaded.get()));
                return Exit.DONE;
            }
        }

        private static void print(Call call, Pail changed, TableBatch.Loaded loaded) {
            Terminal terminal = call.terminal();
            if (!terminal.json) {
                printRoot(call, changed);
                if (loaded.replaced() > 0 && !terminal.quiet) {
                    terminal.note("replaced " + loaded.replaced() + " of " + loaded.rows() + " rows");
                }
                return;
            }
            changed(call, changed.root());
            terminal.printJson(json -> {
                json.writeStringField("root", changed.root().toString());
                json.writeNumberField("rows", loaded.rows());
                json.writeNumberField("replaced", loaded.replaced());
            });
        }

        private static TableBatch.@Nullable Text read(CsvTexts texts) {
            try {
                return texts.next();
            } catch (RuntimeException e) {
                throw Operations.at(texts.place(), e);
            }
        }

        private static TableBatch.@Nullable Text read(JsonTexts texts) {
            try {
                String text = texts.next();
                return text == null ? null : new TableBatch.Text(text, texts.line(), texts.column());
            } catch (RuntimeException e) {
                throw Operations.at("line " + texts.line() + ", column " + texts.column(), e);
            }
        }
    }

    /** Puts one row. */
    static final class Put extends TableChange {
        private static final Option.Text FILE =
                Option.text("PATH", "Read the document from this file; - for standard input.", "--file");

        private static final Option.Flag INSERT =
                Option.flag("Refuse an id that exists; else replace its row.", "--insert", "--if-absent");

        private static final Option.Flag MERGE = Option.flag(
                "Change the fields of JSON alone, as a JSON merge patch does: a null removes a field.", "--merge");

        Put() {
            super("put", "Gives a row a document, and prints the new root.");
            parameter("ID", "1", "The id of the row.");
            parameter("JSON", "0..1", "The document: an object.");
            takes(FILE, INSERT, MERGE, RowCondition.AS_IN);
            excludes(INSERT, MERGE, "a row that is not there has no fields to keep: give --insert or --merge");
            excludes(INSERT, RowCondition.AS_IN, "a row as in a version is there, or not: give --insert or --if");
            takesMessage();
            examples(
                    "  pail table put people ada '{\"name\": \"Ada\", \"age\": 36}'",
                    "  pail table put people ada '{\"age\": 37, \"email\": null}' --merge",
                    "  pail table put people ada --file ada.json");
        }

        @Override
        public int run(Call call) {
            String table = call.parameter(0);
            String id = call.parameter(1);
            String json = call.optionalParameter(2);
            String file = call.get(FILE);
            if ((json == null) == (file == null)) {
                throw Failure.usage("give a document or --file, one of them");
            }
            boolean insert = call.get(INSERT);
            boolean merge = call.get(MERGE);
            try (Repository repository = call.toWrite()) {
                RowCondition condition = RowCondition.of(call, repository, table);
                Document document = parse(file == null ? String.valueOf(json) : content(call, file, "document"));
                String reason = "table put " + table + " " + id;
                printRoot(
                        call,
                        repository
                                .update(call.branch(repository), reason, pail -> {
                                    Tables tables = Tables.of(pail);
                                    condition.check(tables, id);
                                    TableBatch batch = tables.batch();
                                    return (insert
                                                    ? batch.insert(table, id, document)
                                                    : batch.put(
                                                            table,
                                                            id,
                                                            merge
                                                                    ? merged(tables.table(table), id, document)
                                                                    : document))
                                            .commit()
                                            .pail();
                                })
                                .pail());
                return Exit.DONE;
            }
        }

        private static Document merged(Table table, String id, Document patch) {
            Document before = table.get(id).map(Row::document).orElse(Document.parse("{}"));
            return before.patched(patch);
        }

        private static Document parse(String text) {
            String json = JsonTexts.withoutMarks(text);
            try {
                return Document.parse(json);
            } catch (DocumentException e) {
                Failure failure = Failure.of(e);
                boolean isMany = json.stripLeading().startsWith("[") || e.what().contains("behind the value");
                throw !isMany
                        ? e
                        : new Failure.Found(
                                failure.exit(),
                                failure.code(),
                                failure.message(),
                                "put takes one object; load several with: pail table load TABLE FILE");
            }
        }
    }

    /** Prints the document of a row. */
    static final class Get extends Command {
        private static final Option.Flag RAW =
                Option.flag("Print the bytes of the block, without a line feed; with --json, in base64.", "--raw");

        Get() {
            super(
                    "get",
                    "Prints the document of a row, on one line.",
                    "With --raw, prints the bytes of its block and nothing else: the JSON text of load --raw, dag-cbor of most other documents.",
                    "The exit status is 1 if there is no such row.");
            parameter("TABLE", "1", "The table.");
            parameter("ID", "1", "The id of the row.");
            takes(RAW);
            readsAt();
            examples(
                    "  pail table get people ada",
                    "  pail table get people ada --at @{1}",
                    "  pail table get blobs ada --raw > ada.json");
        }

        @Override
        public int run(Call call) {
            String id = call.parameter(1);
            try (Versions versions = call.versions()) {
                Row row = Tables.of(versions.pail())
                        .table(call.parameter(0))
                        .get(id)
                        .orElseThrow(() -> absent(Escapes.brief(id)));
                Document document = row.document();
                if (call.get(RAW)) {
                    printRaw(call.terminal(), row, document.block().bytes());
                } else if (call.terminal().json) {
                    call.terminal().printJson(json -> {
                        json.writeStringField("id", id);
                        json.writeStringField("cid", row.cid().toString());
                        json.writeFieldName("document");
                        json.writeRawValue(document.json());
                    });
                } else {
                    call.terminal().print(Escapes.printableJson(document.json()));
                }
                return Exit.DONE;
            }
        }
    }

    /** The text of a file, up to a size that no document has. */
    static String content(Call call, String file, String what) {
        byte[] bytes = new byte[0];
        try (InputStream in = Inputs.open(call.terminal(), file)) {
            bytes = in.readNBytes(MOST_READ);
            return Lines.utf8(bytes, 0, bytes.length);
        } catch (CharacterCodingException e) {
            String why = Lines.isUtf16(bytes, 0, bytes.length) ? Lines.UTF_16 : "not UTF-8";
            throw new Failure.Found(Exit.FAILED, "syntax", "no " + what + ": " + why, "nothing was changed");
        } catch (IOException e) {
            throw Inputs.failure(file, e);
        }
    }

    private static void printRaw(Terminal terminal, Row row, byte[] bytes) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("id", row.id());
                json.writeStringField("cid", row.cid().toString());
                json.writeBinaryField("bytes", bytes);
            });
            return;
        }
        // Exact, as cat: on a terminal too.
        terminal.write(bytes);
    }

    static Failure.Found absent(String ids) {
        return new Failure.Found(Exit.NO, "absent", "no such row: " + ids, null);
    }

    /** Removes rows. */
    static final class Rm extends TableChange {
        Rm() {
            super(
                    "rm",
                    "Removes rows, all in one change, and prints the new root.",
                    "The exit status is 1 if one of them did not exist.");
            parameter("ID", "1..*", "The ids of the rows.");
            takes(RowCondition.AS_IN);
            takesMessage();
            examples("  pail table rm people ada bo");
        }

        @Override
        public int run(Call call) {
            String table = call.parameter(0);
            List<String> absent = new ArrayList<>();
            try (Repository repository = call.toWrite()) {
                RowCondition condition = RowCondition.of(call, repository, table);
                Pail changed = repository
                        .update(call.branch(repository), "table rm " + table, pail -> {
                            absent.clear();
                            Tables tables = Tables.of(pail);
                            TableBatch batch = tables.batch();
                            for (String id : new LinkedHashSet<>(call.parameters(1))) {
                                condition.check(tables, id);
                                if (!batch.delete(table, id)) {
                                    absent.add(id);
                                }
                            }
                            return batch.commit().pail();
                        })
                        .pail();
                printRoot(call, changed);
            }
            if (absent.isEmpty()) {
                return Exit.DONE;
            }
            throw absent(absent.stream().map(Escapes::brief).collect(Collectors.joining(", ")));
        }
    }
}
