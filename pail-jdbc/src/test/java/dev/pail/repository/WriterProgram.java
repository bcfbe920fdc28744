package dev.pail.repository;

import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.jdbc.PostgresStatistics;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import java.time.Duration;
import java.util.Random;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A program that changes a repository in PostgreSQL. It prints {@code ACK KEY} for each acknowledged change, and at the end {@code END}
 * with the unknown commits. It may be killed at any time, and resumes when it is started again.
 *
 * <p>Arguments: server, database, repository, name, the first and the last change, patience in milliseconds.
 */
final class WriterProgram {
    private WriterProgram() {}

    public static void main(String[] arguments) {
        PGSimpleDataSource source = TestServer.at(arguments[0]).source(arguments[1]);
        PostgresStorage storage = TestServer.storage(source, Duration.ofMillis(Long.parseLong(arguments[6])));
        String name = arguments[3];
        try (Repository repository = open(storage, arguments[2])) {
            for (int i = Integer.parseInt(arguments[4]); i < Integer.parseInt(arguments[5]); i++) {
                String key = key(name, i);
                put(repository, branch(name, i), key);
                System.out.println("ACK " + key);
            }
        }
        PostgresStatistics statistics = storage.statistics();
        System.out.println("END " + statistics.unknowns() + " " + statistics.retries() + " " + statistics.races());
    }

    private static Repository open(PostgresStorage storage, String repository) {
        while (true) {
            try {
                return storage.open(repository);
            } catch (StoreIOException e) {
                refused(e);
            }
        }
    }

    static String key(String name, int number) {
        return name + "/" + number;
    }

    /** The branch of all, or one of its own. */
    static String branch(String name, int number) {
        return number % 2 == 0 ? Repository.MAIN : name;
    }

    /** What is put differs each time, so that a change that is made twice makes two updates. */
    private static void put(Repository repository, String branch, String key) {
        Random random = new Random();
        boolean mayBeThere = true;
        while (true) {
            try {
                // An earlier run, or an attempt of this one, may have done it.
                if (mayBeThere && repository.pail(branch).get(key).isPresent()) {
                    return;
                }
                mayBeThere = false;
                repository.update(branch, key, pail -> {
                    byte[] value = new byte[16];
                    random.nextBytes(value);
                    Block block = Block.of(Cid.RAW, value);
                    pail.blocks().put(block);
                    return pail.put(key, block.cid());
                });
                return;
            } catch (HeadUpdateUncertainException e) {
                mayBeThere = true;
                refused(e);
            } catch (StoreIOException | StoreLockedException | RefChangedException e) {
                refused(e);
            }
        }
    }

    /** Says why nothing happened. Then another attempt is made: only the test ends this program. */
    private static void refused(PailException e) {
        System.out.println(
                "NO " + e.code() + " " + String.valueOf(e.getMessage()).replace('\n', ' '));
    }
}
