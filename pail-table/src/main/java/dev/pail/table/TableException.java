package dev.pail.table;

import dev.pail.PailException;
import org.jspecify.annotations.Nullable;

/**
 * A refused operation on a table, or a malformed table. Nothing has changed.
 *
 * <pre>{@code
 * try {
 *     Table people = Tables.of(pail).create("people");
 * } catch (TableException e) {
 *     if (e.reason() == TableException.Reason.TABLE_EXISTS) {
 *         System.err.println(e.code() + ": " + e.getMessage()); // table-exists: ...
 *     }
 * }
 * }</pre>
 */
public final class TableException extends PailException {
    /** The kind of the error. */
    public enum Reason {
        /** There is no table of this name. */
        NO_TABLE("no-such-table"),
        /** There is a table of this name already. */
        TABLE_EXISTS("table-exists"),
        /** There is no index on this field. */
        NO_INDEX("no-such-index"),
        /** There is an index on this field already. */
        INDEX_EXISTS("index-exists"),
        /** There is a row of this id already, and it was not to be replaced. */
        ROW_EXISTS("row-exists"),
        /** An indexed field has a value that no index takes. */
        NOT_INDEXABLE("not-indexable"),
        /** What was given cannot be the name of a table, the path of a field or the id of a row. */
        NAME("bad-table-name"),
        /** There is no room for another table. */
        TOO_MANY_TABLES("too-many-tables"),
        /** A filter that says nothing that can be understood. */
        FILTER("bad-filter"),
        /** A key that does not belong to a table, or may not. */
        KEY("not-a-table-key"),
        /** Tables that have got the same number by a merge. */
        SAME_NUMBER("same-table-number"),
        /** A table whose entries do not fit together. */
        DAMAGED("damaged-table");

        private final String code;

        Reason(String code) {
            this.code = code;
        }
    }

    private final Reason reason;

    /** A failure without a cause. */
    public TableException(Reason reason, String message) {
        this(reason, message, null);
    }

    /** A failure, with what caused it. */
    public TableException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    @Override
    public String code() {
        return reason.code;
    }

    /** Returns the kind of the error. */
    public Reason reason() {
        return reason;
    }
}
