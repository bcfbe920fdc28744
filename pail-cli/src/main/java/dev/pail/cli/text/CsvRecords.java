package dev.pail.cli.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.table.Document;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The records of a CSV text (RFC 4180). The first line has the names of the columns. Line breaks may be LF, CRLF or CR. */
final class CsvRecords {
    private static final String FIRST = "line 1";
    private static final int MOST_COLUMNS = 10_000;

    /** Of a cell, in characters. */
    static final int MOST_CELL = Document.MAX_SIZE;

    /** Of a record, in characters. */
    private static final int MOST_RECORD = 2 * Document.MAX_SIZE;

    /** Of lines with the wrong number of fields, and of columns, how many a message names. */
    private static final int MOST_NAMED = 5;

    /** How many records and columns are read to find a column with ids, and the longest id that counts, in characters. */
    private static final int MOST_TRIED = 1_000;

    private static final int MOST_TRIED_COLUMNS = 20;
    private static final int LONGEST_TRIED = 200;

    private final Lines lines;
    private final boolean isRagged;
    private Iterator<CsvRecord> records = List.<CsvRecord>of().iterator();
    private int columns;
    private long firstLine;
    private long line;
    private String place = FIRST;

    /** @param isRagged whether a record may have fewer fields than there are columns */
    CsvRecords(Lines lines, boolean isRagged) {
        this.lines = lines;
        this.isRagged = isRagged;
    }

    /** The place of the last record, or of the one that cannot be read behind it. */
    String place() {
        return place;
    }

    /** The line in which the last record begins. */
    long line() {
        return line;
    }

    /** Begins again, and returns the names of the columns. */
    List<String> restart() {
        lines.restart();
        place = FIRST;
        records = begin();
        CsvRecord header = read();
        if (header == null) {
            throw Lines.syntax("no CSV: the first line has the names of the columns");
        }
        columns = header.getFieldCount();
        return header.getFields();
    }

    /** The next record, or null behind the last. It has as many fields as there are columns; if it may be ragged, as many or fewer. */
    @Nullable
    CsvRecord next() {
        // It is not known where a record begins that cannot be read.
        place = "after line " + line;
        CsvRecord record = read();
        if (record != null) {
            place = "line " + line;
            int fields = record.getFieldCount();
            if (fields > columns || (fields < columns && !isRagged)) {
                throw wrongCounts(fields);
            }
        }
        return record;
    }

    /** Reads the rest, to say at once which lines have the wrong number of fields. */
    private Failure.Found wrongCounts(int fields) {
        Named fewer = new Named();
        Named more = new Named();
        try {
            int count = fields;
            while (true) {
                if (count != columns) {
                    (count < columns ? fewer : more).add(Long.toString(line));
                }
                CsvRecord record = read();
                if (record == null) {
                    break;
                }
                count = record.getFieldCount();
            }
        } catch (Failure.Found e) {
            // The lines up to there have been counted.
        }
        String message = "the line has " + fields(fields) + ", and the first line has " + fields(columns)
                + (fewer.count == 0 || isRagged ? "" : "; too few: " + lines(fewer))
                + (more.count == 0 ? "" : "; too many: " + lines(more));
        String tooMany = more.count == 0 ? "" : "put cells that have commas in double quotes";
        String tooFew = fewer.count == 0 || isRagged ? "" : "if fields are missing at the end of lines, give --ragged";
        return new Failure.Found(
                Exit.FAILED, "syntax", message, tooFew + (tooFew.isEmpty() || tooMany.isEmpty() ? "" : "; ") + tooMany);
    }

    private static String fields(int count) {
        return count + (count == 1 ? " field" : " fields");
    }

    private static String lines(Named named) {
        return named.count + (named.count == 1 ? " line (" : " lines (") + named.all(", ") + ")";
    }

    /** The first few of many names, and how many there are. */
    private static final class Named {
        private final List<String> first = new ArrayList<>();
        private long count;

        void add(String name) {
            if (count++ < MOST_NAMED) {
                first.add(name);
            }
        }

        String all(String separator) {
            return String.join(separator, first) + (count > first.size() ? " \u2026" : "");
        }
    }

    /**
     * What to throw if no column has the name of the one with ids or keys. Reads records, to say which columns could be it.
     *
     * @param option the option that names another column
     * @param names of the columns
     */
    Failure.Found noKeys(String name, String option, List<String> names) {
        Named could = couldBeKeys(names);
        return could.count == 0
                ? noColumn(name, option, names)
                : noColumn(name, option, names, "no text comes twice in " + could.all(", "));
    }

    /** What to throw if no column has a name. */
    static Failure.Found noColumn(String name, String option, List<String> names) {
        Named all = new Named();
        names.forEach(each -> all.add(Escapes.brief(each)));
        return noColumn(name, option, names, "the first line has " + all.all(", "));
    }

    private static Failure.Found noColumn(String name, String option, List<String> names, String which) {
        String separators = separatorHint(names);
        return new Failure.Found(
                Exit.FAILED,
                "syntax",
                "no column has the name " + Escapes.brief(name),
                separators == null ? "name the column with " + option + " FIELD: " + which : separators);
    }

    /** What to throw if a record that may be ragged lacks a field. */
    static Failure.Found missing(String what, int column) {
        return Lines.syntax("the line has no " + what + ": that is in column " + (column + 1));
    }

    /** What to do about a first line that another character separates, as in the CSV of spreadsheets in much of Europe. */
    private static @Nullable String separatorHint(List<String> names) {
        for (String[] other : new String[][] {{"\t", "tabs"}, {";", "semicolons"}, {"|", "vertical bars"}}) {
            if (names.stream().anyMatch(name -> name.contains(other[0]))) {
                return "columns are separated by commas, and the first line has " + other[1];
            }
        }
        return null;
    }

    /** The columns whose texts are all different and not empty in the next records. */
    private Named couldBeKeys(List<String> names) {
        List<@Nullable Set<String>> seen = new ArrayList<>();
        names.stream().limit(MOST_TRIED_COLUMNS).forEach(name -> seen.add(new HashSet<>()));
        try {
            CsvRecord record = read();
            for (int i = 0; i < MOST_TRIED && record != null; i++, record = read()) {
                for (int column = 0; column < seen.size(); column++) {
                    Set<String> texts = seen.get(column);
                    String text = column < record.getFieldCount() ? record.getField(column) : "";
                    if (texts != null && (text.isEmpty() || text.length() > LONGEST_TRIED || !texts.add(text))) {
                        seen.set(column, null);
                    }
                }
            }
        } catch (Failure.Found e) {
            // Those that were read will do.
        }
        Named could = new Named();
        for (int column = 0; column < seen.size(); column++) {
            if (seen.get(column) != null) {
                could.add(Escapes.brief(names.get(column)));
            }
        }
        return could;
    }

    private @Nullable CsvRecord read() {
        try {
            if (!records.hasNext()) {
                return null;
            }
            CsvRecord record = records.next();
            line = firstLine + record.getStartingLineNumber();
            return record;
        } catch (CsvParseException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw why instanceof CharacterCodingException
                    ? Lines.syntax("not UTF-8")
                    : Lines.syntax("not CSV: " + Escapes.printable(String.valueOf(why.getMessage())));
        } catch (UncheckedIOException e) {
            throw e.getCause() instanceof CharacterCodingException ? Lines.syntax("not UTF-8") : e;
        }
    }

    private Iterator<CsvRecord> begin() {
        lines.skipToFirst();
        firstLine = lines.number();
        CsvRecordHandler handler = CsvRecordHandler.of(
                limits -> limits.maxFields(MOST_COLUMNS).maxFieldSize(MOST_CELL).maxRecordSize(MOST_RECORD));
        return CsvReader.builder()
                .allowExtraCharsAfterClosingQuote(false)
                .allowUnclosedQuote(false)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .build(
                        handler,
                        new InputStreamReader(
                                new Rest(lines),
                                StandardCharsets.UTF_8
                                        .newDecoder()
                                        .onMalformedInput(CodingErrorAction.REPORT)
                                        .onUnmappableCharacter(CodingErrorAction.REPORT)))
                .iterator();
    }

    /** The bytes that are left. */
    private static final class Rest extends InputStream {
        private final Lines lines;

        Rest(Lines lines) {
            this.lines = lines;
        }

        @Override
        public int read() {
            return lines.take();
        }

        @Override
        public int read(byte[] to, int from, int length) {
            int count = 0;
            int b = 0;
            // A terminal has one line at a time.
            while (count < length && b != '\n') {
                b = lines.take();
                if (b < 0) {
                    break;
                }
                to[from + count++] = (byte) b;
            }
            return count == 0 && length > 0 ? -1 : count;
        }
    }
}
