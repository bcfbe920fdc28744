package dev.pail.sql;

import dev.pail.PailException;

/** Signals that a query cannot be answered: a name is of nothing, or a row has a value that does not fit its column. */
public final class QueryException extends PailException {
    private static final long serialVersionUID = 1;

    public QueryException(String message) {
        super(message);
    }

    @Override
    public Kind kind() {
        return Kind.REFUSED;
    }

    @Override
    public String code() {
        return "query";
    }
}
