package dev.pail.cli.command.store;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.CarFile;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Healing;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.RepositoryVersions;
import dev.pail.cli.command.SignedHeadCheck;
import dev.pail.cli.command.Versions;
import dev.pail.cli.table.TableChecks;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.model.VerifyReport.Kind;
import dev.pail.repository.model.VerifyReport.Name;
import dev.pail.repository.model.VerifyReport.Problem;
import dev.pail.repository.model.VerifyReport.Version;
import dev.pail.through.BlockSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks everything that is reachable; or a signed head. */
public final class VerifyCommand extends Command {
    private static final Option.Flag ALL = Option.flag(
            "Check all versions of the history, and those that logs lead to, as far as gc keeps them. It takes memory for each block.",
            "--all");

    private static final Option.Flag VALUES = Option.flag(
            "Read and hash all values and all blocks that they link to. Name those that are absent; then the exit status is 5.",
            "--values");

    private static final Option.Text SIGNED_BY =
            Option.text("FILE", "Check a signed note with this public key: a file, or the key itself.", "--signed-by");

    private static final Option.Flag HEAL = Option.flag(
            "Fetch what is missing or damaged from the remotes of the repository, or from REMOTE, and put it here.",
            "--heal");

    private static final Option.Text FROM = Option.text(
            "REMOTE", "A remote, a server, another repository or a CAR file that has the blocks.", "--from");

    public VerifyCommand() {
        super(
                "verify",
                "Checks the current versions of all branches and tags: events, shards, logs and tables.",
                "It checks each block against its CID and each shard against the rules of its format, and names what is missing or damaged; then the exit",
                "status is 5. If a read fails, the state of the block is unknown: verify names it as unreadable, continues, and exits with 3 if nothing is missing",
                "or damaged. Values and the blocks that they link to may be absent: verify checks those that are here, and counts the others. If index",
                "entries of a table do not match its rows, the exit status is 1. verify also lists rows that belong to no table. With -b it checks one branch.",
                "In a part, it counts the absent blocks that the remote promises, and asks the remote if only that can tell which are lost. If the remote cannot be reached, the exit status is 3.",
                "With --signed-by it checks only the note FILE that pail sign has written, or else the one that is kept beside the branch or tag that -b names. It prints current if the branch or tag has the signed head,",
                "older if all signed events are in its history, and else absent, with the exit status 1. If the owner of the key has not signed",
                "the note, or the root is not that of the events, the exit status is 5. With FILE, -b names a branch to compare with instead.");
        parameter(
                "FILE", "0..1", "With --signed-by: the signed note; - for standard input. Else the one that is kept.");
        takes(ALL, VALUES, HEAL, FROM, SIGNED_BY);
        needs(FROM, HEAL, FROM + " names where to take blocks from, with " + HEAL);
        examples(
                "  pail verify",
                "  pail verify --values && pail export backup.car",
                "  pail verify --all --json",
                "  pail verify --all --values --heal",
                "  pail verify --all --heal --from backup.car",
                "  pail -C photos.car verify",
                "  pail verify --signed-by photos.key.pub",
                "  pail verify --signed-by photos.key.pub photos.note");
    }

    @Override
    public int run(Call call) {
        String key = call.get(SIGNED_BY);
        String note = call.optionalParameter(0);
        if ((key == null && note != null) || (key != null && (call.get(ALL) || call.get(VALUES)))) {
            throw Failure.usage("a signed note is checked alone, with: " + SIGNED_BY + " KEY [FILE]");
        }
        return key == null ? verify(call) : SignedHeadCheck.run(call, key, note);
    }

    private static int verify(Call call) {
        if (!call.get(HEAL)) {
            return verify(call, call.versions(call::bareRepository));
        }
        if (call.isCarFile()) {
            throw Failure.usage("a CAR file is only read: " + call.place());
        }
        try (Repository repository = call.bareRepository();
                BlockSources source = Healing.source(call.terminal(), repository, call.get(FROM))) {
            try {
                return verify(call, call.versions(() -> repository.readingThrough(source)));
            } finally {
                Healing.tell(call.terminal(), source);
            }
        }
    }

    private static int verify(Call call, Versions opened) {
        try (Versions versions = opened;
                Progress progress = call.progress("blocks")) {
            Found found = new Found(call, progress);
            VerifyOptions options =
                    VerifyOptions.DEFAULT.withProgress(progress::step).withProblems(found::add);
            options = call.get(ALL) ? options.withAllVersions() : options;
            options = call.get(VALUES) ? options.withValues() : options;
            if (versions instanceof CarFile car) {
                return found.end(versions.blocks(), car.verify(options));
            }
            RepositoryVersions known = (RepositoryVersions) versions;
            call.warnOfForeignFiles(known.repository());
            options = call.globals().branch() == null ? options : options.withBranch(known.branch());
            options = Healing.asking(call.terminal(), known.repository(), options);
            known.repository().refs().part().ifPresent(part -> found.remote = part.remote());
            return found.end(versions.blocks(), known.repository().verify(options));
        }
    }

    /** What a check has found so far. */
    private static final class Found {
        private final Call call;
        private final Terminal terminal;
        private final Progress progress;

        /** The files with problems: they are printed behind all blocks. */
        private final List<Problem> files = new ArrayList<>();

        private long damagedBlocks;
        private long unreadableBlocks;

        /** What to do about a block that is missing. */
        private @Nullable String hint;

        /** The remote of a part. */
        private String remote = "";

        Found(Call call, Progress progress) {
            this.call = call;
            this.terminal = call.terminal();
            this.progress = progress;
        }

        void add(Problem problem) {
            Cid cid = problem.cid().orElse(null);
            if (cid == null) {
                files.add(problem);
                return;
            }
            if (problem.kind() == Kind.UNREADABLE) {
                unreadableBlocks++;
            } else {
                damagedBlocks++;
            }
            if (hint == null && problem.kind() == Kind.MISSING) {
                hint = call.misnamed(cid).orElse(null);
            }
            progress.hide();
            print(problem, cid);
        }

        int end(BlockStore blocks, VerifyReport report) {
            boolean isOne = report.damaged() + report.unreadable() == 1;
            if (isOne && files.size() == 1) {
                // It says all that there is to say.
                throw files.get(0).cause();
            }
            progress.hide();
            files.forEach(this::print);
            print(report);
            TableChecks tables = new TableChecks(blocks, terminal);
            if (report.unremoved() > 0) {
                terminal.alert("unfinished: the bytes of " + count(report.unremoved(), "erased block")
                        + " may still be here; remove them with: pail gc");
            }
            report.heads().forEach(head -> {
                if (report.promised() > 0) {
                    // Entries of tables that are not here are no fault.
                    return;
                }
                if (head.kind() == Name.BRANCH) {
                    tables.checkBranch(shown(head.name()), head.root());
                } else {
                    tables.checkTag(shown(head.name()), head.root());
                }
            });
            if (report.isSound()) {
                if (report.promised() == 0) {
                    tables.end();
                }
                return report.unremoved() > 0 ? Exit.NO : Exit.DONE;
            }
            throw failure(report);
        }

        private Failure.Found failure(VerifyReport report) {
            long unreadableFiles = files.stream()
                    .filter(file -> file.kind() == Kind.UNREADABLE)
                    .count();
            String damaged = counted(files.size() - unreadableFiles, damagedBlocks);
            String unreadable = counted(unreadableFiles, unreadableBlocks - report.untold());
            List<String> unknown = new ArrayList<>();
            if (!unreadable.isEmpty()) {
                unknown.add(unreadable + " cannot be read");
            }
            if (report.untold() > 0) {
                unknown.add(count(report.untold(), "block") + " could not be told promised from lost, as " + remote
                        + " cannot be reached");
            }
            if (report.damaged() == 0) {
                return new Failure.Found(
                        Exit.FAILED,
                        "io",
                        String.join(", and ", unknown) + ": " + call.place(),
                        report.untold() == 0 ? null : "run it again when " + remote + " can be reached");
            }
            return new Failure.Found(
                    Exit.DAMAGED,
                    "damaged-store",
                    damaged + (report.damaged() == 1 ? " is" : " are") + " missing or damaged"
                            + unknown.stream().map(", and "::concat).collect(Collectors.joining()) + ": "
                            + call.place(),
                    hint(report));
        }

        private static String counted(long files, long blocks) {
            return (files == 0 ? "" : count(files, "file"))
                    + (files == 0 || blocks == 0 ? "" : " and ")
                    + (blocks == 0 ? "" : count(blocks, "block"));
        }

        private static String count(long number, String what) {
            return number + " " + what + (number == 1 ? "" : "s");
        }

        private @Nullable String hint(VerifyReport report) {
            if (hint != null) {
                return hint;
            }
            if (damagedBlocks == 0 && report.waysBack().isEmpty()) {
                return null;
            }
            String back = report.waysBack().stream()
                    .map(way -> "pail reset @{" + way.updates() + "} -b " + way.branch())
                    .collect(Collectors.joining("; "));
            String wayBack = back.isEmpty() ? "" : "; or go back to the newest version that is whole with: " + back;
            if (call.isCarFile()) {
                return "get the file again, or write it again with export where the blocks are";
            }
            if (call.get(HEAL)) {
                return "the places that were asked do not have them: name another one with: " + FROM + " REMOTE"
                        + wayBack;
            }
            return "take them from the remotes with: pail verify --all --values " + HEAL
                    + "; or from another copy, a server or a CAR file with: " + FROM + " REMOTE" + wayBack;
        }

        private static String shown(String place) {
            return place.isEmpty() ? "-" : place;
        }

        private static String word(Kind kind) {
            return kind.name().toLowerCase(Locale.ROOT);
        }

        /** Prints a file, or a part of a store whose content is unknown. */
        private void print(Problem file) {
            String what = switch (file.subject()) {
                case CURRENT -> "branch";
                case COLLECTION -> "gc";
                default -> file.subject().name().toLowerCase(Locale.ROOT);
            };
            String message = Failure.message(file.cause());
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("problem", word(file.kind()));
                    json.writeStringField("file", what);
                    json.writeStringField("name", shown(file.place()));
                    json.writeStringField("message", message);
                });
                return;
            }
            terminal.print(word(file.kind()) + "\t-\t" + what + "\t" + Escapes.escape(shown(file.place())) + "\t"
                    + Escapes.printable(message));
        }

        private void print(Problem problem, Cid cid) {
            String message = Failure.message(problem.cause());
            Place place = place(problem);
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("problem", word(problem.kind()));
                    json.writeStringField("cid", cid.toString());
                    json.writeStringField(place.field, place.value);
                    json.writeStringField("message", message);
                });
                return;
            }
            terminal.print(word(problem.kind()) + "\t" + cid + "\t" + place.what + "\t" + Escapes.escape(place.value)
                    + "\t" + Escapes.printable(message));
        }

        /**
         * Where a block is.
         *
         * @param field what the value is: the prefix of a shard, the key of a value or of one above a block, the branch of an event
         */
        private record Place(String what, String field, String value) {}

        private static Place place(Problem problem) {
            String place = problem.place();
            return switch (problem.subject()) {
                case EVENT -> new Place("event", "branch", shown(place));
                case VERSION -> new Place("shard", "branch", shown(place));
                case SHARD -> new Place("shard", "prefix", place);
                default -> new Place(problem.subject().name().toLowerCase(Locale.ROOT), "key", place);
            };
        }

        private void print(VerifyReport report) {
            if (terminal.json) {
                terminal.printJson(json -> {
                    Json.writeCids(
                            json,
                            "roots",
                            call.get(ALL)
                                    ? List.of()
                                    : report.heads().stream()
                                            .map(Version::root)
                                            .distinct()
                                            .toList());
                    json.writeNumberField("versions", report.versions());
                    json.writeNumberField("events", report.events());
                    json.writeNumberField("shards", report.shards());
                    json.writeNumberField("entries", report.entries());
                    json.writeNumberField("values", report.values());
                    json.writeNumberField("absent", report.absentValues());
                    json.writeNumberField("below", report.below());
                    json.writeNumberField("absentBelow", report.absentBelow());
                    json.writeNumberField("promised", report.promised());
                    json.writeNumberField("untold", report.untold());
                    json.writeNumberField("erased", report.erased());
                    json.writeNumberField("unremoved", report.unremoved());
                    json.writeNumberField("bytes", report.bytes());
                    json.writeNumberField("problems", report.damaged() + report.unreadable());
                });
            } else if (!terminal.quiet) {
                terminal.print((report.isSound() ? "sound" : "the rest is sound")
                        + (report.promised() == 0 ? "" : ", as far as this part has it") + "\tversions "
                        + report.versions()
                        + ", events " + report.events() + ", shards " + report.shards() + ", entries "
                        + report.entries() + ", values here " + report.values() + ", values absent "
                        + report.absentValues() + ", below values here " + report.below()
                        + ", below values absent " + report.absentBelow()
                        + (report.promised() == 0 ? "" : ", promised " + report.promised())
                        + (report.erased() == 0 ? "" : ", erased " + report.erased()) + ", bytes " + report.bytes());
            }
        }
    }
}
