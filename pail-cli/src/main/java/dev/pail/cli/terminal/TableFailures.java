package dev.pail.cli.terminal;

import dev.pail.BlockException;
import dev.pail.table.TableException;
import org.jspecify.annotations.Nullable;

/** How the command ends on the failures of tables, and what it advises. */
final class TableFailures {
    private TableFailures() {}

    static int exit(TableException error) {
        return switch (error.reason()) {
            case FILTER -> Exit.USAGE;
            case DAMAGED -> Exit.DAMAGED;
            default -> Exit.FAILED;
        };
    }

    static @Nullable String hint(TableException error) {
        return switch (error.reason()) {
            case NO_TABLE -> "make it with: pail table create NAME, or see what is there with: pail table ls";
            case NO_INDEX -> "declare it with: pail table index TABLE FIELD, or look at all rows with: pail table scan";
            case ROW_EXISTS -> "nothing was changed";
            // To rename the key of a table would be to lose it.
            case KEY ->
                error.getCause() instanceof BlockException
                        ? "keys that start with T, P, F or R are those of tables: if this is one, take in its block from a copy "
                                + "with: pail import; if not, rename it"
                        : "keys that start with T, P, F or R are those of tables: rename this one, or keep tables in a repository "
                                + "of their own";
            case SAME_NUMBER ->
                "load the rows of one, as they were before the merge (--at), into a table of another name, then drop it here: "
                        + "the other keeps all rows";
            case FILTER -> "for example: age >= 30 and address.city == \"Oslo\"";
            default -> null;
        };
    }
}
