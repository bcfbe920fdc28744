package dev.pail;

import java.util.Optional;

/**
 * A refused merge: a version has keys that depend on each other, and the program has no rules for them. A merge of each key alone would
 * leave keys that contradict each other, such as index entries that name no row. Nothing was merged.
 *
 * <pre>{@code
 * try {
 *     MergeRules.Comparison sides =
 *             MergeRules.installed().compare(pail, MergeRules.Side.of(pail), MergeRules.Side.of(pail));
 * } catch (NoMergeRulesException e) {
 *     System.err.println(e.getMessage() + "; " + e.hint().orElse("")); // pail-table is not on the class path
 * }
 * }</pre>
 */
public final class NoMergeRulesException extends PailException {
    private final String key;
    private final String hint;

    private NoMergeRulesException(String key, String why, String hint) {
        super("not merged: the key " + Escapes.brief(key) + " " + why);
        this.key = key;
        this.hint = hint;
    }

    /** A version declares a table, and no rules concern it. */
    static NoMergeRulesException ofTable(String key) {
        return new NoMergeRulesException(
                key,
                "declares a table, and this program has no rules to merge tables",
                "add the module pail-table to the class path or module path");
    }

    /** Returns a key that needs rules. */
    public String key() {
        return key;
    }

    @Override
    public Optional<String> hint() {
        return Optional.of(hint);
    }

    @Override
    public String code() {
        return "no-merge-rules";
    }

    @Override
    public Kind kind() {
        return Kind.SETUP;
    }
}
