package dev.pail.repository;

import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Changes its own branch forwards and backwards until it gets a line, so it needs blocks again that a collector may remove. After each
 * change it reads all of the branch, and fails if a value is wrong. Prints {@code ACK} for each change. For programs in processes of their own.
 */
final class RestlessWriter {
    private final Repository repository;
    private final String branch;
    private final Random random;
    private final List<Snapshot> earlier = new ArrayList<>();

    /** What each of them has. */
    private final List<Map<String, Cid>> contents = new ArrayList<>();

    private Map<String, Cid> expected = Map.of();

    /** Values that were gone when the branch went back to a version that names them: writers look for shards and events only. */
    private final Set<Cid> absent = new HashSet<>();

    RestlessWriter(Repository repository, String branch, long seed) {
        this.repository = repository;
        this.branch = branch;
        this.random = Randomness.random(seed);
    }

    /**
     * Makes changes until there is a line, and closes the repository.
     *
     * @param least how many at least
     * @param statistics what to print at the end
     */
    void run(int least, Supplier<?> statistics) throws IOException {
        for (int done = 0; done < least || System.in.available() == 0; ) {
            if (change()) {
                done++;
                System.out.println("ACK " + done);
            }
        }
        System.out.println("END " + statistics.get());
        repository.close();
    }

    /** Makes a change, and returns whether it was acknowledged. */
    private boolean change() {
        Next next = next();
        boolean isDone = true;
        try {
            Snapshot done = next.change.get();
            earlier.add(done);
            contents.add(next.entries);
        } catch (MissingBlockException e) {
            // An earlier version that nothing reaches may be gone. Then nothing has changed.
            return said("NO gone", e);
        } catch (HeadUpdateUncertainException e) {
            boolean unused = said("NO uncertain", e);
            isDone = read(next.absent).equals(next.entries);
        } catch (StoreIOException | StoreLockedException | RefChangedException e) {
            isDone = said("NO", e);
        } catch (RepositoryException e) {
            if (e.getCause() instanceof MissingBlockException) {
                return said("NO gone", e);
            }
            throw e;
        }
        if (isDone) {
            expected = next.entries;
        }
        Map<String, Cid> found = read(isDone ? next.absent : Absent.REFUSED);
        if (!found.equals(expected)) {
            throw new AssertionError("branch " + branch + " has " + found + ", and not " + expected);
        }
        return isDone;
    }

    /** What to think of a value that is not there. */
    private enum Absent {
        REFUSED,
        NOTED
    }

    /** What the branch has after a change. */
    private record Next(Map<String, Cid> entries, Absent absent, Supplier<Snapshot> change) {}

    /** Draws a change. */
    private Next next() {
        Map<String, Cid> entries = new TreeMap<>(expected);
        String key = "k" + random.nextInt(30);
        Block value = Block.of(Cid.RAW, ("value " + random.nextInt(40)).getBytes(StandardCharsets.US_ASCII));
        if (!earlier.isEmpty() && random.nextInt(4) == 0) {
            int back = random.nextInt(earlier.size());
            return new Next(
                    contents.get(back),
                    Absent.NOTED,
                    () -> repository.move(
                            repository.snapshot(branch), earlier.get(back).head(), "back"));
        }
        if (random.nextInt(3) == 0) {
            entries.remove(key);
            return new Next(
                    entries,
                    Absent.REFUSED,
                    () -> repository
                            .update(branch, before -> before.delete(key))
                            .after());
        }
        entries.put(key, value.cid());
        return new Next(
                entries,
                Absent.REFUSED,
                () -> repository
                        .update(branch, before -> {
                            before.blocks().put(value);
                            return before.put(key, value.cid());
                        })
                        .after());
    }

    /** All of the branch. The values are there, too, unless they were not before. */
    private Map<String, Cid> read(Absent ifAbsent) {
        while (true) {
            try {
                Pail pail = Pail.open(repository.blocks(), repository.root(branch));
                Map<String, Cid> entries = Listing.entries(pail);
                for (Cid value : Set.copyOf(entries.values())) {
                    if (repository.blocks().get(value).isPresent()) {
                        absent.remove(value);
                    } else if (ifAbsent == Absent.NOTED) {
                        absent.add(value);
                    } else if (!absent.contains(value)) {
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
