package dev.pail.jdbc;

import dev.pail.ipld.Cid;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.spi.RefRecovery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Refs that begin anew, in one transaction. The rows before are kept under other names. Rule PG15.
 *
 * @param database of the damaged repository
 */
record PostgresRecovery(Database database) {
    /** What the names of rows begin with that count no more. */
    static final String LOST = "lost/";

    /** Rebuilds the refs. */
    Recovered run() {
        return database.inTransaction(this::rebuilt, e -> e);
    }

    private Recovered rebuilt() {
        List<Cid> stored = database.ask("cannot list the blocks", this::stored);
        RefRecovery recovery = RefRecovery.of(
                new PostgresRecords(database, Set.of()), new PostgresBlocks(database, 0), stored, database.now());
        boolean unused = database.ask("cannot write the refs", connection -> {
            replace(connection, recovery.records());
            return true;
        });
        return recovery.found();
    }

    private List<Cid> stored(Connection connection) throws SQLException {
        try (PreparedStatement query =
                database.prepare(connection, "select multihash from pail_block where repository = ?")) {
            query.setInt(1, database.repository());
            List<Cid> all = new ArrayList<>();
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    all.add(SweptRows.cid(found.getBytes(1)));
                }
            }
            return all;
        }
    }

    private void replace(Connection connection, Map<String, byte[]> records) throws SQLException {
        String set = "update pail_record set name = '" + LOST
                + "' || extract(epoch from clock_timestamp())::bigint || '/' || name"
                + " where repository = ? and not starts_with(name, '" + LOST + "')";
        try (PreparedStatement update = database.prepare(connection, set)) {
            update.setInt(1, database.repository());
            int unused = update.executeUpdate();
        }
        for (Map.Entry<String, byte[]> each : records.entrySet()) {
            try (PreparedStatement insert = database.prepare(
                    connection, "insert into pail_record (repository, name, number, content) values (?, ?, 1, ?)")) {
                insert.setInt(1, database.repository());
                insert.setString(2, each.getKey());
                insert.setBytes(3, each.getValue());
                int unused = insert.executeUpdate();
            }
        }
        if (Schema.version(connection) > 1) {
            try (PreparedStatement update =
                    database.prepare(connection, "update pail_repository set records = ? where id = ?")) {
                update.setLong(1, records.size());
                update.setInt(2, database.repository());
                int unused = update.executeUpdate();
            }
        }
    }
}
