package dev.pail.repository;

import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A program that changes a branch of its own forwards and backwards, so that it needs again what a collector may take away, until it
 * gets a line. After each change it reads all of the branch, and ends with an error if that is not what it was told. Says {@code ACK} for each change.
 *
 * <p>Arguments: server, database, repository, branch, seed, the least number of changes, patience in milliseconds, bytes of the cache.
 */
final class RestlessProgram {
    private final PostgresStorage storage;
    private final Repository repository;
    private final String branch;
    private final Random random;
    private final List<Snapshot> earlier = new ArrayList<>();
    private Map<String, Cid> expected = Map.of();

    private RestlessProgram(PostgresStorage storage, String repository, String branch, long seed) {
        this.storage = storage;
        this.repository = storage.open(repository);
        this.branch = branch;
        this.random = Randomness.random(seed);
    }

    public static void main(String[] arguments) throws IOException {
        PostgresStorage storage = TestServer.storage(
                        TestServer.at(arguments[0]).source(arguments[1]),
                        Duration.ofMillis(Long.parseLong(arguments[6])))
                .withCache(Long.parseLong(arguments[7]));
        RestlessProgram program =
                new RestlessProgram(storage, arguments[2], arguments[3], Long.parseLong(arguments[4]));
        int count = Integer.parseInt(arguments[5]);
        for (int done = 0; done < count || System.in.available() == 0; ) {
            if (program.change()) {
                done++;
                System.out.println("ACK " + done);
            }
        }
        System.out.println("END " + program.storage.statistics());
        program.repository.close();
    }

    /** Makes a change, and returns whether it was acknowledged. */
    private boolean change() {
        Map<String, Cid> next = new TreeMap<>(expected);
        boolean isDone;
        try {
            isDone = changed(next);
        } catch (MissingBlockException e) {
            // An earlier version that nothing reaches may be gone. Then nothing has changed.
            return said("NO gone", e);
        } catch (HeadUpdateUncertainException e) {
            boolean unused = said("NO uncertain", e);
            if (read().equals(next)) {
                expected = next;
                return true;
            }
            isDone = false;
        } catch (StoreIOException | StoreLockedException | RefChangedException e) {
            isDone = said("NO", e);
        } catch (RepositoryException e) {
            if (e.getCause() instanceof MissingBlockException) {
                return said("NO gone", e);
            }
            throw e;
        }
        if (isDone) {
            expected = next;
        }
        Map<String, Cid> found = read();
        if (!found.equals(expected)) {
            throw new AssertionError("branch " + branch + " has " + found + ", and not " + expected);
        }
        return isDone;
    }

    /** Changes the branch to what is then put into a map. */
    private boolean changed(Map<String, Cid> next) {
        String key = "k" + random.nextInt(30);
        Block value = Block.of(Cid.RAW, ("value " + random.nextInt(40)).getBytes(StandardCharsets.US_ASCII));
        if (!earlier.isEmpty() && random.nextInt(4) == 0) {
            Snapshot back = earlier.get(random.nextInt(earlier.size()));
            Map<String, Cid> then = Listing.entries(back.pail());
            next.clear();
            next.putAll(then);
            earlier.add(repository.move(repository.snapshot(branch), back.head(), "back"));
        } else if (random.nextInt(3) == 0) {
            next.remove(key);
            earlier.add(
                    repository.updateSnapshot(branch, before -> before.pail().delete(key)));
        } else {
            next.put(key, value.cid());
            earlier.add(repository.updateSnapshot(branch, before -> {
                before.pail().blocks().put(value);
                return before.pail().put(key, value.cid());
            }));
        }
        return true;
    }

    /** All of the branch. The values are there, too. */
    private Map<String, Cid> read() {
        while (true) {
            try {
                Pail pail = Pail.open(repository.blocks(), repository.root(branch));
                Map<String, Cid> entries = Listing.entries(pail);
                for (Cid value : entries.values()) {
                    if (repository.blocks().get(value).isEmpty()) {
                        throw new AssertionError("a value is gone: " + value);
                    }
                }
                return entries;
            } catch (StoreIOException e) {
                boolean unused = said("NO", e);
            }
        }
    }

    private static boolean said(String what, PailException e) {
        System.out.println(
                what + " " + e.code() + " " + String.valueOf(e.getMessage()).replace('\n', ' '));
        return false;
    }
}
