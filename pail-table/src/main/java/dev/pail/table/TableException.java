package dev.pail.table;

import dev.pail.PailException;
import org.jspecify.annotations.Nullable;

/** Something asked of a table that cannot be done, or a table that is not as it should be. Nothing has changed. */
public final class TableException extends PailException {
    /** What kind of trouble it is. */
    public enum Reason {
        /** There is no table of this name. */
        NO_TABLE,
        /** There is a table of this name already. */
        TABLE_EXISTS,
        /** There is no index on this field. */
        NO_INDEX,
        /** There is an index on this field already. */
        INDEX_EXISTS,
        /** There is a row of this id already, and it was not to be replaced. */
        ROW_EXISTS,
        /** An indexed field has a value that no index takes. */
        NOT_INDEXABLE,
        /** What was given cannot be the name of a table, the path of a field or the id of a row. */
        NAME,
        /** There is no room for another table. */
        TOO_MANY_TABLES,
        /** A filter that says nothing that can be understood. */
        FILTER,
        /** A key that is none of a table's, or of which that cannot be told. */
        KEY,
        /** Tables that have got the same number by a merge. */
        SAME_NUMBER,
        /** A table whose entries do not fit together. */
        DAMAGED
    }

    private final Reason reason;

    TableException(Reason reason, String message) {
        this(reason, message, null);
    }

    TableException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    static TableException key(String message) {
        return new TableException(Reason.KEY, message);
    }

    static TableException name(String message) {
        return new TableException(Reason.NAME, message);
    }

    /** What kind of trouble it is. */
    public Reason reason() {
        return reason;
    }
}
