package dev.pail.cli;

import dev.pail.BlockException;
import dev.pail.Conflict;
import dev.pail.Escapes;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.car.CarExport;
import dev.pail.car.Completeness;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.Revision;
import dev.pail.table.FieldPath;
import dev.pail.table.Repair;
import dev.pail.table.TableConflict;
import dev.pail.table.TableMerge;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Merges another branch. */
final class MergeCommand extends ChangeCommand {
    private static final String OURS = "ours";
    private static final String THEIRS = "theirs";

    MergeCommand() {
        super(
                "merge",
                "Merges another branch into this one, and prints the new root.",
                "merge lists each key that both sides changed, and the value that stands. If the branch that -b names does not exist, merge makes it.",
                "Without --policy, the order of the clock decides, and all copies decide alike; the branch then has the newest events of both, and the next",
                "change joins them. With --policy, merge compares both sides with the last version that both had: fail lists conflicts, changes nothing and",
                "exits with 4; ours and theirs resolve them by a new event.",
                "Tables keep the indexes of both sides, and merge rebuilds their entries. If one side dropped a table and the other wrote to it, that is a",
                "conflict; with ours or theirs the table stays, with the rows written meanwhile. If it was dropped and made again, see: pail table",
                "orphans. If the repository lacks blocks that the merged values link to, a warning says how many.");
        parameter("REVISION", "1", "What to merge: a branch, a tag, an event or its first characters, or BRANCH@{N}.");
        option(String.class, "POLICY", "How to resolve conflicts: fail, ours or theirs.", "--policy");
        option(
                String.class,
                "REVISION",
                "Compare both with this version, whatever their histories are, and take in what is different, deletions too, as a"
                        + " change of this branch. Without --policy, conflicts are refused.",
                "--base");
        flag("Only tell what would happen.", "--dry-run");
        mayMergeUnrelated();
        examples(
                "  pail merge theirs --dry-run",
                "  pail merge theirs",
                "  pail merge theirs --policy ours",
                "  pail merge theirs --base @{3}");
    }

    @Override
    int run(Call call) {
        String policy = call.option("--policy");
        MergePolicy resolution = policy == null ? null : policy(policy);
        UnrelatedHistories unrelated = unrelated(call);
        Outcome outcome = new Outcome();
        try (Repository repository = call.toWrite()) {
            String branch = call.branch(repository);
            String other = call.parameter(0);
            Revision revision = RepositoryVersions.resolve(repository, branch, other);
            String base = call.option("--base");
            if (base != null) {
                MergePolicy chosen = resolution == null ? MergePolicy.fail() : resolution;
                return mergeContent(call, repository, branch, revision, base, chosen, outcome);
            }
            Head theirs = revision.head().orElseThrow(() -> Versions.withoutHistory(other));
            boolean present = repository.isBranch(branch);
            String reason = "merge " + other;
            AtomicReference<@Nullable Cid> before = new AtomicReference<>();
            ReplicatedPail merged;
            if (call.flag("--dry-run")) {
                if (present) {
                    ReplicatedPail ours = scratch(repository, repository.head(branch));
                    before.set(rootIfReadable(ours));
                    merged = outcome.merge(ours, theirs, unrelated, resolution);
                } else {
                    repository.checkFree(branch);
                    merged = outcome.begin(scratch(repository, Head.empty()), theirs);
                }
            } else if (present) {
                merged = repository.change(branch, reason, ours -> {
                    before.set(rootIfReadable(ours));
                    return outcome.merge(ours, theirs, unrelated, resolution);
                });
            } else {
                merged = outcome.begin(repository, branch, reason, theirs);
            }
            Cid root = merged.root();
            changed(call, root);
            outcome.print(call.terminal());
            OptionalLong leftOut = leftOut(call, merged, before.get());
            if (call.terminal().json && leftOut.isPresent()) {
                call.terminal().printJson(json -> {
                    json.writeStringField("root", root.toString());
                    json.writeNumberField("leftOut", leftOut.getAsLong());
                });
            } else {
                leftOut.ifPresent(blocks -> call.warnOfLeftOut(blocks, "not in the repository"));
                printRoot(call, root);
            }
            return Exit.DONE;
        } catch (MergeConflictException e) {
            outcome.printRefused(call.terminal());
            throw e;
        }
    }

    /** The root before the merge; null if its version cannot be read, which a merge need not do. */
    private static @Nullable Cid rootIfReadable(ReplicatedPail ours) {
        try {
            return ours.root();
        } catch (BlockException e) {
            return null;
        }
    }

    /** Counts linked blocks that are absent from the merged version and that the one before does not have. */
    private static OptionalLong leftOut(Call call, ReplicatedPail merged, @Nullable Cid before) {
        CarExport brought = CarExport.of(merged.clock().blocks(), List.of(merged.root()));
        try {
            return OptionalLong.of((before == null ? brought : brought.since(before)).leftOut());
        } catch (BlockException e) {
            // The merge is done all the same.
            call.terminal().alert("cannot look for absent blocks: " + e.getMessage());
            return OptionalLong.empty();
        }
    }

    /** @param known the conflicts in terms of tables; none, if no tables are concerned */
    static void printConflicts(Terminal terminal, MergeConflictException error, List<TableConflict> known) {
        if (!terminal.quiet && !known.isEmpty()) {
            known.forEach(conflict -> print(terminal, conflict, null));
        } else if (!terminal.quiet) {
            error.conflicts()
                    .forEach(conflict -> print(
                            terminal,
                            new TableConflict(conflict, Optional.empty(), Optional.empty(), Optional.empty()),
                            null));
        }
    }

    /** Merges what versions hold. What is taken in becomes a change of the branch; the events of the other do not join. */
    private static int mergeContent(
            Call call,
            Repository repository,
            String branch,
            Revision theirs,
            String base,
            MergePolicy policy,
            Outcome outcome) {
        Pail from = RepositoryVersions.resolve(repository, branch, base).pail();
        Completeness.require(
                repository.blocks(), List.of(from.root(), theirs.pail().root()));
        Pail merged;
        if (call.flag("--dry-run")) {
            Overlay scratch = new Overlay(repository.blocks());
            merged = outcome.merge(from, Pail.open(scratch, repository.root(branch)), theirs.pail(), policy);
        } else {
            String reason = "merge " + call.parameter(0) + " --base " + base;
            merged = repository.update(branch, reason, ours -> outcome.merge(from, ours, theirs.pail(), policy));
        }
        changed(call, merged.root());
        outcome.print(call.terminal());
        printRoot(call, merged.root());
        return Exit.DONE;
    }

    static MergePolicy policy(String name) {
        return switch (name) {
            case "fail" -> MergePolicy.fail();
            case OURS -> MergePolicy.ours();
            case THEIRS -> MergePolicy.theirs();
            default -> throw Failure.usage("--policy is fail, ours or theirs, not \"" + name + "\"");
        };
    }

    /** Where a branch stands; what follows is kept in memory. */
    private static ReplicatedPail scratch(Repository repository, Head head) {
        Overlay blocks = new Overlay(repository.blocks());
        return head.isEmpty()
                ? ReplicatedPail.create(blocks, repository.format())
                : ReplicatedPail.open(MerkleClock.open(blocks), head, UnrelatedHistories.MERGE_FROM_EMPTY);
    }

    /** What came of a merge. */
    static final class Outcome {
        private List<TableConflict> conflicts = List.of();
        private @Nullable Pail merged;
        private final List<Repair> repairs = new ArrayList<>();

        /** Why the version of the branch itself cannot be read, of which a merge needs the events alone. */
        private @Nullable BlockException lost;

        /** Merges, and notes what came of it. May be called again, if a race was lost. */
        ReplicatedPail merge(
                ReplicatedPail ours, Head theirs, UnrelatedHistories unrelated, @Nullable MergePolicy policy) {
            repairs.clear();
            return mergeRight(ours, right(ours, theirs), unrelated, policy);
        }

        private ReplicatedPail mergeRight(
                ReplicatedPail ours, Head theirs, UnrelatedHistories unrelated, @Nullable MergePolicy policy) {
            Sides sides = new Sides(ours, theirs, unrelated);
            lost = sides.lost();
            conflicts = sides.conflicts();
            Sides.Merged result = sides.merge(policy);
            merged = result.state().pail();
            repairs.add(result.repair());
            return result.state();
        }

        /** Merges what versions hold. */
        Pail merge(Pail base, Pail ours, Pail theirs, MergePolicy policy) {
            TableMerge merge = TableMerge.of(base, ours, theirs);
            conflicts = merge.conflicts();
            repairs.clear();
            Repair done = merge.by(policy);
            merged = done.tables().pail();
            repairs.add(done);
            return done.tables().pail();
        }

        /** Makes a branch of what came from elsewhere, which is not asked again whether it belongs together. */
        ReplicatedPail begin(Repository repository, String branch, String reason, Head theirs) {
            return repository.createBranch(branch, reason, nothing -> begin(nothing, theirs));
        }

        private ReplicatedPail begin(ReplicatedPail nothing, Head theirs) {
            return merge(nothing, theirs, UnrelatedHistories.MERGE_FROM_EMPTY, null);
        }

        /**
         * The head from which the tables of another head are right. Who merged its events may have known nothing of tables: then they
         * are merged here, one after the other, and an event that follows makes the tables right.
         */
        private Head right(ReplicatedPail ours, Head theirs) {
            MerkleClock clock = ours.clock();
            if (theirs.size() < 2
                    || clock.merge(ours.head(), theirs).equals(ours.head())
                    || !hasTables(clock, theirs)) {
                return theirs;
            }
            UnrelatedHistories unrelated = UnrelatedHistories.MERGE_FROM_EMPTY;
            ReplicatedPail right =
                    ReplicatedPail.open(clock, Head.of(theirs.events().get(0)), unrelated);
            for (Cid event : theirs.events().subList(1, theirs.size())) {
                right = mergeRight(right, Head.of(event), unrelated, null);
            }
            return right.head();
        }

        private static boolean hasTables(MerkleClock clock, Head head) {
            return head.events().stream()
                    .anyMatch(event -> Tables.mayBeIn(
                            Pail.open(clock.blocks(), clock.event(event).root())));
        }

        /** Prints the keys that both sides have changed, and which value now stands; and what became of tables. */
        void print(Terminal terminal) {
            if (lost != null) {
                terminal.warn("the version before the merge cannot be read, so no conflicts are listed: "
                        + Failure.message(lost));
            }
            Pail result = merged;
            if (result != null && !terminal.quiet) {
                conflicts.forEach(conflict -> MergeCommand.print(terminal, conflict, result));
            }
            repairs.forEach(repair -> TableRepairs.print(terminal, repair));
        }

        /** Prints the conflicts for which a policy has refused the merge. */
        void printRefused(Terminal terminal) {
            if (!terminal.quiet) {
                conflicts.forEach(conflict -> MergeCommand.print(terminal, conflict, null));
            }
        }
    }

    /** @param now the version in which one of the values stands; null, if there is none */
    private static void print(Terminal terminal, TableConflict found, @Nullable Pail now) {
        Conflict conflict = found.conflict();
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("conflict", conflict.key());
                if (found.table().isPresent()) {
                    json.writeStringField("table", found.table().get());
                }
                if (found.row().isPresent()) {
                    json.writeStringField("row", found.row().get());
                }
                Json.writeCid(json, "base", conflict.base());
                Json.writeCid(json, OURS, conflict.ours());
                Json.writeCid(json, THEIRS, conflict.theirs());
                if (now != null) {
                    Json.writeCid(json, "now", now.get(conflict.key()));
                }
                if (found.dropped().isPresent()) {
                    TableConflict.DroppedTable drop = found.dropped().get();
                    json.writeStringField("dropped", drop.byOurs() ? OURS : THEIRS);
                    json.writeBooleanField("madeAgain", drop.madeAgain());
                    json.writeNumberField("rows", drop.rows());
                    Json.writeTexts(
                            json,
                            "indexes",
                            drop.indexes().stream().map(FieldPath::text).toList());
                }
            });
            return;
        }
        if (found.dropped().isPresent()) {
            TableConflict.DroppedTable drop = found.dropped().get();
            String did = "\t" + (drop.byOurs() ? OURS : THEIRS) + " " + drop.drop();
            String wrote = "\t" + (drop.byOurs() ? THEIRS : OURS) + " wrote " + Escapes.printable(drop.written());
            terminal.print("! " + place(found) + (drop.byOurs() ? did + wrote : wrote + did));
            return;
        }
        String stands = now == null ? "" : "\t" + standing(conflict, now.get(conflict.key())) + " stands";
        terminal.print("! " + place(found) + "\tours " + text(conflict.ours()) + "\ttheirs " + text(conflict.theirs())
                + (found.table().isPresent() && found.row().isEmpty() ? "" : stands));
    }

    /** The key, or the table and the row. */
    private static String place(TableConflict found) {
        String table =
                found.table().map(name -> "table " + Escapes.escape(name)).orElse("");
        return table.isEmpty()
                ? Escapes.escape(found.conflict().key())
                : table + found.row().map(id -> " row " + Escapes.escape(id)).orElse("");
    }

    private static String standing(Conflict conflict, Optional<Cid> now) {
        if (now.equals(conflict.ours())) {
            return OURS;
        }
        return now.equals(conflict.theirs()) ? THEIRS : text(now);
    }

    private static String text(Optional<Cid> value) {
        return value.map(Cid::toString).orElse("(deleted)");
    }
}
