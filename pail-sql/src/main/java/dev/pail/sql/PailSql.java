package dev.pail.sql;

import dev.pail.Pail;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.sql.calcite.ExactTypes;
import dev.pail.sql.calcite.HistoryTables;
import dev.pail.sql.calcite.OtherVersions;
import dev.pail.sql.calcite.RevisionSchema;
import dev.pail.sql.calcite.VersionParser;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.calcite.jdbc.CalciteConnection;
import org.apache.calcite.jdbc.Driver;
import org.apache.calcite.schema.Function;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.schema.Table;

/**
 * SQL over the tables of a version.
 *
 * <pre>{@code
 * try (Connection connection = PailSql.connect(repository, "main");
 *         Statement statement = connection.createStatement();
 *         ResultSet rows = statement.executeQuery("SELECT city, COUNT(*) FROM people GROUP BY city")) {
 *     while (rows.next()) {
 *         System.out.println(rows.getString(1) + " " + rows.getLong(2));
 *     }
 * }
 * }</pre>
 *
 * <p>A connection reads one version, the one that its revision had when it was made, and writes nothing. The id of a row is the column {@code _id}; the
 * others are the columns of the schema, or the fields of the first 1,000 rows. Other versions are schemas:
 * {@code "main@{1}".people}, or {@code people FOR SYSTEM_TIME AS OF TIMESTAMP '2026-01-31 12:00:00'}, in UTC. Names are case-sensitive.
 */
public final class PailSql {
    private PailSql() {}

    /**
     * Opens a connection, which the caller closes before the repository.
     *
     * @param revision a branch, a tag, or what else {@link Repository#resolve} takes
     * @throws RepositoryException if there is no such version
     */
    public static Connection connect(Repository repository, String revision) throws SQLException {
        Objects.requireNonNull(repository, "repository");
        Pail version =
                repository.resolve(Objects.requireNonNull(revision, "revision")).pail();
        return connect(
                version,
                HistoryTables.of(repository, revision),
                Map.of(OtherVersions.NAME, new OtherVersions(repository)));
    }

    /** Opens a connection to one version alone. */
    public static Connection connect(Pail version) throws SQLException {
        return connect(Objects.requireNonNull(version, "version"), Map.of(), Map.of());
    }

    private static Connection connect(Pail version, Map<String, Table> others, Map<String, Function> functions)
            throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("unquotedCasing", "UNCHANGED");
        properties.setProperty("quotedCasing", "UNCHANGED");
        properties.setProperty("caseSensitive", "true");
        properties.setProperty("conformance", "LENIENT");
        properties.setProperty("fun", "standard,postgresql");
        properties.setProperty("timeZone", "UTC");
        properties.setProperty("typeSystem", ExactTypes.class.getName());
        properties.setProperty("parserFactory", VersionParser.class.getName() + "#FACTORY");
        Connection connection = new Driver().connect("jdbc:calcite:", properties);
        CalciteConnection calcite = connection.unwrap(CalciteConnection.class);
        SchemaPlus root = calcite.getRootSchema();
        root.add(RevisionSchema.NAME, new RevisionSchema(version, others, functions));
        calcite.setSchema(RevisionSchema.NAME);
        return connection;
    }
}
