package dev.pail.jdbc;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.ErasedBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.CachingBlockStore;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import dev.pail.trace.Trace;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Blocks as rows, by their multihashes. Rule PG3. What is read outside of an update is cached, until a collection may have taken blocks
 * away. Safe for use by several threads.
 */
final class PostgresBlocks implements RepositoryBlocks {
    /** How many blocks a statement names at most. */
    private static final int MOST_NAMED = 1000;

    /** How many bytes of blocks a statement puts, if that is more than one block. */
    private static final int MOST_BYTES = 4 << 20;

    /** How many blocks are fetched together when a walk goes through links in order. */
    private static final int AHEAD = 64;

    private static final String CANNOT_READ = "cannot read blocks";

    private final Database database;
    private final long cacheBytes;
    private final Rows rows = new Rows();
    private final PostgresErasures erasures;
    private volatile BlockStore cached;

    PostgresBlocks(Database database, long cacheBytes) {
        this.database = database;
        this.cacheBytes = cacheBytes;
        this.cached = new CachingBlockStore(rows, cacheBytes, AHEAD);
        this.erasures = new PostgresErasures(database, this::renew);
    }

    @Override
    public Erasures erasures() {
        return erasures;
    }

    /** The rows themselves within a transaction: what it has put may be rolled back, and must not stay in the cache. */
    private BlockStore readable() {
        database.checkOpen();
        return database.transaction() == null ? cached : rows;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        // Behind the read, which may have seen that there are more marks.
        return readable().get(Objects.requireNonNull(cid, "cid")).filter(block -> !erasures.isErased(cid));
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        Map<Cid, Block> found = new LinkedHashMap<>(readable().getAll(cids));
        found.keySet().removeIf(erasures::isErased);
        return found;
    }

    @Override
    public boolean has(Cid cid) {
        database.checkOpen();
        return rows.has(Objects.requireNonNull(cid, "cid")) && !erasures.isErased(cid);
    }

    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        database.checkOpen();
        Set<Cid> found = new HashSet<>(rows.hasAll(cids));
        found.removeIf(erasures::isErased);
        return found;
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        database.checkOpen();
        Objects.requireNonNull(origins, "origins");
        erasures.refuse(blocks, database.marks().last());
        rows.putAll(blocks);
    }

    /** Replaces the cache, as a collection may have deleted what is in it. Reads that are under way fill the old one. */
    @Override
    public void renew() {
        cached = new CachingBlockStore(rows, cacheBytes, AHEAD);
    }

    @Override
    public SweptBlocks swept() {
        return new SweptRows(database, this::look, this::renew);
    }

    private Optional<Block> look(Cid cid) {
        return cid.canNameBlock()
                ? Optional.ofNullable(rows.fetch(List.of(cid), Reading.AS_IT_IS).get(cid))
                : Optional.empty();
    }

    @Override
    public void check(Consumer<PailException> damaged, Runnable progress) {
        Objects.requireNonNull(damaged, "damaged");
        Objects.requireNonNull(progress, "progress");
        for (Iterator<List<SweptRows.Row>> pages = SweptRows.pages(database); pages.hasNext(); ) {
            for (SweptRows.Row row : pages.next()) {
                progress.run();
                try {
                    Optional<Block> unused = look(row.cid());
                } catch (CorruptBlockException e) {
                    damaged.accept(e);
                }
            }
        }
    }

    @Override
    public void close() {
        database.close();
    }

    /** What becomes of a condemned block that is read. */
    private enum Reading {
        WITH_PARDON,
        AS_IT_IS
    }

    static Array named(Connection connection, Collection<Cid> cids) throws SQLException {
        return bytes(connection, cids.stream().map(Cid::multihash).toList());
    }

    static Array bytes(Connection connection, Collection<byte[]> all) throws SQLException {
        return connection.createArrayOf("bytea", all.toArray(byte[][]::new));
    }

    /** The rows themselves. */
    private final class Rows implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            if (!cid.canNameBlock()) {
                return Optional.empty();
            }
            return Optional.ofNullable(fetch(List.of(cid), Reading.WITH_PARDON).get(cid));
        }

        /** A block that is read counts as put, so it does not stay condemned. */
        private void pardon(List<Cid> condemned) {
            if (condemned.isEmpty()) {
                return;
            }
            try {
                int unused = database.ask("cannot bring blocks back", connection -> {
                    try (PreparedStatement update = database.prepare(
                            connection,
                            "update pail_block set condemned_at = null, put_at = clock_timestamp()"
                                    + " where repository = ? and multihash = any(?) and condemned_at is not null")) {
                        update.setInt(1, database.repository());
                        update.setArray(2, named(connection, condemned));
                        return update.executeUpdate();
                    }
                });
            } catch (StoreIOException e) {
                if (!SqlFailure.isForbidden(e)) {
                    throw e;
                }
                Trace.swallowed("a block stays condemned, as this reader must not write", e);
            }
        }

        private Block verified(Cid cid, byte[] bytes) {
            database.counters().bytesRead.add(bytes.length);
            return Block.verified(cid, bytes);
        }

        @Override
        public Map<Cid, Block> getAll(Collection<Cid> cids) {
            Map<Cid, Block> found = new LinkedHashMap<>();
            forEachPart(cids, part -> found.putAll(fetch(part, Reading.WITH_PARDON)));
            return found;
        }

        private static void forEachPart(Collection<Cid> cids, Consumer<List<Cid>> action) {
            List<Cid> asked = cids.stream().filter(Cid::canNameBlock).toList();
            for (int from = 0; from < asked.size(); from += MOST_NAMED) {
                action.accept(asked.subList(from, Math.min(from + MOST_NAMED, asked.size())));
            }
        }

        /** A row for each block that is there, and at least one, with the number of records of erased blocks at the end. */
        private PreparedStatement asked(Connection connection, String column, List<Cid> cids) throws SQLException {
            PreparedStatement query = database.prepare(
                    connection,
                    "select multihash, " + column + ", condemned_at is not null, marks.count from (" + MarkCount.QUERY
                            + ") as marks left join pail_block on repository = ? and multihash = any(?)");
            query.setInt(1, database.repository());
            query.setInt(2, database.repository());
            query.setArray(3, named(connection, cids));
            return query;
        }

        Map<Cid, Block> fetch(List<Cid> cids, Reading reading) {
            if (cids.isEmpty()) {
                return Map.of();
            }
            List<Cid> condemned = new ArrayList<>();
            Map<Cid, Block> blocks = database.ask(CANNOT_READ, connection -> {
                condemned.clear();
                Map<Cid, byte[]> found = new TreeMap<>();
                try (PreparedStatement query = asked(connection, "bytes", cids)) {
                    try (ResultSet rows = query.executeQuery()) {
                        while (rows.next()) {
                            database.marks().notice(rows.getLong(4));
                            if (rows.getBytes(1) == null) {
                                continue;
                            }
                            Cid cid = SweptRows.cid(rows.getBytes(1));
                            found.put(cid, rows.getBytes(2));
                            if (rows.getBoolean(3)) {
                                condemned.add(cid);
                            }
                        }
                    }
                }
                Map<Cid, Block> blocksByCid = new LinkedHashMap<>();
                for (Cid cid : cids) {
                    byte[] bytes = found.get(cid.raw());
                    if (bytes != null) {
                        blocksByCid.put(cid, verified(cid, bytes));
                    }
                }
                return blocksByCid;
            });
            if (reading == Reading.WITH_PARDON) {
                pardon(condemned);
            }
            return blocks;
        }

        @Override
        public boolean has(Cid cid) {
            return !hasAll(List.of(cid)).isEmpty();
        }

        @Override
        public Set<Cid> hasAll(Collection<Cid> cids) {
            Set<Cid> found = new HashSet<>();
            forEachPart(cids, part -> {
                Map<Cid, Boolean> condemned = condemned(part);
                pardon(condemned.keySet().stream().filter(condemned::get).toList());
                part.stream().filter(cid -> condemned.containsKey(cid.raw())).forEach(found::add);
            });
            return found;
        }

        /** For each of some blocks that is there whether it is condemned, by its raw CID. */
        private Map<Cid, Boolean> condemned(List<Cid> cids) {
            return database.ask("cannot look for a block", connection -> {
                Map<Cid, Boolean> found = new TreeMap<>();
                try (PreparedStatement query = asked(connection, "null", cids)) {
                    try (ResultSet rows = query.executeQuery()) {
                        while (rows.next()) {
                            database.marks().notice(rows.getLong(4));
                            if (rows.getBytes(1) != null) {
                                found.put(SweptRows.cid(rows.getBytes(1)), rows.getBoolean(3));
                            }
                        }
                    }
                }
                return found;
            });
        }

        @Override
        public void putAll(Collection<Block> given) {
            List<Block> all = List.copyOf(given);
            Oversize.refuse(all);
            // All writers lock rows in one order, so that none waits for one that waits for it.
            Map<Cid, Block> ordered = new TreeMap<>();
            all.forEach(block -> ordered.put(block.cid().raw(), block));
            List<Block> part = new ArrayList<>();
            long bytes = 0;
            for (Block block : ordered.values()) {
                if (!part.isEmpty() && (part.size() == MOST_NAMED || bytes + block.size() > MOST_BYTES)) {
                    insert(part);
                    part.clear();
                    bytes = 0;
                }
                part.add(block);
                bytes += block.size();
            }
            if (!part.isEmpty()) {
                insert(part);
            }
        }

        /** Refuses blocks that another process has erased meanwhile, and deletes them, unless the update is undone. (ER5). */
        private void refuseWritten(List<Block> blocks, long marks) {
            try {
                erasures.refuse(blocks, marks);
            } catch (ErasedBlockException e) {
                if (database.transaction() == null) {
                    deleteErased(blocks);
                }
                throw e;
            }
        }

        private void deleteErased(List<Block> blocks) {
            try {
                int unused = erasures.delete(blocks.stream()
                        .map(Block::cid)
                        .filter(erasures::isErased)
                        .toList());
            } catch (StoreIOException e) {
                if (!SqlFailure.isForbidden(e)) {
                    throw e;
                }
                Trace.swallowed("an erased block stays until the next collection, as this writer must not delete", e);
            }
        }

        /** Rule PG4. */
        private void insert(List<Block> blocks) {
            List<byte[]> names = new ArrayList<>();
            List<byte[]> contents = new ArrayList<>();
            for (Block block : blocks) {
                names.add(block.cid().multihash());
                contents.add(block.bytes());
                database.counters().bytesWritten.add(block.size());
            }
            long marks = database.ask("cannot put blocks", connection -> {
                try (PreparedStatement insert = database.prepare(
                        connection,
                        "with made as (insert into pail_block as kept (repository, multihash, bytes, put_at)"
                                + " select ?, given.multihash, given.bytes, clock_timestamp()"
                                + " from unnest(?::bytea[], ?::bytea[]) as given (multihash, bytes)"
                                + " on conflict (repository, multihash) do update"
                                + " set bytes = excluded.bytes, put_at = excluded.put_at, condemned_at = null"
                                + " where kept.put_at < excluded.put_at - interval '30 minutes'"
                                + " or kept.condemned_at is not null or kept.bytes <> excluded.bytes) "
                                + MarkCount.QUERY)) {
                    insert.setInt(1, database.repository());
                    insert.setArray(2, bytes(connection, names));
                    insert.setArray(3, bytes(connection, contents));
                    insert.setInt(4, database.repository());
                    try (ResultSet found = insert.executeQuery()) {
                        found.next();
                        return found.getLong(1);
                    }
                }
            });
            database.marks().notice(marks);
            refuseWritten(blocks, marks);
        }

        @Override
        public void close() {
            // The repository closes the database.
        }
    }
}
