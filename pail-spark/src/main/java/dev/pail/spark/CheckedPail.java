package dev.pail.spark;

import dev.pail.Escapes;
import dev.pail.Verification;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The result of a check by several tasks. A shard above the ranges of several tasks counts once for each, and so does a value that
 * several ranges have.
 *
 * <pre>{@code
 * CheckedPail found = PailSpark.verify(context, target, root);
 * found.problems().forEach(System.err::println);
 * }</pre>
 */
public final class CheckedPail implements Serializable {
    private static final long serialVersionUID = 1;

    /** The most problems that a task or a result names. */
    private static final int MOST_NAMED = 1000;

    private final long shards;
    private final long entries;
    private final long values;
    private final long bytes;
    private final List<String> problems;

    private CheckedPail(long shards, long entries, long values, long bytes, List<String> problems) {
        this.shards = shards;
        this.entries = entries;
        this.values = values;
        this.bytes = bytes;
        // Kryo cannot read an immutable list.
        this.problems = new ArrayList<>(problems);
    }

    static CheckedPail of(Verification found) {
        List<String> problems = new ArrayList<>();
        found.problems().stream()
                .limit(MOST_NAMED)
                .forEach(problem -> problems.add((problem.isShard() ? "shard at " : "value of ")
                        + Escapes.brief(problem.key()) + ": "
                        + problem.cause().getMessage()));
        return new CheckedPail(found.shards(), found.entries(), found.values(), found.bytes(), problems);
    }

    /** Adds up the results of two tasks. */
    CheckedPail plus(CheckedPail other) {
        TreeSet<String> all = new TreeSet<>(problems);
        all.addAll(other.problems);
        List<String> few = all.stream().limit(MOST_NAMED).toList();
        return new CheckedPail(
                shards + other.shards, entries + other.entries, values + other.values, bytes + other.bytes, few);
    }

    /** Whether there are no problems. */
    public boolean isSound() {
        return problems.isEmpty();
    }

    /** The number of sound shards that tasks have read. */
    public long shards() {
        return shards;
    }

    /** The number of entries: exact, as each is in one range. */
    public long entries() {
        return entries;
    }

    /** The number of sound values that are in the repository. */
    public long values() {
        return values;
    }

    /** The size of all sound blocks that tasks have read. */
    public long bytes() {
        return bytes;
    }

    /** The problems, each a line with its place, and each once; at most 1,000. */
    public List<String> problems() {
        return List.copyOf(problems);
    }
}
