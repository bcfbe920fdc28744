package dev.pail.spark;

/**
 * What a build does with a key that comes several times. Spark keeps no order of rows, so there is no "last one".
 *
 * <pre>{@code
 * BuildOptions options = BuildOptions.of(ShardFormat.v1()).withDuplicates(DuplicateKeys.GREATEST_VALUE);
 * }</pre>
 */
public enum DuplicateKeys {
    /** Ends the build, also if all values of the key are equal. The default. */
    REFUSE,
    /** Takes the least value, in the order of {@link dev.pail.ipld.Cid#compareTo}. */
    LEAST_VALUE,
    /** Takes the greatest value, in the order of {@link dev.pail.ipld.Cid#compareTo}. */
    GREATEST_VALUE
}
