package dev.pail.jdbc;

import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.spi.RecordErasures;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The erasures of a repository: marks are records of refs, made in the transaction that deletes the rows of blocks. Rule PG16. */
final class PostgresErasures extends RecordErasures {
    /** How many blocks a statement names at most. */
    private static final int MOST_NAMED = 1000;

    private final Database database;
    private final Runnable forget;

    /** @param forget empties the cache of blocks */
    PostgresErasures(Database database, Runnable forget) {
        super(new PostgresRecords(database, Set.of()), database.location());
        this.database = database;
        this.forget = forget;
    }

    @Override
    protected Object version() {
        return database.marks().last();
    }

    @Override
    protected boolean isInUpdate() {
        return database.transaction() != null;
    }

    @Override
    protected void changed() {
        forget.run();
    }

    /** Waits for the puts that are under way. Those that begin later see the marks. */
    @Override
    protected void beforeMarks() {
        int unused = database.ask("cannot lock the blocks", connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.execute("lock table pail_block in share row exclusive mode");
                return 0;
            }
        });
    }

    @Override
    public void add(Collection<Erasure> records) {
        super.add(records);
        database.afterwards(this::renew);
    }

    private void renew() {
        long unused = database.marks().now();
    }

    @Override
    protected void remove(Set<Cid> marked) {
        forEachPart(marked, part -> {
            int unused = delete(part);
        });
        removed(marked);
        database.afterwards(forget);
    }

    /** Deletes the rows of blocks. */
    int delete(Collection<Cid> marked) {
        return database.ask("cannot erase blocks", connection -> {
            try (PreparedStatement delete = database.prepare(
                    connection, "delete from pail_block where repository = ? and multihash = any(?)")) {
                delete.setInt(1, database.repository());
                delete.setArray(2, PostgresBlocks.named(connection, marked));
                return delete.executeUpdate();
            }
        });
    }

    @Override
    public Set<Cid> stored(Set<Cid> cids) {
        Set<Cid> found = new HashSet<>();
        forEachPart(cids, part -> found.addAll(stored(part)));
        return found;
    }

    private List<Cid> stored(List<Cid> cids) {
        return database.ask("cannot look for erased blocks", connection -> {
            try (PreparedStatement query = database.prepare(
                    connection, "select multihash from pail_block where repository = ? and multihash = any(?)")) {
                query.setInt(1, database.repository());
                query.setArray(2, PostgresBlocks.named(connection, cids));
                List<Cid> some = new ArrayList<>();
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        some.add(SweptRows.cid(rows.getBytes(1)));
                    }
                }
                return some;
            }
        });
    }

    private static void forEachPart(Set<Cid> cids, Consumer<List<Cid>> action) {
        List<Cid> ordered = List.copyOf(new TreeSet<>(cids));
        for (int from = 0; from < ordered.size(); from += MOST_NAMED) {
            action.accept(ordered.subList(from, Math.min(from + MOST_NAMED, ordered.size())));
        }
    }
}
