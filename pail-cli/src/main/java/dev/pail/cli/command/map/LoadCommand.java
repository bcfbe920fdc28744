package dev.pail.cli.command.map;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.text.Lines;
import dev.pail.cli.text.Operations;
import dev.pail.cli.text.TextInputs;
import dev.pail.cli.text.Values;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.values.EscapedKey;
import dev.pail.values.LongBatch;
import org.jspecify.annotations.Nullable;

/** Puts many keys. */
public final class LoadCommand extends ChangeCommand {
    private static final Option.Flag EXACT = Option.flag(
            "A zero byte ends each line, not a newline, and nothing is escaped. ls -0 prints this, unless keys have zero bytes.",
            "-0");

    private static final String BYTE_ORDER_MARK = "\ufeff";

    public LoadCommand() {
        super(
                "load",
                "Puts the keys and values of a text, all in one new version, and prints its root.",
                "A line is a key, a tab and a CID, as ls prints it. In a key, \\\\ is a backslash and \\u{HEX} any character; with -0 keys are exact.",
                "load skips blank lines and a byte-order mark before the first line. Sorted keys load fastest.");
        parameter("FILE", "0..1", "The file to read; - or none: standard input.");
        takes(EXACT);
        takesMessage();
        examples("  pail load keys.tsv", "  pail -C other ls | pail load", "  pail -C other ls -0 | pail load -0");
    }

    /** The end of an entry. Keys that end with zero bytes have no escapes. */
    private enum Ending {
        LINE('\n'),
        ZERO('\0');

        private final char character;

        Ending(char character) {
            this.character = character;
        }
    }

    @Override
    public int run(Call call) {
        Ending ending = call.get(EXACT) ? Ending.ZERO : Ending.LINE;
        try (Repository repository = call.toWrite();
                Lines lines = TextInputs.of(call.terminal(), call.optionalParameter(0), ending.character);
                Progress progress = call.progress("keys", lines)) {
            Pail changed = repository
                    .update(call.branch(repository), pail -> load(pail, lines, ending, progress))
                    .pail();
            printRoot(call, changed);
            return Exit.DONE;
        }
    }

    private static Pail load(Pail pail, Lines lines, Ending ending, Progress progress) {
        lines.restart();
        progress.restart();
        OrderedPuts puts = new OrderedPuts(new LongBatch(pail), progress::step);
        while (put(lines, ending, pail.format(), puts)) {
            // Each line is counted when its put is made.
        }
        return puts.commit();
    }

    /** The next line that is not blank. A byte-order mark before the first is no part of a key: ls escapes one that is. */
    private static @Nullable String next(Lines lines) {
        while (true) {
            String line = lines.next();
            if (line != null && line.startsWith(BYTE_ORDER_MARK)) {
                if (lines.number() > 1) {
                    throw Lines.syntax("a byte order mark in the middle of the text: take it away, or write "
                            + "\\u{feff} if the key begins so");
                }
                line = line.substring(1);
            }
            if (line == null || !line.isBlank()) {
                return line;
            }
        }
    }

    /** Puts what the next line says, if there is one. */
    private static boolean put(Lines lines, Ending ending, ShardFormat format, OrderedPuts puts) {
        boolean exact = ending == Ending.ZERO;
        int column = 1;
        Cid value;
        String key;
        try {
            String line = exact ? lines.next() : next(lines);
            if (line == null) {
                return false;
            }
            int tab = line.lastIndexOf('\t');
            if (tab < 0) {
                column = line.length() + 1;
                throw Lines.syntax("a key, a tab and a CID are expected, and there is no tab"
                        + (exact ? "; keys with zero bytes are listed and loaded without -0" : ""));
            }
            column = tab + 2;
            boolean returned = !exact && line.endsWith("\r");
            value = Values.parse(line.substring(tab + 1, line.length() - (returned ? 1 : 0)));
            column = 1;
            String given = line.substring(0, tab);
            key = exact ? given : unescaped(given);
            format.checkKey(key);
        } catch (RuntimeException e) {
            throw Operations.at("line " + lines.number() + ", column " + column, e);
        }
        puts.put(key, value, lines.number());
        return true;
    }

    private static String unescaped(String key) {
        try {
            return EscapedKey.parse(key);
        } catch (IllegalArgumentException e) {
            throw Lines.syntax(Failure.message(e));
        }
    }
}
