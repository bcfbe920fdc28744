package dev.pail.cli.text;

import de.siegmar.fastcsv.reader.CsvRecord;
import dev.pail.ShardFormat;
import dev.pail.cli.terminal.Failure;
import dev.pail.values.EscapedKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys and values of a text. */
public interface Entries {
    /** A key and its value. */
    record Entry(String key, NewValue value, long line) {}

    /** Goes back to the beginning. */
    void restart();

    /**
     * The next entry, or null behind the last.
     *
     * @param format that of the pail, which takes the key
     * @throws Failure.Found if there is something else; it says where
     */
    @Nullable
    Entry next(ShardFormat format);

    /**
     * Lines of a key, a tab and a value. In keys, some characters have escapes; values have none.
     *
     * @param isExact whether a zero byte ends each line, and keys have no escapes
     */
    static Entries ofLines(Lines lines, boolean isExact, ValueTexts values) {
        return new OfLines(lines, isExact, values);
    }

    /**
     * Records of a CSV text.
     *
     * @param isRagged whether a record may have fewer fields than there are columns
     * @param keyColumn the name of the column with keys, or null for the usual one
     * @param valueColumn the name of the column with values, or null for the usual one
     */
    static Entries ofCsv(
            Lines lines,
            boolean isRagged,
            @Nullable String keyColumn,
            @Nullable String valueColumn,
            ValueTexts values) {
        return new OfCsv(new CsvRecords(lines, isRagged), keyColumn, valueColumn, values);
    }

    /** Of lines. */
    final class OfLines implements Entries {
        private static final String BYTE_ORDER_MARK = "\ufeff";

        private final Lines lines;
        private final boolean isExact;
        private final ValueTexts values;

        private OfLines(Lines lines, boolean isExact, ValueTexts values) {
            this.lines = lines;
            this.isExact = isExact;
            this.values = values;
        }

        @Override
        public void restart() {
            lines.restart();
            values.restart();
        }

        @Override
        public @Nullable Entry next(ShardFormat format) {
            int column = 1;
            try {
                String line = isExact ? lines.next() : nextLine();
                if (line == null) {
                    return null;
                }
                String entry = !isExact && line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
                int tab = tab(entry);
                if (tab < 0) {
                    column = line.length() + 1;
                    throw Lines.syntax("a key, a tab and a " + (values.areTexts() ? "text" : "CID")
                            + " are expected, and there is no tab"
                            + (isExact ? "; keys with zero bytes are listed and loaded without -0" : ""));
                }
                column = tab + 2;
                NewValue value = values.read(entry.substring(tab + 1));
                column = 1;
                String given = entry.substring(0, tab);
                String key = isExact ? given : unescaped(given);
                format.checkKey(key);
                return new Entry(key, value, lines.number());
            } catch (RuntimeException e) {
                throw Operations.at("line " + lines.number() + ", column " + column, e);
            }
        }

        /** The tab behind the key: the last, if a CID is behind it. A text may have tabs. */
        private int tab(String entry) {
            int first = entry.indexOf('\t');
            int last = entry.lastIndexOf('\t');
            boolean isLast = !values.takesTexts()
                    || (first != last && !values.areTexts() && Values.looksLikeCid(entry.substring(last + 1)));
            return isLast ? last : first;
        }

        /** The next line that is not blank. A byte-order mark before the first is no part of a key: ls escapes one that is. */
        private @Nullable String nextLine() {
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

        private static String unescaped(String key) {
            try {
                return EscapedKey.parse(key);
            } catch (IllegalArgumentException e) {
                throw Lines.syntax(Failure.message(e));
            }
        }
    }

    /** Of CSV. */
    final class OfCsv implements Entries {
        private final CsvRecords records;
        private final @Nullable String keyColumn;
        private final @Nullable String valueColumn;
        private final ValueTexts values;
        private boolean isBegun;
        private int key;
        private int value;

        private OfCsv(CsvRecords records, @Nullable String keyColumn, @Nullable String valueColumn, ValueTexts values) {
            this.records = records;
            this.keyColumn = keyColumn;
            this.valueColumn = valueColumn;
            this.values = values;
        }

        @Override
        public void restart() {
            isBegun = false;
            values.restart();
        }

        @Override
        public @Nullable Entry next(ShardFormat format) {
            try {
                if (!isBegun) {
                    isBegun = true;
                    findColumns(records.restart());
                }
                CsvRecord record = records.next();
                if (record == null) {
                    return null;
                }
                String name = cell(record, key, "key");
                NewValue given = values.read(cell(record, value, "value"));
                format.checkKey(name);
                return new Entry(name, given, records.line());
            } catch (RuntimeException e) {
                throw Operations.at(records.place(), e);
            }
        }

        private void findColumns(List<String> names) {
            String keyName = keyColumn == null ? "key" : keyColumn;
            String valueName = valueColumn == null ? "value" : valueColumn;
            key = names.indexOf(keyName);
            if (key < 0) {
                throw records.noKeys(keyName, "--key", names);
            }
            value = names.indexOf(valueName);
            // Of two columns, one has the keys, and the other one the values.
            value = value < 0 && valueColumn == null && names.size() == 2 ? 1 - key : value;
            if (value < 0) {
                throw CsvRecords.noColumn(valueName, "--value", names);
            }
        }

        private static String cell(CsvRecord record, int column, String what) {
            if (column >= record.getFieldCount()) {
                throw CsvRecords.missing(what, column);
            }
            return record.getField(column);
        }
    }
}
