package dev.pail.cli.command.exchange;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.CarFile;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.folder.ImportFolder;
import dev.pail.cli.command.history.MergeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.dag.DagWalk;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.ImportException;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.ImportResult;
import dev.pail.repository.model.MergeResult;
import java.io.IOException;
import java.util.List;

/** Takes in a CAR file. */
public final class ImportCommand extends ChangeCommand {
    private static final Option.Flag FILES = Option.flag(
            "Make keys of the files of the UnixFS folder that is the root of the CAR, in one change.", "--files");

    private static final Option.Flag MISSING = Option.flag(
            "Print the CIDs of all blocks that the roots of the CAR lead to and that are neither in it nor in the repository.",
            "--missing");

    public ImportCommand() {
        super(
                "import",
                "Takes in the blocks of a CAR file and merges its history into the branch, as merge does.",
                "If the branch that -b names does not exist, import makes it. A file with a version but no history can only become a new branch",
                "or fill an empty one. A file without a version, as IPFS tools write it, leaves the branch as it is: keys can name its blocks.",
                "With --files, a symbolic link or an entry in another codec is a value; entries that cannot be read are left out and named (exit status 5).",
                "import checks each block against its CID, and moves the branch only if all shards and events are here. Values and the",
                "blocks that they link to may be absent; a warning says how many.");
        parameter("FILE", "1", "The file; - for standard input.");
        parameter("PREFIX", "0..1", "With --files: what the keys start with, before a slash.");
        takes(FILES, ImportFolder.STRICT, MISSING);
        needs(ImportFolder.STRICT, FILES, "--strict is for --files");
        mayMergeUnrelated();
        examples(
                "  pail import update.car",
                "  pail import theirs.car -b theirs",
                "  pail import site.car --files www",
                "  ipfs dag export CID | pail import -");
    }

    @Override
    public int run(Call call) {
        String name = call.parameter(0);
        String prefix = call.optionalParameter(1);
        if (prefix != null && !call.get(FILES)) {
            throw Failure.usage("PREFIX is for --files");
        }
        try (Repository repository = call.toWrite()) {
            if (call.get(FILES)) {
                try (CarReader car = reader(call, name)) {
                    return ImportFolder.run(call, repository, car, prefix == null ? "" : prefix);
                }
            }
            String branch = call.branch(repository);
            ImportResult result = take(call, repository, branch);
            call.terminal().kept = null;
            CarImport blocks = result.blocks();
            if (!call.terminal().json) {
                call.warnOfLeftOut(blocks.leftOut(), "neither in the file nor in the repository");
            }
            if (result.merge().isEmpty()) {
                printCounts(call, blocks);
                checkVerified(name, blocks, "no branch was moved");
                checkRoots(name, repository, blocks);
                return Exit.DONE;
            }
            MergeResult merge = result.merge().get();
            changed(call, merge.root());
            MergeCommand.print(call.terminal(), merge);
            if (!call.terminal().json) {
                printRoot(call, merge.root());
            } else {
                call.terminal().printJson(json -> {
                    json.writeStringField("branch", branch);
                    json.writeStringField("root", merge.root().toString());
                    writeCounts(json, blocks);
                });
            }
            checkVerified(name, blocks, branch + " was moved");
            return Exit.DONE;
        }
    }

    /** Tells what came of a CAR without a version. */
    private static void printCounts(Call call, CarImport result) {
        Terminal terminal = call.terminal();
        terminal.changed = "took in " + result.added() + " new blocks";
        if (terminal.json) {
            terminal.printJson(json -> writeCounts(json, result));
        } else if (!terminal.quiet) {
            List<Cid> roots = result.header().roots();
            terminal.note("the CAR names no version, so no branch was moved"
                    + (roots.isEmpty() ? "" : ": " + CarFile.described(roots)));
        }
    }

    private static void writeCounts(JsonGenerator json, CarImport result) throws IOException {
        json.writeNumberField("new", result.added());
        json.writeNumberField("known", result.known());
        json.writeNumberField("refused", result.refused());
        json.writeNumberField("leftOut", result.leftOut());
    }

    /** Fails if blocks were left out that could not be verified. */
    private static void checkVerified(String name, CarImport result, String moved) {
        List<CarImport.Refusal> refused = result.refusals();
        if (!refused.isEmpty()) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "unsupported-hash",
                    "blocks of the CAR cannot be verified, and were left out: " + name + ": " + result.refused()
                            + ", the first is " + refused.get(0).cid(),
                    "the other blocks are here, and " + moved + "; read those with an IPFS tool");
        }
    }

    /** Fails if a CAR without a version lacks what it is about. */
    private static void checkRoots(String name, Repository repository, CarImport blocks) {
        List<Cid> roots = blocks.header().roots();
        List<Cid> absent = roots.stream()
                .filter(root -> root.hashFunction() != Cid.IDENTITY
                        && !repository.blocks().has(root))
                .toList();
        boolean isEmpty = blocks.added() + blocks.known() + blocks.refused() == 0;
        if (!absent.isEmpty()) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "missing-block",
                    "the block of a root is neither in the CAR nor in the repository: " + Inputs.shown(name) + ": "
                            + absent.get(0)
                            + (absent.size() == 1 ? "" : ", and those of " + (absent.size() - 1) + " more roots")
                            + (isEmpty ? "; the CAR has no blocks at all" : ""),
                    "the blocks of the file were taken in; get the whole file, or list what is missing with: pail import FILE --missing");
        }
        if (isEmpty && roots.isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "car-file",
                    "the CAR has no roots and no blocks: " + Inputs.shown(name),
                    "get the file again, or write it again with the program that made it");
        }
    }

    /** Prints what blocks below the roots are missing. What hangs on them is not known. */
    private static void printMissing(Call call, Repository repository, List<Cid> roots) {
        Terminal terminal = call.terminal();
        DagWalk walk = new DagWalk(repository.blocks()::getChecked, link -> true, block -> {}, link -> {
            if (terminal.json) {
                terminal.printJson(
                        json -> json.writeStringField("missing", link.cid().toString()));
            } else {
                terminal.print(link.cid().toString());
            }
        });
        walk.run(roots);
    }

    private static ImportResult take(Call call, Repository repository, String branch) {
        String name = call.parameter(0);
        call.terminal().kept = () -> "no branch was moved; run the same command again";
        try (CarReader car = reader(call, name);
                Progress progress = call.progress("blocks", car::position, Inputs.size(call.terminal(), name))) {
            ImportOptions options = ImportOptions.DEFAULT
                    .withName(name)
                    .withUnrelated(unrelated(call))
                    .withProgress(progress::step)
                    .withBlocks(blocks -> {
                        progress.hide();
                        printBlocks(call.terminal(), blocks);
                        if (call.get(MISSING)) {
                            printMissing(call, repository, blocks.header().roots());
                        }
                    });
            return repository.take(branch, car, options);
        } catch (ImportException e) {
            throw failure(e);
        } catch (MissingBlockException e) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    e.code(),
                    Failure.message(e),
                    "no branch was moved; what export --since leaves out is in a file from before: import that first; "
                            + "list what is missing with: pail import FILE --missing");
        } catch (MalformedBlockException e) {
            Failure failure = Failure.of(e);
            throw new Failure.Found(
                    failure.exit(),
                    failure.code(),
                    failure.message(),
                    "no branch was moved; the blocks of the file were taken in");
        }
    }

    private static Failure.Found failure(ImportException error) {
        String version =
                error.versions().isEmpty() ? "" : error.versions().get(0).toString();
        String message = Failure.message(error);
        return switch (error.reason()) {
            case DAMAGED ->
                new Failure.Found(Exit.DAMAGED, error.code(), message, "get the file again, and import it again");
            case NO_VERSION ->
                new Failure.Found(
                        Exit.FAILED,
                        error.code(),
                        message,
                        "its blocks were taken in; without -b, that is all that import does");
            case SEVERAL_VERSIONS ->
                new Failure.Found(
                        Exit.FAILED, error.code(), message, "the blocks are here: pail branch NAME " + version);
            case NO_HISTORY ->
                new Failure.Found(
                        Exit.CONFLICT,
                        error.code(),
                        message,
                        "make it a branch of its own: pail branch NAME " + version
                                + "; then take in what it changed: pail merge NAME --base REVISION, the version that it was made from");
        };
    }

    private static CarReader reader(Call call, String name) {
        if (!name.equals(Inputs.STANDARD)) {
            return CarFile.reader(call.terminal().path(name));
        }
        try {
            return CarReader.of(call.terminal().in(), "standard input");
        } catch (MalformedDataException e) {
            throw CarFile.noCar(e);
        }
    }

    /** Prints what became of the blocks, and names those that were refused on standard error, or in JSON. */
    private static void printBlocks(Terminal terminal, CarImport blocks) {
        if (!terminal.json && !terminal.quiet) {
            terminal.print("blocks: " + blocks.added() + " new, " + blocks.known() + " known, " + blocks.refused()
                    + " refused");
        }
        for (CarImport.Refusal refusal : blocks.refusals()) {
            String why = String.valueOf(refusal.cause().getMessage());
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("refused", refusal.cid().toString());
                    json.writeNumberField("offset", refusal.offset());
                    json.writeStringField("message", why);
                });
            } else {
                terminal.note("refused at offset " + refusal.offset() + ": " + why);
            }
        }
    }
}
