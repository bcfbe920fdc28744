package dev.pail.table;

import dev.pail.PailException;

/**
 * A text that is no document: not an object in JSON, or one that is too large.
 *
 * <pre>{@code
 * try {
 *     Document document = Document.parse("{\"name\": Ann}");
 * } catch (DocumentException e) {
 *     System.err.println("column " + e.column() + ": " + e.what()); // column 10: Unrecognized token 'Ann'
 * }
 * }</pre>
 */
public final class DocumentException extends PailException {
    private final long line;
    private final int column;
    private final String what;

    /**
     * An error at a place of a text.
     *
     * @param line from 1; 0 if the text is one line
     * @param column from 1
     */
    public DocumentException(long line, int column, String what) {
        super((line > 0 ? "line " + line + ", column " + column : "column " + column) + ": " + what);
        this.line = line;
        this.column = column;
        this.what = what;
    }

    /** The same in a text that begins at this line and column of another. */
    DocumentException at(long beginsInLine, int beginsInColumn) {
        return line > 1
                ? new DocumentException(beginsInLine + line - 1, column, what)
                : new DocumentException(beginsInLine, beginsInColumn + column - 1, what);
    }

    /** Returns the line in the text that was read, from 1; 0 if the text is one line. */
    public long line() {
        return line;
    }

    /** The column in that line, from 1. */
    public int column() {
        return column;
    }

    /** Describes the error. */
    public String what() {
        return what;
    }

    @Override
    public String code() {
        return "malformed-document";
    }

    @Override
    public Kind kind() {
        return Kind.MALFORMED;
    }
}
