package dev.pail.cli.command.map;

import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.text.Entries;
import dev.pail.cli.text.Lines;
import dev.pail.cli.text.TextInputs;
import dev.pail.cli.text.ValueTexts;
import dev.pail.repository.Repository;
import dev.pail.values.LongBatch;
import java.util.List;

/** Puts many keys. */
public final class LoadCommand extends ChangeCommand {
    private static final Option.Flag EXACT = Option.flag(
            "A zero byte ends each line, not a newline, and nothing is escaped. ls -0 prints this, unless keys have zero bytes.",
            "-0");

    private static final Option.Flag TEXT =
            Option.flag("Store each value as a text, also one that is a CID.", "--text");

    private static final Option.Flag CID = Option.flag("Take CIDs alone, in any base. It refuses other text.", "--cid");

    private static final Option.Flag CSV =
            Option.flag("Read CSV, with the columns key and value, or with two columns, one of them key.", "--csv");

    private static final Option.Flag RAGGED =
            Option.flag("With --csv: take lines with fewer fields than the first line.", "--ragged");

    private static final Option.Text KEY = Option.text("FIELD", "With --csv: the column with the keys.", "--key");

    private static final Option.Text VALUE = Option.text("FIELD", "With --csv: the column with the values.", "--value");

    public LoadCommand() {
        super(
                "load",
                "Puts the keys and values of a text, all in one new version, and prints its root.",
                "A line is a key, a tab and a value: a CID, as ls prints it, or any other text, which is stored as a block. If values are texts, load says how",
                "many; with --text all are, and with --cid none. A text may have tabs, and has no escapes. What looks like a damaged CID is refused.",
                "In a key, \\\\ is a backslash and \\u{HEX} any character; with -0 keys are exact. load skips blank lines and a byte-order mark before the",
                "first line. With --csv, the first line has the names of the columns, and keys are exact. Sorted keys load fastest.");
        parameter("FILE", "0..1", "The file to read; - or none: standard input.");
        takes(EXACT, TEXT, CID, CSV, RAGGED, KEY, VALUE);
        excludes(TEXT, CID, "give --text or --cid, one of them");
        excludes(CSV, EXACT, "-0 is for lines, and --csv for CSV");
        for (Option ofCsv : List.of(RAGGED, KEY, VALUE)) {
            needs(ofCsv, CSV, ofCsv + " is for --csv");
        }
        takesMessage();
        examples(
                "  pail load keys.tsv",
                "  pail load --text titles.tsv",
                "  pail load --csv --text --key isbn --value title books.csv",
                "  pail -C other ls | pail load --cid",
                "  pail -C other ls -0 | pail load -0");
    }

    @Override
    public int run(Call call) {
        ValueTexts.Meaning meaning = call.get(CID)
                ? ValueTexts.Meaning.CIDS
                : call.get(TEXT) ? ValueTexts.Meaning.TEXTS : ValueTexts.Meaning.EITHER;
        ValueTexts values = new ValueTexts(meaning, "pail load --text", TEXT.toString());
        try (Repository repository = call.toWrite();
                Lines lines = TextInputs.of(call.terminal(), call.optionalParameter(0), call.get(EXACT) ? '\0' : '\n');
                Progress progress = call.progress("keys", lines)) {
            Entries entries = entries(call, lines, values);
            Pail changed = repository
                    .update(call.branch(repository), pail -> load(pail, entries, progress))
                    .pail();
            progress.hide();
            printRoot(call, changed);
            values.note(call.terminal());
            return Exit.DONE;
        }
    }

    private static Entries entries(Call call, Lines lines, ValueTexts values) {
        return call.get(CSV)
                ? Entries.ofCsv(lines, call.get(RAGGED), call.get(KEY), call.get(VALUE), values)
                : Entries.ofLines(lines, call.get(EXACT), values);
    }

    private static Pail load(Pail pail, Entries entries, Progress progress) {
        entries.restart();
        progress.restart();
        try (OrderedPuts puts = new OrderedPuts(new LongBatch(pail), progress::step)) {
            for (Entries.Entry next = entries.next(pail.format()); next != null; next = entries.next(pail.format())) {
                puts.put(next.key(), next.value(), next.line());
            }
            return puts.commit();
        }
    }
}
