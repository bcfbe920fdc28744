package dev.pail.cli.text;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import dev.pail.Escapes;
import dev.pail.table.Document;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The records of a CSV text (RFC 4180). The first line has the names of the columns. Line breaks may be LF, CRLF or CR. */
final class CsvRecords {
    private static final String FIRST = "line 1";
    private static final int MOST_COLUMNS = 10_000;

    /** Of a cell, in characters. */
    static final int MOST_CELL = Document.MAX_SIZE;

    /** Of a record, in characters. */
    private static final int MOST_RECORD = 2 * Document.MAX_SIZE;

    private final Lines lines;
    private Iterator<CsvRecord> records = List.<CsvRecord>of().iterator();
    private long firstLine;
    private long line;
    private String place = FIRST;

    CsvRecords(Lines lines) {
        this.lines = lines;
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
        return header.getFields();
    }

    /** The next record, or null behind the last. */
    @Nullable
    CsvRecord next() {
        // It is not known where a record begins that cannot be read.
        place = "after line " + line;
        CsvRecord record = read();
        if (record != null) {
            place = "line " + line;
        }
        return record;
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
