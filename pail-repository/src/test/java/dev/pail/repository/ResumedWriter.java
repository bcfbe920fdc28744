package dev.pail.repository;

import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.RefChangedException;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Changes a repository, and prints {@code ACK KEY} for each acknowledged change. It may be killed at any time, and resumes when it is
 * started again. For programs in processes of their own.
 */
final class ResumedWriter {
    private ResumedWriter() {}

    /**
     * Makes changes.
     *
     * @param opening opens the repository
     * @param name of this writer
     * @param from the first change
     * @param to the number behind the last
     */
    static void run(Supplier<Repository> opening, String name, int from, int to) {
        run(opening, name, from, to, () -> {});
    }

    /** Makes changes, with an action before each line {@code ACK}. */
    static void run(Supplier<Repository> opening, String name, int from, int to, Runnable before) {
        try (Repository repository = open(opening)) {
            for (int i = from; i < to; i++) {
                String key = key(name, i);
                put(repository, branch(name, i), key);
                before.run();
                System.out.println("ACK " + key);
            }
        }
    }

    private static Repository open(Supplier<Repository> opening) {
        while (true) {
            try {
                return opening.get();
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
