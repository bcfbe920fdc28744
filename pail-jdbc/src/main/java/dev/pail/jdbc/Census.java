package dev.pail.jdbc;

import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RepositoryException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How many records of refs a repository has, and how many it should have. Rule PG11.
 *
 * @param counted the number in its row; -1, if an older version has made it and no newer one has written to it
 * @param rows its rows
 * @param numbers the sum of the greatest numbers of all names: as many as there are rows, unless there are gaps
 * @param hasBlocks whether it has blocks
 */
record Census(long counted, long rows, long numbers, boolean hasBlocks) {
    private static final String QUERY = "select coalesce((to_jsonb(r) ->> 'records')::bigint, -1),"
            + " (select count(*) from pail_record where repository = r.id and not starts_with(name, 'lost/')),"
            + " (select coalesce(sum(most), 0) from (select max(number) as most from pail_record"
            + " where repository = r.id and not starts_with(name, 'lost/') group by name) as names),"
            + " exists (select from pail_block where repository = r.id)"
            + " from pail_repository r where id = ?";

    static Census of(Database database, Connection connection) throws SQLException {
        try (PreparedStatement query = database.prepare(connection, QUERY)) {
            query.setInt(1, database.repository());
            try (ResultSet found = query.executeQuery()) {
                if (!found.next()) {
                    throw new SQLException("the repository was removed", "02000");
                }
                return new Census(found.getLong(1), found.getLong(2), found.getLong(3), found.getBoolean(4));
            }
        }
    }

    /** @throws RepositoryException if records are missing */
    void check(String location) {
        if (rows < counted) {
            throw lost(rows + " of " + counted + " are there", location);
        }
        if (rows != numbers) {
            throw lost("their numbers have gaps", location);
        }
        // Version 0.2.0 has not counted.
        if (counted < 0 && rows == 0 && hasBlocks) {
            throw lost("there are blocks, and no record", location);
        }
    }

    private static RepositoryException lost(String sign, String location) {
        return RepositoryException.damaged(
                "records of refs are missing: " + sign + ": " + location,
                Hint.of("restore the rows of pail_record, or rebuild the refs with: ", Hint.Action.REBUILD, ""),
                null);
    }
}
