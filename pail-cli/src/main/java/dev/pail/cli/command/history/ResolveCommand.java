package dev.pail.cli.command.history;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Editor;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.text.JsonTexts;
import dev.pail.cli.text.NewValue;
import dev.pail.cli.text.ValueText;
import dev.pail.cli.text.Values;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.MergeResult;
import dev.pail.table.Document;
import dev.pail.table.TableConflict;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Decides conflicts that merges left open. */
public final class ResolveCommand extends ChangeCommand {
    private static final Option.Flag OURS = Option.flag("Take the value of our side.", "--ours");
    private static final Option.Flag THEIRS = Option.flag("Take the value of their side.", "--theirs");
    private static final Option.Flag BASE =
            Option.flag("Take the last value that all sides had; no value, if there was none.", "--base");
    private static final Option.Flag KEEP = Option.flag("Keep the value that stands.", "--keep");
    private static final Option.Flag DELETE = Option.flag("Remove the key or the row.", "--delete");
    private static final Option.Text CID = Option.text("CID", "Take this value.", "--cid");
    private static final Option.Text TEXT =
            Option.text("TEXT", "Take this text; for a row, this document as JSON.", "--text");
    private static final Option.Text FILE = Option.text(
            "PATH",
            "Take the content of this file (- for standard input); for a row, it is a document as JSON.",
            "--file");
    private static final Option.Flag EDIT = Option.flag(
            "Open the value that stands in the editor that PAIL_EDITOR, VISUAL or EDITOR names, and take what it saves.",
            "--edit");
    private static final Option.Flag ALL = Option.flag("Decide all open conflicts in the same way.", "--all");
    private static final Option.Text TABLE =
            Option.text("TABLE", "Decide a row of this table. KEY is the id of the row.", "--table");

    private static final List<Option.Flag> SIDES = List.of(OURS, THEIRS, BASE, KEEP, DELETE);

    public ResolveCommand() {
        super(
                "resolve",
                "Decides a conflict that a merge left open, and prints the new root. The decision is a change like any other: it ends the conflict",
                "in each copy that takes it in, also if the value stays as it is. pail conflicts lists what is open.");
        parameter("KEY", "0..*", "What to decide, as pail conflicts lists it.");
        takes(OURS, THEIRS, BASE, KEEP, DELETE, CID, TEXT, FILE, EDIT, ALL, TABLE);
        for (Option ofOne : List.of(CID, TEXT, FILE, EDIT)) {
            excludes(ofOne, ALL, ofOne + " is for one conflict, not for --all");
        }
        excludes(TABLE, ALL, "--table is for some rows, not for --all");
        takesMessage();
        examples(
                "  pail resolve title --theirs",
                "  pail resolve title --text 'A third title' -m 'agreed with Bob'",
                "  pail resolve --table people ann --ours",
                "  pail resolve --all --theirs");
    }

    @Override
    public int run(Call call) {
        boolean all = call.get(ALL);
        List<String> given = call.parameters(0);
        if (all != given.isEmpty()) {
            throw Failure.usage(all ? "give keys or --all, not both" : "give a key, or --all");
        }
        long ways = SIDES.stream().filter(call::get).count()
                + Stream.of(CID, TEXT, FILE)
                        .filter(option -> call.get(option) != null)
                        .count()
                + (call.get(EDIT) ? 1 : 0);
        if (ways != 1) {
            throw Failure.usage(
                    "give one of --ours, --theirs, --base, --keep, --delete, --text, --file, --cid and --edit");
        }
        try (Repository repository = call.repository()) {
            String branch = call.branch(repository);
            List<String> keys = keys(call, repository, branch, given);
            if (keys.isEmpty()) {
                call.terminal().note("no conflict is open");
            }
            BiFunction<ConflictEntry, BlockStore, Optional<Cid>> decision = decision(call, repository, branch, keys);
            Repository noted = call.noted(
                    repository,
                    () -> "resolve " + (keys.size() == 1 ? Escapes.brief(keys.get(0)) : keys.size() + " conflicts"));
            MergeResult result = noted.conflicts().resolve(branch, keys, decision);
            changed(call, result.root());
            MergeCommand.print(call.terminal(), result);
            printRoot(call, result.root());
            return Exit.DONE;
        }
    }

    private static List<String> keys(Call call, Repository repository, String branch, List<String> given) {
        String table = call.get(TABLE);
        if (table == null && !call.get(ALL)) {
            return given;
        }
        List<String> keys = new ArrayList<>();
        List<String> left = new ArrayList<>(given);
        for (ConflictEntry each : repository.conflicts().of(branch)) {
            if (table == null) {
                keys.add(each.conflict().key());
            } else if (each.conflict() instanceof TableConflict found
                    && found.table().equals(Optional.of(table))
                    && found.row().filter(left::remove).isPresent()) {
                keys.add(each.conflict().key());
            }
        }
        if (!left.isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-conflict",
                    "no open conflict of the table " + Escapes.brief(String.valueOf(table)) + ": row "
                            + Escapes.brief(left.get(0)),
                    "see those that are open with: pail conflicts");
        }
        return keys;
    }

    private static BiFunction<ConflictEntry, BlockStore, Optional<Cid>> decision(
            Call call, Repository repository, String branch, List<String> keys) {
        if (call.get(OURS)) {
            return (entry, blocks) -> entry.conflict().ours();
        }
        if (call.get(THEIRS)) {
            return (entry, blocks) -> entry.conflict().theirs();
        }
        if (call.get(BASE)) {
            return (entry, blocks) -> entry.conflict().base();
        }
        if (call.get(KEEP)) {
            return (entry, blocks) -> entry.stands();
        }
        if (call.get(DELETE)) {
            return (entry, blocks) -> Optional.empty();
        }
        if (keys.size() > 1) {
            throw Failure.usage("give one key with a value of its own");
        }
        String cid = call.get(CID);
        if (cid != null) {
            Cid value = Values.parse(cid);
            return (entry, blocks) -> Optional.of(value);
        }
        String text = call.get(TEXT);
        byte[] bytes = text != null
                ? Utf8.encode(text)
                : call.get(EDIT) ? edited(call, repository, branch, keys.get(0)) : content(call);
        return (entry, blocks) -> Optional.of(put(entry, blocks, bytes));
    }

    private static byte[] content(Call call) {
        String file = String.valueOf(call.get(FILE));
        try (InputStream in = Inputs.open(call.terminal(), file)) {
            byte[] bytes = in.readNBytes(NewValue.MAX_BLOCK + 1);
            if (bytes.length > NewValue.MAX_BLOCK) {
                throw new Failure.Found(
                        Exit.FAILED,
                        "bad-value",
                        "more than " + NewValue.MAX_BLOCK + " bytes: " + Escapes.printable(file),
                        "put a large file with: pail put KEY --file PATH; that decides the conflict, too");
            }
            return bytes;
        } catch (IOException e) {
            throw Inputs.failure(file, e);
        }
    }

    private static byte[] edited(Call call, Repository repository, String branch, String key) {
        Optional<Cid> stands = repository.pail(branch).get(key);
        boolean isDocument = stands.isPresent() && stands.get().codec() == Cid.DAG_CBOR;
        return Editor.edit(
                call.terminal(), ValueText.toEdit(repository.blocks(), stands), isDocument ? ".json" : ".txt");
    }

    /** Puts a value: a document for a row. */
    private static Cid put(ConflictEntry entry, BlockStore blocks, byte[] bytes) {
        boolean isRow =
                entry.conflict() instanceof TableConflict found && found.row().isPresent();
        Block block = isRow
                ? Document.parse(JsonTexts.withoutMarks(Utf8.decode(bytes, 0, bytes.length)))
                        .block()
                : Block.of(Cid.RAW, bytes);
        blocks.put(block);
        return block.cid();
    }
}
