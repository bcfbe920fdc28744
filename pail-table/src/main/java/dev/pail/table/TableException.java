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
    /** Why the operation was refused. */
    public enum Reason {
        /** There is no table of this name. */
        NO_TABLE("no-such-table", Kind.MISSING),
        /** There is a table of this name already. */
        TABLE_EXISTS("table-exists", Kind.STATE),
        /** There is no index on this field. */
        NO_INDEX("no-such-index", Kind.REFUSED),
        /** There is an index on this field already. */
        INDEX_EXISTS("index-exists", Kind.STATE),
        /** There is a row of this id already, and it was not to be replaced. */
        ROW_EXISTS("row-exists", Kind.STATE),
        /** An indexed field has a value that no index takes. */
        NOT_INDEXABLE("not-indexable", Kind.REFUSED),
        /** Another row has the same values in a unique index. */
        NOT_UNIQUE("not-unique", Kind.STATE),
        /** A row does not fit the schema of its table. */
        MISFIT("row-misfit", Kind.REFUSED),
        /** What was given cannot be the schema of a table. */
        SCHEMA("bad-schema", Kind.REFUSED),
        /** The table has no schema. */
        NO_SCHEMA("no-such-schema", Kind.MISSING),
        /** What was given cannot be the name of a table, the path of a field, an index or the id of a row. */
        NAME("bad-table-name", Kind.REFUSED),
        /** There is no room for another table. */
        TOO_MANY_TABLES("too-many-tables", Kind.STATE),
        /** A filter that says nothing that can be understood. */
        FILTER("bad-filter", Kind.REFUSED),
        /** A key that does not belong to a table, or may not. */
        KEY("not-a-table-key", Kind.MALFORMED),
        /** Tables that have got the same number by a merge. */
        SAME_NUMBER("same-table-number", Kind.MALFORMED),
        /** A table whose entries do not fit together. */
        DAMAGED("damaged-table", Kind.DAMAGED);

        private final String code;
        private final Kind kind;

        Reason(String code, Kind kind) {
            this.code = code;
            this.kind = kind;
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

    @Override
    public Kind kind() {
        return reason.kind;
    }

    /** Returns the reason. */
    public Reason reason() {
        return reason;
    }
}
