package dev.pail.jdbc;

import static java.util.Map.entry;

import dev.pail.Escapes;
import dev.pail.StoreIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What an error of the database means, by its SQLSTATE, and how to say it. */
final class SqlFailure {
    private static final int LONGEST_REASON = 300;

    /** The database or the network was not there; nothing was wrong with the statement. */
    private static final Set<String> UNREACHABLE = Set.of("57P01", "57P02", "57P03", "25P03", "53300");

    /** The database has undone the transaction, so that another can proceed. */
    private static final Set<String> UNDONE = Set.of("40001", "40P01");

    private static final Set<String> FORBIDDEN = Set.of("25006", "42501");

    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private static final String REJECTED = "08004";

    /** What a state or a class of states means to people, and what to do about it. */
    private record Meaning(String words, @Nullable String hint) {}

    private static final String PASSWORD =
            "the password comes from PGPASSWORD or from ~/.pgpass, the user from the URL or PGUSER";

    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            entry("28P01", new Meaning("the password was refused", PASSWORD)),
            entry(REJECTED, new Meaning("the server wants a password", PASSWORD)),
            entry(
                    "28000",
                    new Meaning(
                            "the server does not let this user in",
                            "check the user in the URL or PGUSER, and pg_hba.conf of the server")),
            entry(
                    "3D000",
                    new Meaning(
                            "there is no such database", "check its name in the URL, or make it with: createdb NAME")),
            entry(
                    "42501",
                    new Meaning(
                            "the user lacks a permission",
                            "grant it: readers need select on the tables of pail, writers also insert and update, the collector delete")),
            entry(
                    "25006",
                    new Meaning("the database is read-only", "a replica may be: name the primary server in the URL")),
            entry(
                    "53300",
                    new Meaning(
                            "the server has too many connections",
                            "end some of them, use a pooler, or raise max_connections of the server")),
            entry("53100", new Meaning("the disk of the server is full", "free space there, and try again")),
            entry(
                    "57014",
                    new Meaning(
                            "the server ended the statement", "see statement_timeout of the user and the database")),
            entry("57P01", new Meaning("the server stops", "try again when it runs")),
            entry("57P02", new Meaning("the server has crashed", "try again when it runs")),
            entry("57P03", new Meaning("the server starts or stops", "try again when it runs")));

    private static final Map<String, Meaning> CLASSES = Map.of(
            "08", new Meaning("the connection failed", "see whether the server runs, and try again"),
            "40", new Meaning("another transaction was faster", "try again"),
            "53", new Meaning("the server has too little memory or disk", "free some there, and try again"),
            "58", new Meaning("the server has trouble with its system", "see the log of the server"),
            "XX", new Meaning("the server has trouble with its data", "see the log of the server"));

    private static final Meaning OTHER = new Meaning("the database refused a statement", null);

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

    /** Whether no server is there at all: nothing listens at its address, there is no such host, or the password is missing. */
    static boolean isAbsent(SQLException failure) {
        return failure.getCause() instanceof ConnectException
                || failure.getCause() instanceof UnknownHostException
                || REJECTED.equals(state(failure));
    }

    /** Whether a write failed because the role has no permission, or the database is read-only. */
    static boolean isForbidden(StoreIOException failure) {
        return failure.getCause() instanceof SQLException cause && FORBIDDEN.contains(state(cause));
    }

    /** Why it failed, in plain words, and then the first line of what the database says. */
    static StoreIOException of(String what, String location, SQLException failure) {
        return new StoreIOException(what, location, reason(failure), meaning(failure).hint, failure);
    }

    /** The same without what failed, and where. */
    static String reason(SQLException failure) {
        Throwable cause = failure.getCause();
        boolean isSaid = cause instanceof UnknownHostException || cause instanceof ConnectException;
        return meaning(failure).words + (isSaid ? "" : ": " + firstLine(failure)) + " ("
                + Escapes.printable(state(failure)) + ")";
    }

    private static Meaning meaning(SQLException failure) {
        if (failure.getCause() instanceof UnknownHostException host) {
            String name = String.valueOf(host.getMessage()).replaceFirst(":.*", "");
            return new Meaning("no such host: " + Escapes.brief(name), "check the name of the host, and the network");
        }
        if (failure.getCause() instanceof ConnectException) {
            return new Meaning(
                    "the connection was refused: no server listens there",
                    "see whether the server runs, and whether the host and the port are right");
        }
        if (failure.getCause() instanceof SocketTimeoutException) {
            return new Meaning(
                    "the server does not answer",
                    "see whether the server runs, and whether a firewall is between; connectTimeout and socketTimeout of the URL"
                            + " are in seconds");
        }
        // The driver has no state of its own for this.
        boolean isOfConnection = state(failure).startsWith("08");
        if (failure.getCause() instanceof SSLException
                || (isOfConnection && String.valueOf(failure.getMessage()).contains("SSL"))) {
            return new Meaning(
                    "no secure connection",
                    "sslmode in the URL says what is checked, and sslrootcert names a file with the certificate of the authority");
        }
        Meaning known = MEANINGS.get(state(failure));
        String ofClass = state(failure).replaceFirst("(?<=^..).*", "");
        return known == null ? CLASSES.getOrDefault(ofClass, OTHER) : known;
    }

    /** It names the table and the constraint. The other lines have data of rows. */
    private static String firstLine(SQLException failure) {
        String line = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        String text = line.replaceFirst("^(ERROR|FATAL): ", "");
        String brief = text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
        return Escapes.printable(brief);
    }
}
