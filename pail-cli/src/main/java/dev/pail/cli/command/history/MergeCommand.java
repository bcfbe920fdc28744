package dev.pail.cli.command.history;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.Escapes;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.Versions;
import dev.pail.cli.table.TableRepairs;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.ValueText;
import dev.pail.content.merge.ValueKind;
import dev.pail.content.merge.ValueMerge;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Revision;
import dev.pail.table.Index;
import dev.pail.table.TableConflict;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Merges another branch. */
public final class MergeCommand extends ChangeCommand {
    /** How a merge resolves conflicts. */
    public static final Option.Text POLICY = Option.text(
                    "POLICY", "How to resolve conflicts: fail, ours or theirs.", "--policy")
            .offering("fail", "ours", "theirs");

    /** What a merge may merge inside values. */
    public static final Option.Text VALUES = Option.text(
                    "KINDS",
                    "Merge inside values that both sides changed: text by lines, json by fields (and maps of dag-cbor), rows of tables by columns. Several have"
                            + " commas between them. What both sides changed in one place stays a conflict.",
                    "--merge-values")
            .offering("text", "json", "rows", "text,json", "text,json,rows");

    private static final Option.Text BASE = Option.text(
            "REVISION",
            "Ignore the histories: compare both sides with this version, and put the differences, deletions too, into this branch as a"
                    + " change. Without --policy, conflicts are refused.",
            "--base");

    private static final Option.Flag DRY_RUN = Option.flag("Only tell what would happen.", "--dry-run");

    private static final String OURS = "ours";
    private static final String THEIRS = "theirs";

    public MergeCommand() {
        super(
                "merge",
                "Merges another branch into this one, and prints the new root.",
                "merge lists each key that both sides changed, and the value that stands. pail conflicts lists what stays open. If the branch that -b names does not exist, merge makes it.",
                "Without --policy, the order of the clock decides, and all copies decide alike; the branch then has the newest events of both, and the next",
                "change joins them. With --policy, merge compares both sides with the last version that both had: fail lists conflicts, changes nothing and",
                "exits with 4; ours and theirs resolve them by a new event.",
                "Tables keep the indexes of both sides, and merge rebuilds their entries. If one side dropped a table and the other wrote to it, that is a",
                "conflict; with ours or theirs the table stays, with the rows written meanwhile. If it was dropped and made again, see: pail table",
                "orphans. If the repository lacks blocks that the merged values link to, a warning says how many.");
        parameter("REVISION", "1", "What to merge: a branch, a tag, an event or its first characters, or BRANCH@{N}.");
        takes(POLICY, VALUES, BASE, DRY_RUN);
        mayMergeUnrelated();
        examples(
                "  pail merge theirs --dry-run",
                "  pail merge theirs",
                "  pail merge theirs --policy ours",
                "  pail merge theirs --merge-values text,json",
                "  pail merge theirs --base @{3}");
    }

    @Override
    public int run(Call call) {
        MergeOptions options = MergeOptions.DEFAULT.withUnrelated(unrelated(call));
        String policy = call.get(POLICY);
        options = policy == null ? options : options.withPolicy(policy(policy));
        options = call.get(DRY_RUN) ? options.withDryRun() : options;
        try (Repository opened = call.toWrite()) {
            Repository repository = inside(call, opened);
            String branch = call.branch(repository);
            Revision theirs = RepositoryVersions.resolve(repository, branch, call.parameter(0));
            String base = call.get(BASE);
            if (base != null) {
                options = options.withBase(RepositoryVersions.resolve(repository, branch, base));
            } else if (theirs.head().isEmpty()) {
                throw Versions.withoutHistory(theirs.text());
            }
            MergeResult result;
            try (Progress progress = call.progress("blocks")) {
                MergeOptions watched = options.withProgress(progress::step);
                result = merged(call.terminal(), repository, () -> repository.merge(branch, theirs, watched));
            }
            changed(call, result.root());
            print(call.terminal(), result);
            long open = call.isDryRun() ? 0 : noteOpen(call.terminal(), repository, branch);
            OptionalLong leftOut = base == null ? leftOut(call, result) : OptionalLong.empty();
            if (call.terminal().json) {
                call.terminal().printJson(json -> {
                    json.writeStringField("root", result.root().toString());
                    json.writeNumberField("openConflicts", open);
                    if (leftOut.isPresent()) {
                        json.writeNumberField("leftOut", leftOut.getAsLong());
                    }
                });
            } else {
                leftOut.ifPresent(blocks -> call.warnOfLeftOut(blocks, "not in the repository"));
                printRoot(call, result.root());
            }
            return Exit.DONE;
        }
    }

    /** The repository, with rules that merge inside values if the command is to do that. */
    public static Repository inside(Call call, Repository repository) {
        String words = call.get(VALUES);
        return words == null
                ? repository
                : repository.with(ValueMerge.of(kinds(
                                VALUES + " is one or several of text, json and rows, with commas between them", words))
                        .rules());
    }

    /** @param allowed says what the words may be */
    static Set<ValueKind> kinds(String allowed, String words) {
        Set<ValueKind> kinds = EnumSet.noneOf(ValueKind.class);
        for (String word : words.split(",", -1)) {
            kinds.add(
                    switch (word.strip()) {
                        case "text" -> ValueKind.TEXT;
                        case "json" -> ValueKind.JSON;
                        case "rows" -> ValueKind.ROWS;
                        default -> throw Failure.usage(allowed + ", not " + Escapes.brief(word));
                    });
        }
        return kinds;
    }

    /** Counts linked blocks that are absent from the merged version and that the one before does not have. */
    public static OptionalLong leftOut(Call call, MergeResult result) {
        try {
            return OptionalLong.of(result.leftOut());
        } catch (BlockException e) {
            // The merge is done all the same.
            call.terminal().alert("cannot look for absent blocks: " + e.getMessage());
            return OptionalLong.empty();
        }
    }

    /**
     * Prints the keys that both sides changed, and the value that stands; and what became of tables. Quiet commands, too: nothing else tells
     * later which value lost.
     */
    public static void print(Terminal terminal, MergeResult result) {
        result.unreadable()
                .ifPresent(lost ->
                        terminal.warn("the version before the merge cannot be read, so no conflicts are listed: "
                                + Failure.message(lost)));
        result.conflicts().forEach(each -> print(terminal, result.pail().blocks(), each.conflict(), each));
        printMerged(terminal, result);
        TableRepairs.print(terminal, result.outcomes());
    }

    /** Prints the keys whose values have the changes of both sides. */
    private static void printMerged(Terminal terminal, MergeResult result) {
        Pail pail = result.pail();
        List<Conflict> merged = result.decided().stream()
                .map(key -> Conflict.of(key, Optional.empty(), Optional.empty(), pail.get(key)))
                .toList();
        if (merged.isEmpty()) {
            return;
        }
        for (Conflict each : MergeRules.installed().describe(pail, merged)) {
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("merged", each.key());
                    Json.writeCid(json, "now", pail.get(each.key()));
                });
            } else if (!terminal.quiet) {
                terminal.print("= " + ConflictsCommand.place(each) + "\tmerged inside");
            }
        }
        if (!terminal.json && !terminal.quiet) {
            terminal.note((merged.size() == 1
                            ? "1 value that both sides changed has"
                            : merged.size() + " values that both sides changed have")
                    + " the changes of both");
        }
    }

    /** Says how many conflicts a merge left open, and what to do about them. */
    public static long noteOpen(Terminal terminal, Repository repository, String branch) {
        long open = repository.conflicts().countNew(branch);
        if (open > 0 && !terminal.json && !terminal.quiet) {
            terminal.note((open == 1 ? "1 conflict is open" : open + " conflicts are open")
                    + ", and all copies have the same value; see, and decide: pail conflicts");
        }
        return open;
    }

    /** Makes a merge. If a policy refuses it, prints the conflicts while the repository is open. */
    public static MergeResult merged(Terminal terminal, Repository repository, Supplier<MergeResult> merge) {
        try {
            return merge.get();
        } catch (MergeConflictException e) {
            e.conflicts().forEach(conflict -> print(terminal, repository.blocks(), conflict, null));
            throw e;
        }
    }

    public static MergePolicy policy(String name) {
        return switch (name) {
            case "fail" -> MergePolicy.fail();
            case OURS -> MergePolicy.ours();
            case THEIRS -> MergePolicy.theirs();
            default -> throw Failure.usage("--policy is fail, ours or theirs, not \"" + name + "\"");
        };
    }

    /** @param decided how the conflict was decided; null, if nothing was merged */
    private static void print(
            Terminal terminal, BlockStore blocks, Conflict conflict, MergeResult.@Nullable Resolved decided) {
        TableConflict found = conflict instanceof TableConflict known
                ? known
                : new TableConflict(conflict, Optional.empty(), Optional.empty(), Optional.empty());
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("conflict", conflict.key());
                ConflictsCommand.writeSides(json, found);
                if (decided != null) {
                    Json.writeCid(json, "now", decided.stands());
                }
                if (found.duplicate().isPresent()) {
                    TableConflict.Duplicate same = found.duplicate().get();
                    json.writeStringField("index", same.index().toString());
                    json.writeStringField("values", same.values());
                    Json.writeTexts(json, "rows", same.rows());
                }
                if (found.schema().isPresent()) {
                    json.writeStringField("schema", found.schema().get());
                }
                if (found.dropped().isPresent()) {
                    TableConflict.DroppedTable drop = found.dropped().get();
                    json.writeStringField("dropped", drop.byOurs() ? OURS : THEIRS);
                    json.writeBooleanField("madeAgain", drop.madeAgain());
                    json.writeNumberField("rows", drop.rows());
                    Json.writeTexts(
                            json,
                            "indexes",
                            drop.indexes().stream().map(Index::toString).toList());
                }
            });
            return;
        }
        if (found.duplicate().isPresent() || found.schema().isPresent()) {
            terminal.print("! " + ConflictsCommand.place(found) + "\t" + Escapes.printable(found.subject()));
            return;
        }
        if (found.dropped().isPresent()) {
            TableConflict.DroppedTable drop = found.dropped().get();
            String did = "\t" + (drop.byOurs() ? OURS : THEIRS) + " " + drop.drop();
            String wrote = "\t" + (drop.byOurs() ? THEIRS : OURS) + " wrote " + Escapes.printable(drop.written());
            terminal.print("! " + ConflictsCommand.place(found) + (drop.byOurs() ? did + wrote : wrote + did));
            return;
        }
        String stands = decided == null ? "" : "\t" + standing(blocks, conflict, decided.stands()) + " stands";
        terminal.print("! " + ConflictsCommand.place(found) + "\tours " + text(blocks, conflict.ours()) + "\ttheirs "
                + text(blocks, conflict.theirs())
                + (found.table().isPresent() && found.row().isEmpty() ? "" : stands));
    }

    private static String standing(BlockStore blocks, Conflict conflict, Optional<Cid> now) {
        if (now.equals(conflict.ours())) {
            return OURS;
        }
        return now.equals(conflict.theirs()) ? THEIRS : text(blocks, now);
    }

    private static String text(BlockStore blocks, Optional<Cid> value) {
        return value.isEmpty() ? "(deleted)" : ValueText.brief(blocks, value);
    }
}
