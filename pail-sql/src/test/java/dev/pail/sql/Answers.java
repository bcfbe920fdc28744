package dev.pail.sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The rows that a query gives, each as the texts of its columns. */
final class Answers {
    private Answers() {}

    /** The text of a column. */
    interface Cell {
        String of(ResultSet row, int column) throws SQLException;
    }

    static List<String> rows(Connection connection, String query, Cell cell) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(query)) {
            List<String> rows = new ArrayList<>();
            int columns = found.getMetaData().getColumnCount();
            while (found.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(cell.of(found, i));
                }
                rows.add(String.join("|", row));
            }
            return rows;
        }
    }
}
