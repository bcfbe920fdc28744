package dev.pail.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A source of connections that may go through a pooler: a program, such as pgbouncer, that may run each transaction in another session of
 * the database.
 *
 * <p>Statements that the driver names are then unknown, or those of another client. Without names a statement takes up to twice as long,
 * so the driver names them if it has a session of its own.
 */
final class BehindPooler extends PGSimpleDataSource {
    private static final long serialVersionUID = 1;

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        try {
            adapt(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            try (connection) {
                throw e;
            }
        }
    }

    /** Makes the driver name no statement on a connection that goes through a pooler. Rule PG13. */
    private static void adapt(Connection connection) throws SQLException {
        PGConnection driver = connection.unwrap(PGConnection.class);
        if (driver.getPrepareThreshold() != 0 && isPooled(connection, driver)) {
            driver.setPrepareThreshold(0);
        }
    }

    /** Whether the process that greeted the driver is another than the one that runs its statements. */
    private static boolean isPooled(Connection connection, PGConnection driver) throws SQLException {
        // Of a statement without parameters, the driver names none.
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select pg_backend_pid()")) {
            found.next();
            return found.getInt(1) != driver.getBackendPID();
        }
    }
}
