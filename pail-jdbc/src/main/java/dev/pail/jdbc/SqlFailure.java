package dev.pail.jdbc;

import dev.pail.Escapes;
import dev.pail.StoreIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What an error of the database means, by its SQLSTATE, and how to say it. */
final class SqlFailure {
    private static final int LONGEST_REASON = 300;

    /** The database or the network was not there; nothing was wrong with the statement. */
    private static final Set<String> UNREACHABLE = Set.of("57P01", "57P02", "57P03", "25P03", "53300");

    /** The database has undone the transaction, so that another can proceed. */
    private static final Set<String> UNDONE = Set.of("40001", "40P01");

    private static final Set<String> FORBIDDEN = Set.of("25006", "42501");

    /** The database wants a password, or refuses it. */
    private static final Set<String> PASSWORD = Set.of("28P01", "08004");

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private SqlFailure() {}

    private static String state(SQLException failure) {
        return String.valueOf(failure.getSQLState());
    }

    /** Whether the connection has ended or could not be made, so that a statement may have happened. */
    static boolean isUnreachable(SQLException failure) {
        return state(failure).startsWith("08")
                || UNREACHABLE.contains(state(failure))
                || failure instanceof SQLTransientConnectionException;
    }

    /** Whether the same may succeed a moment later. */
    static boolean mayPass(SQLException failure) {
        return isUnreachable(failure) || UNDONE.contains(state(failure));
    }

    /** Whether the wait for a lock took too long. */
    static boolean isLocked(SQLException failure) {
        return LOCK_NOT_AVAILABLE.equals(state(failure));
    }

    /** Whether no server is there at all: nothing listens at its address, or there is no such host. */
    static boolean isAbsent(SQLException failure) {
        return failure.getCause() instanceof ConnectException || failure.getCause() instanceof UnknownHostException;
    }

    /** Whether a write failed because the role has no permission, or the database is read-only. */
    static boolean isForbidden(StoreIOException failure) {
        return failure.getCause() instanceof SQLException cause && FORBIDDEN.contains(state(cause));
    }

    /** The first line of what the database says: it names the table and the constraint. The others have data of rows. */
    static String reason(SQLException failure) {
        if (failure.getCause() instanceof UnknownHostException host) {
            return "no such host: "
                    + Escapes.brief(String.valueOf(host.getMessage()).replaceFirst(":.*", ""))
                    + code(failure);
        }
        if (failure.getCause() instanceof ConnectException) {
            return "the connection was refused: no server listens there" + code(failure);
        }
        if (PASSWORD.contains(state(failure))) {
            return firstLine(failure) + "; a password comes from PGPASSWORD or from ~/.pgpass";
        }
        return firstLine(failure);
    }

    private static String firstLine(SQLException failure) {
        String line = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        String text = line.replaceFirst("^(ERROR|FATAL): ", "");
        String brief = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
        return Escapes.printable(brief) + code(failure);
    }

    private static String code(SQLException failure) {
        return " (" + failure.getSQLState() + ")";
    }
}
