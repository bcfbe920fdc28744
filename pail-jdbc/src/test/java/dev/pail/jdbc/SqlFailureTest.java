package dev.pail.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.StoreIOException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What errors of the database are to people. No server is needed. */
class SqlFailureTest {
    private static final String LOCATION = "postgresql://db.example:5432/notes";

    private static StoreIOException of(String message, @Nullable String state, @Nullable Throwable cause) {
        return SqlFailure.of("cannot find the repository", LOCATION, new SQLException(message, state, cause));
    }

    @ParameterizedTest
    @CsvSource({
        "28P01, the password was refused, PGPASSWORD",
        "08004, the server wants a password, ~/.pgpass",
        "28000, the server does not let this user in, pg_hba.conf",
        "3D000, there is no such database, createdb",
        "42501, the user lacks a permission, grant it",
        "25006, the database is read-only, primary server",
        "53300, the server has too many connections, max_connections",
        "53100, the disk of the server is full, free space",
        "53200, the server has too little memory or disk, free some",
        "57014, the server ended the statement, statement_timeout",
        "57P01, the server stops, when it runs",
        "57P02, the server has crashed, when it runs",
        "57P03, the server starts or stops, when it runs",
        "08006, the connection failed, see whether the server runs",
        "40001, another transaction was faster, try again",
        "58030, the server has trouble with its system, the log",
        "XX001, the server has trouble with its data, the log",
    })
    void saysItInPlainWordsAndThenInThoseOfTheDatabase(String state, String words, String hint) {
        StoreIOException failure = of("FATAL: their words", state, null);
        assertThat(failure)
                .hasMessage("cannot find the repository: " + LOCATION + ": " + words + ": their words (" + state + ")");
        assertThat(failure.hint().orElseThrow()).contains(hint);
    }

    @Test
    void namesWhatIsWrongWithTheNetwork() {
        StoreIOException host =
                of("The connection attempt failed.", "08001", new UnknownHostException("db.example: x"));
        assertThat(host).hasMessageEndingWith("/notes: no such host: \"db.example\" (08001)");
        assertThat(host.hint().orElseThrow()).contains("name of the host");
        StoreIOException port = of("Connection refused", "08001", new ConnectException("Connection refused"));
        assertThat(port).hasMessageEndingWith("/notes: the connection was refused: no server listens there (08001)");
        assertThat(port.hint().orElseThrow()).contains("the port");
        StoreIOException late = of("The connection attempt failed.", "08001", new SocketTimeoutException("timed out"));
        assertThat(late)
                .hasMessageEndingWith("/notes: the server does not answer: The connection attempt failed. (08001)");
        assertThat(late.hint().orElseThrow()).contains("firewall", "connectTimeout");
        StoreIOException ssl = of("SSL error: PKIX", "08006", new SSLHandshakeException("PKIX"));
        assertThat(ssl).hasMessageEndingWith("/notes: no secure connection: SSL error: PKIX (08006)");
        assertThat(ssl.hint().orElseThrow()).contains("sslmode", "sslrootcert");
        assertThat(of("The server does not support SSL.", "08004", null))
                .hasMessageContaining("no secure connection: ");
        assertThat(of("no such table: SSL", "42P01", null)).hasMessageContaining("the database refused a statement: ");
        assertThat(of("An I/O error occurred", "08006", new IOException("reset")))
                .hasMessageContaining("the connection failed: An I/O error occurred (08006)");
    }

    /** A server may be hostile, and other lines of its words have data of rows. */
    @Test
    void keepsToOnePrintableLine() {
        StoreIOException failure = of("ERROR: a\u001b[31mb\nDetail: secret", "22P05", null);
        assertThat(failure).hasMessageEndingWith("/notes: the database refused a statement: a\\u{1b}[31mb (22P05)");
        assertThat(failure.hint()).isEmpty();
        assertThat(of("x".repeat(10_000), "22P05", null).getMessage()).hasSizeLessThan(500);
        assertThat(of("x", null, null)).hasMessageEndingWith("refused a statement: x (null)");
        assertThat(of("x", "", null)).hasMessageEndingWith("refused a statement: x ()");
        assertThat(of("x", "0\u001b", null)).hasMessageEndingWith("refused a statement: x (0\\u{1b})");
    }
}
