package dev.pail.cli.table;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import dev.pail.table.Orphans;
import dev.pail.table.TableCheck;
import dev.pail.table.Tables;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the tables of versions: index entries that do not match rows, and rows that belong to no table. */
public final class TableChecks {
    private final BlockStore blocks;
    private final Terminal terminal;

    /** What was found in each version: branches often have the same. */
    private final Map<Cid, TableCheck> found = new HashMap<>();

    private @Nullable String wrong;
    private long entries;

    public TableChecks(BlockStore blocks, Terminal terminal) {
        this.blocks = blocks;
        this.terminal = terminal;
    }

    /** Checks a version, and prints what is not right. What blocks are missing or damaged is found elsewhere. */
    public void checkBranch(String branch, Cid root) {
        if (check(branch, root) && wrong == null) {
            wrong = branch;
        }
    }

    /** Checks the version of a tag in the same way. */
    public void checkTag(String tag, Cid root) {
        boolean unused = check(tag, root);
    }

    /** Returns whether there are wrong entries. */
    private boolean check(String branchOrTag, Cid root) {
        try {
            TableCheck check = found.computeIfAbsent(
                    root, version -> Tables.of(Pail.open(blocks, version)).check());
            check.wrongEntries().forEach((table, count) -> {
                printWrong(branchOrTag, table, count);
            });
            check.orphans().forEach(rows -> print(terminal, branchOrTag, rows));
            check.notes().forEach(note -> printNote(branchOrTag, note));
            return !check.wrongEntries().isEmpty();
        } catch (BlockException e) {
            return false;
        }
    }

    private void printWrong(String branchOrTag, String table, long count) {
        entries += count;
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("problem", "index");
                json.writeStringField("branch", branchOrTag);
                json.writeStringField("table", table);
                json.writeNumberField("entries", count);
            });
        } else {
            terminal.print("index\t" + Escapes.escape(branchOrTag) + "\ttable " + Escapes.escape(table)
                    + "\tentries that do not match rows: " + count);
        }
    }

    private void printNote(String branchOrTag, String note) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("problem", "tables");
                json.writeStringField("branch", branchOrTag);
                json.writeStringField("note", note);
            });
        } else {
            terminal.print("tables\t" + Escapes.escape(branchOrTag) + "\t" + Escapes.printable(note));
        }
    }

    /** Prints rows that belong to no table. */
    public static void print(Terminal terminal, @Nullable String branchOrTag, Orphans rows) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("problem", "orphans");
                if (branchOrTag != null) {
                    json.writeStringField("branch", branchOrTag);
                }
                json.writeNumberField("number", rows.number());
                if (rows.table().isPresent()) {
                    json.writeStringField("table", rows.table().get());
                }
                json.writeNumberField("rows", rows.rows());
            });
        } else {
            terminal.print("orphans\t" + (branchOrTag == null ? "" : Escapes.escape(branchOrTag) + "\t")
                    + "rows of no table: " + Escapes.printable(rows.toString()) + "\t" + TableRepairs.advice(rows));
        }
    }

    /**
     * Says what to do about what was found.
     *
     * @throws Failure.Found if queries may miss rows, because index entries do not match
     */
    public void end() {
        if (entries > 0) {
            throw new Failure.Found(
                    Exit.NO,
                    "table-index",
                    "index entries do not match the rows of their tables: " + entries,
                    wrong == null ? null : "make them right with: pail -b " + wrong + " table reindex");
        }
    }
}
