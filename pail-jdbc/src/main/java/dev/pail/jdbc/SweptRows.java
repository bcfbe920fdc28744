package dev.pail.jdbc;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of blocks as the collector sees them. A condemned block stays where it is; a read or a put brings it back. Rule PG5.
 *
 * @param reading gives a block without the cache
 * @param forget empties the cache
 */
record SweptRows(Database database, Function<Cid, Optional<Block>> reading, Runnable forget) implements SweptBlocks {
    private static final int PAGE = 256;

    /** In the order of the locks of a put. */
    private static final String LOCKED = "with due as (select kept.multihash from pail_block as kept"
            + " join unnest(?::bytea[], ?::timestamptz[]) as listed (multihash, at) on kept.multihash = listed.multihash"
            + " where kept.repository = ? and coalesce(kept.condemned_at, kept.put_at) = listed.at"
            + " and (kept.condemned_at is not null) = ? order by kept.multihash for update of kept) ";

    /**
     * A block that was listed.
     *
     * @param at when it was put last; if it is condemned, since when
     */
    record Row(Cid cid, long size, Instant at, boolean isCondemned) {}

    /** The raw CID of a multihash. */
    static Cid cid(byte[] multihash) {
        byte[] bytes = new byte[multihash.length + 2];
        bytes[0] = 1;
        bytes[1] = (byte) Cid.RAW;
        System.arraycopy(multihash, 0, bytes, 2, multihash.length);
        return Cid.fromBytes(bytes);
    }

    /** All rows, page by page. */
    static Iterator<List<Row>> pages(Database database) {
        return new Iterator<>() {
            private List<Row> next = page(database, new byte[0]);

            @Override
            public boolean hasNext() {
                return !next.isEmpty();
            }

            @Override
            public List<Row> next() {
                List<Row> given = next;
                if (given.isEmpty()) {
                    throw new NoSuchElementException();
                }
                next = page(database, given.get(given.size() - 1).cid.multihash());
                return given;
            }
        };
    }

    private static List<Row> page(Database database, byte[] after) {
        return database.ask("cannot list blocks", connection -> {
            try (PreparedStatement query = database.prepare(
                    connection,
                    "select multihash, octet_length(bytes), coalesce(condemned_at, put_at), condemned_at is not null"
                            + " from pail_block where repository = ? and multihash > ? order by multihash limit "
                            + PAGE)) {
                query.setInt(1, database.repository());
                query.setBytes(2, after);
                List<Row> page = new ArrayList<>();
                try (ResultSet found = query.executeQuery()) {
                    while (found.next()) {
                        page.add(new Row(
                                cid(found.getBytes(1)),
                                found.getLong(2),
                                Database.instant(found, 3),
                                found.getBoolean(4)));
                    }
                }
                return page;
            }
        });
    }

    @Override
    public Optional<Block> look(Cid cid) {
        return reading.apply(Objects.requireNonNull(cid, "cid"));
    }

    @Override
    public Instant clock() {
        return database.now();
    }

    @Override
    public Iterator<Portion> portions() {
        Iterator<List<Row>> pages = pages(database);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return pages.hasNext();
            }

            @Override
            public Portion next() {
                return new Page(database, pages.next(), forget);
            }
        };
    }

    /** What becomes of a block. */
    private enum Fate {
        KEPT,
        CONDEMNED,
        WAITING,
        PARDONED,
        DELETED;

        static Fate of(Row row, SweepRule rule) {
            if (!row.isCondemned) {
                return rule.isDue(row.cid, row.at) ? CONDEMNED : KEPT;
            }
            if (rule.isNeeded().test(row.cid)) {
                return PARDONED;
            }
            return row.at.isBefore(rule.before()) ? DELETED : WAITING;
        }

        Swept of(long size) {
            return switch (this) {
                case KEPT -> Swept.kept(size);
                case CONDEMNED -> Swept.moved(size);
                case WAITING -> Swept.waiting(size);
                case PARDONED -> Swept.restored(size);
                case DELETED -> Swept.deleted(size);
            };
        }

        /** What to count if the block was put again, or another collection was faster. */
        Fate ifChanged() {
            return this == DELETED ? WAITING : KEPT;
        }

        @Nullable
        String statement() {
            return switch (this) {
                case CONDEMNED ->
                    "update pail_block as kept set condemned_at = clock_timestamp() from due"
                            + " where kept.repository = ? and kept.multihash = due.multihash returning kept.multihash";
                case PARDONED ->
                    "update pail_block as kept set condemned_at = null, put_at = clock_timestamp() from due"
                            + " where kept.repository = ? and kept.multihash = due.multihash returning kept.multihash";
                case DELETED ->
                    "delete from pail_block as kept using due"
                            + " where kept.repository = ? and kept.multihash = due.multihash returning kept.multihash";
                case KEPT, WAITING -> null;
            };
        }
    }

    private record Page(Database database, List<Row> rows, Runnable forget) implements Portion {
        @Override
        public Swept preview(SweepRule rule) {
            return rows.stream().map(row -> Fate.of(row, rule).of(row.size)).reduce(Swept.NOTHING, Swept::plus);
        }

        @Override
        public Swept sweep(SweepRule rule) {
            Swept sum = Swept.NOTHING;
            for (Fate fate : Fate.values()) {
                List<Row> due =
                        rows.stream().filter(row -> Fate.of(row, rule) == fate).toList();
                String statement = fate.statement();
                Set<Cid> done = statement == null || due.isEmpty()
                        ? Set.of()
                        : database.ask("cannot take blocks away", connection -> change(connection, statement, due));
                for (Row row : due) {
                    boolean isDone = statement == null || done.contains(row.cid);
                    sum = sum.plus((isDone ? fate : fate.ifChanged()).of(row.size));
                }
            }
            database.afterwards(forget);
            return sum;
        }

        /** Changes the rows that are still as they were listed, and says which. */
        private Set<Cid> change(Connection connection, String statement, List<Row> due) throws SQLException {
            try (PreparedStatement update = database.prepare(connection, LOCKED + statement)) {
                update.setArray(
                        1,
                        PostgresBlocks.bytes(
                                connection,
                                due.stream().map(row -> row.cid.multihash()).toList()));
                update.setArray(
                        2,
                        connection.createArrayOf(
                                "timestamptz",
                                due.stream()
                                        .map(row -> OffsetDateTime.ofInstant(row.at, ZoneOffset.UTC))
                                        .toArray()));
                update.setInt(3, database.repository());
                update.setBoolean(4, due.get(0).isCondemned);
                update.setInt(5, database.repository());
                Set<Cid> changed = new HashSet<>();
                try (ResultSet rows = update.executeQuery()) {
                    while (rows.next()) {
                        changed.add(cid(rows.getBytes(1)));
                    }
                }
                return changed;
            }
        }
    }
}
