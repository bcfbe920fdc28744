package dev.pail.bench;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.jdbc.PostgresStatistics;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Changes, reads and a load in PostgreSQL, beside bare inserts into the same database and beside a folder. Arguments: the address of a
 * server, HOST:PORT, whose user {@code pail} needs no password, and perhaps {@code --quick}.
 */
final class PostgresCompare {
    private static final String NAME = "r";
    private static final int MOST_CONNECTIONS = 16;

    private final String database = "bench" + ProcessHandle.current().pid();
    private final PGSimpleDataSource server;
    private final boolean isQuick;

    private PostgresCompare(String address, boolean isQuick) {
        int colon = address.lastIndexOf(':');
        this.server = new PGSimpleDataSource();
        server.setServerNames(new String[] {address.substring(0, colon)});
        server.setPortNumbers(new int[] {Integer.parseInt(address.substring(colon + 1))});
        server.setUser("pail");
        this.isQuick = isQuick;
    }

    /** Runs all of it, and prints a table. */
    public static void main(String[] arguments) throws Exception {
        new PostgresCompare(arguments[0], List.of(arguments).contains("--quick")).run();
    }

    private void run() throws Exception {
        server.setDatabaseName("postgres");
        execute(server, "create database " + database);
        server.setDatabaseName(database);
        try (Pool pool = new Pool(server)) {
            System.out.println("| what | PostgreSQL | beside | ratio |");
            System.out.println("| --- | --- | --- | --- |");
            for (int writers : new int[] {1, 8, 64}) {
                changes(pool, writers, isQuick ? 64 : 1920);
            }
            reads(pool, isQuick ? 2_000 : 100_000);
            load(pool, isQuick ? 10_000 : 1_000_000);
        }
        server.setDatabaseName("postgres");
        execute(server, "drop database " + database);
    }

    /** A pool of connections, as a service has one. */
    private static final class Pool implements AutoCloseable {
        private final DataSource source;
        private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
        private final Deque<Connection> idle = new ArrayDeque<>();

        Pool(DataSource source) {
            this.source = source;
        }

        /** A source that takes connections from here, and gives them back when they are closed. */
        DataSource source() {
            return (DataSource) java.lang.reflect.Proxy.newProxyInstance(
                    Pool.class.getClassLoader(),
                    new Class<?>[] {DataSource.class},
                    (proxy, method, arguments) -> shared(take()));
        }

        private Connection take() throws SQLException {
            free.acquireUninterruptibly();
            synchronized (this) {
                return idle.isEmpty() ? source.getConnection() : idle.pop();
            }
        }

        private Connection shared(Connection connection) {
            return (Connection) java.lang.reflect.Proxy.newProxyInstance(
                    Pool.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("close")) {
                            giveBack(connection);
                            return null;
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (java.lang.reflect.InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        private void giveBack(Connection connection) {
            synchronized (this) {
                idle.push(connection);
            }
            free.release();
        }

        @Override
        public synchronized void close() throws SQLException {
            for (Connection each : idle) {
                each.close();
            }
        }
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void row(String what, double ours, double beside, String unit) {
        System.out.printf(
                Locale.ROOT, "| %s | %,.4g %s | %,.4g %s | %.2f |%n", what, ours, unit, beside, unit, ours / beside);
    }

    /** Threads that do something so often in all; returns how often a second. */
    private static double rate(int threads, int all, Callable<?> action) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long begun = System.nanoTime();
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(() -> {
                    for (int j = 0; j < all / threads; j++) {
                        Object unused = action.call();
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
            return all / seconds(begun);
        } finally {
            pool.shutdown();
        }
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }

    /** Puts of one key each to one branch of 10,000 keys, beside inserts of as many bytes, a commit each. */
    private void changes(Pool pool, int writers, int all) throws Exception {
        PostgresStorage storage = PostgresStorage.of(pool.source());
        String name = NAME + writers;
        try (Repository repository = storage.init(name, ShardFormat.v1())) {
            repository.replace("main", "load", before -> filled(before, isQuick ? 1000 : 10_000));
            Random random = new Random(writers);
            PostgresStatistics before = storage.statistics();
            double ours = rate(writers, all, () -> {
                byte[] value = bytes(random, 20);
                return repository.update("main", pail -> pail.putBytes("key" + random.nextInt(10_000), value));
            });
            PostgresStatistics after = storage.statistics();
            int size = (int) ((after.bytesWritten() - before.bytesWritten()) / all);
            execute(
                    server,
                    "create table bare" + writers
                            + " (id bigint generated always as identity primary key, bytes bytea)");
            double bare = rate(writers, all, () -> {
                try (Connection connection = pool.source().getConnection();
                        PreparedStatement insert =
                                connection.prepareStatement("insert into bare" + writers + " (bytes) values (?)")) {
                    insert.setBytes(1, bytes(random, size));
                    return insert.executeUpdate();
                }
            });
            row("changes, " + writers + " writers", ours, bare, "/s");
            System.out.printf(
                    Locale.ROOT,
                    "| statements and bytes a change, races | %.1f, %,d | %d | |%n",
                    (after.statements() - before.statements()) / (double) all,
                    size,
                    after.races() - before.races());
        }
    }

    private static byte[] bytes(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Pail filled(Pail before, int keys) {
        Batch batch = before.batch();
        for (int i = 0; i < keys; i++) {
            batch.put(
                    "key" + i,
                    Block.of(Cid.RAW, ("value" + i).getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                            .cid());
        }
        return batch.commit();
    }

    /** All entries, and single keys at random, cold and warm, beside a folder. */
    private void reads(Pool pool, int keys) throws Exception {
        Path folder = Files.createTempDirectory("pail-bench");
        PostgresStorage storage = PostgresStorage.of(pool.source());
        storage.init("reads", ShardFormat.v1()).close();
        FileRepository.init(folder.resolve("r"), ShardFormat.v1()).close();
        try (Repository shared = storage.open("reads");
                Repository local = FileRepository.open(folder.resolve("r"))) {
            shared.replace("main", "load", before -> filled(before, keys));
            local.replace("main", "load", before -> filled(before, keys));
        }
        try (Repository shared = storage.open("reads");
                Repository local = FileRepository.open(folder.resolve("r"))) {
            PostgresStatistics before = storage.statistics();
            row("read of all keys, cold", scan(shared), scan(local), "s");
            System.out.printf(
                    Locale.ROOT,
                    "| statements of that | %,d | | |%n",
                    storage.statistics().statements() - before.statements());
            scan(shared);
            scan(local);
            row("read of all keys, warm", scan(shared), scan(local), "s");
        }
        try (Repository shared = storage.open("reads");
                Repository local = FileRepository.open(folder.resolve("r"))) {
            row("1,000 keys at random, cold", gets(shared, keys), gets(local, keys), "s");
            for (int i = 0; i < 20; i++) {
                gets(shared, keys);
                gets(local, keys);
            }
            row("1,000 keys at random, warm", gets(shared, keys), gets(local, keys), "s");
        }
    }

    private static double scan(Repository repository) {
        long begun = System.nanoTime();
        try (Stream<Entry> entries = repository.pail().entries()) {
            long unused = entries.count();
        }
        return seconds(begun);
    }

    private static double gets(Repository repository, int keys) {
        Random random = new Random(7);
        long begun = System.nanoTime();
        Pail pail = repository.pail();
        for (int i = 0; i < 1000; i++) {
            Optional<Cid> unused = pail.get("key" + random.nextInt(keys));
        }
        return seconds(begun);
    }

    private void load(Pool pool, int keys) throws Exception {
        PostgresStorage storage = PostgresStorage.of(pool.source());
        Path folder = Files.createTempDirectory("pail-bench");
        double ours;
        double local;
        try (Repository shared = storage.init("load", ShardFormat.v1())) {
            long begun = System.nanoTime();
            shared.replace("main", "load", before -> filled(before, keys));
            ours = seconds(begun);
        }
        try (Repository files = FileRepository.init(
                folder.resolve("r"), ShardFormat.v1(), dev.pail.repository.files.BlockStorage.SEGMENTS)) {
            long begun = System.nanoTime();
            files.replace("main", "load", before -> filled(before, keys));
            local = seconds(begun);
        }
        row(String.format(Locale.ROOT, "load of %,d keys, beside segments", keys), ours, local, "s");
    }
}
