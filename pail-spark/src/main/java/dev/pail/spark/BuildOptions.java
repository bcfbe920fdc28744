package dev.pail.spark;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ShardFormat;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options of a build. Immutable; serializable for Spark.
 *
 * <pre>{@code
 * BuildOptions options = BuildOptions.of(ShardFormat.v1())
 *         .withPartitions(256)
 *         .withDuplicates(DuplicateKeys.LEAST_VALUE)
 *         .withBranch("main", "nightly build");
 * }</pre>
 */
@CheckReturnValue
public final class BuildOptions implements Serializable {
    private static final long serialVersionUID = 1;

    private final String format;
    private final LinkedHashMap<String, Integer> configuration;
    private final DuplicateKeys duplicates;
    private final int partitions;
    private final @Nullable String branch;
    private final String reason;

    private BuildOptions(
            ShardFormat format, DuplicateKeys duplicates, int partitions, @Nullable String branch, String reason) {
        this.format = format.name();
        this.configuration = new LinkedHashMap<>(format.configuration());
        this.duplicates = Objects.requireNonNull(duplicates, "duplicates");
        this.partitions = partitions;
        this.branch = branch;
        this.reason = reason;
    }

    /**
     * Returns options with a format: duplicate keys are refused, there are as many partitions as the entries have, and no branch is
     * updated.
     *
     * @throws IllegalArgumentException if the format is version 0: its layout depends on the order of puts
     */
    public static BuildOptions of(ShardFormat format) {
        if (format.name().equals("v0")) {
            throw new IllegalArgumentException(
                    "a build in parts makes no pail of version 0, as its layout depends on the order of puts:"
                            + " load all keys, sorted, in one process, or use version 1 or 2");
        }
        return new BuildOptions(format, DuplicateKeys.REFUSE, 0, null, "");
    }

    /** Returns these options with another rule for duplicate keys. */
    public BuildOptions withDuplicates(DuplicateKeys rule) {
        return new BuildOptions(format(), rule, partitions, branch, reason);
    }

    /**
     * Returns these options with another number of partitions. Each partition is one task. The root does not depend on it.
     *
     * @param number 1 or more; Spark makes fewer if there are few keys
     * @throws IllegalArgumentException if it is less than 1
     */
    public BuildOptions withPartitions(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a build has 1 or more partitions, not " + number);
        }
        return new BuildOptions(format(), duplicates, number, branch, reason);
    }

    /**
     * Returns these options with a branch that the driver updates at the end, by {@link dev.pail.repository.Repository#replace}. The
     * branch then has the new version in the place of its old one.
     *
     * @param name a branch that is there
     * @param why a line of text for the log of the branch
     */
    public BuildOptions withBranch(String name, String why) {
        return new BuildOptions(
                format(),
                duplicates,
                partitions,
                Objects.requireNonNull(name, "name"),
                Objects.requireNonNull(why, "why"));
    }

    ShardFormat format() {
        return ShardFormat.of(format, configuration);
    }

    DuplicateKeys duplicates() {
        return duplicates;
    }

    /** 0 for as many as the entries have. */
    int partitions() {
        return partitions;
    }

    @Nullable
    String branch() {
        return branch;
    }

    String reason() {
        return reason;
    }
}
