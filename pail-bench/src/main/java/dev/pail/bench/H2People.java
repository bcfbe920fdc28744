package dev.pail.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A table of H2 in memory, the document in a column of JSON. What is within JSON can have no index there, so city and age are also
 * in columns of their own, which are filled when rows are put. What is handed over is the bytes of the JSON, as H2 has them.
 */
final class H2People implements PeopleTable {
    private static final int BATCH = 1_000;
    private static final String SELECT = "SELECT id, document FROM people WHERE ";

    private final Connection connection;
    private final PreparedStatement byId;
    private final PreparedStatement byCity;
    private final PreparedStatement byAge;
    private final PreparedStatement byPoints;

    H2People() {
        try {
            // Without a name it is this connection's alone. A question that is asked again is not answered from memory.
            connection = DriverManager.getConnection("jdbc:h2:mem:;OPTIMIZE_REUSE_RESULTS=FALSE");
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE people"
                        + " (id VARCHAR PRIMARY KEY, city VARCHAR, age INT, document JSON NOT NULL)");
                statement.execute("CREATE INDEX by_city ON people (city)");
                statement.execute("CREATE INDEX by_age ON people (age)");
            }
            byId = connection.prepareStatement(SELECT + "id = ?");
            byCity = connection.prepareStatement(SELECT + "city = ?");
            byAge = connection.prepareStatement(SELECT + "age >= ? AND age < ?");
            byPoints = connection.prepareStatement(SELECT + "(document).\"points\" = ? FORMAT JSON");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void load(List<String> lines) {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO people VALUES (?, ?, ?, ? FORMAT JSON)")) {
            int waiting = 0;
            for (String line : lines) {
                JsonNode document = Trial.JSON.readTree(line);
                insert.setString(1, document.get("id").textValue());
                insert.setString(2, document.get("address").get("city").textValue());
                insert.setInt(3, document.get("age").intValue());
                insert.setString(4, line);
                insert.addBatch();
                if (++waiting == BATCH) {
                    insert.executeBatch();
                    waiting = 0;
                }
            }
            insert.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void get(String id, BiConsumer<String, Object> found) {
        ask(byId, found, id);
    }

    @Override
    public void inCity(String city, BiConsumer<String, Object> found) {
        ask(byCity, found, city);
    }

    @Override
    public void aged(int from, int before, BiConsumer<String, Object> found) {
        ask(byAge, found, from, before);
    }

    @Override
    public void withPoints(int points, BiConsumer<String, Object> found) {
        ask(byPoints, found, Integer.toString(points));
    }

    private static void ask(PreparedStatement statement, BiConsumer<String, Object> found, Object... parameters) {
        try {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.accept(rows.getString(1), rows.getBytes(2));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
