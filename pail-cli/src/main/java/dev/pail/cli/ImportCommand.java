package dev.pail.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.MalformedShardException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarRoots;
import dev.pail.car.Completeness;
import dev.pail.car.MalformedCarException;
import dev.pail.clock.Head;
import dev.pail.clock.MalformedEventException;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes in a CAR file. */
final class ImportCommand extends ChangeCommand {
    ImportCommand() {
        super(
                "import",
                "Takes in the blocks of a CAR file and merges its history into the branch, as merge does.",
                "If the branch that -b names does not exist, import makes it. A file with a version but no history can only become a new branch",
                "or fill an empty one. A file without a version, as IPFS tools write it, leaves the branch as it is: keys can name its blocks.",
                "import checks each block against its CID, and moves the branch only if all shards and events are here. Values and the",
                "blocks that they link to may be absent; a warning says how many.");
        parameter("FILE", "1", "The file; - for standard input.");
        mayMergeUnrelated();
        examples(
                "  pail import update.car",
                "  pail import theirs.car -b theirs",
                "  ipfs dag export CID | pail import -");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.toWrite()) {
            String branch = call.branch(repository);
            boolean present = repository.isBranch(branch);
            CarImport result = take(call, repository);
            if (!call.terminal().json && !call.terminal().quiet) {
                call.terminal()
                        .print("blocks: " + result.added() + " new, " + result.known() + " known, " + result.refused()
                                + " refused");
            }
            if (result.refused() > 0) {
                refuse(call, result);
            }
            MergeCommand.Outcome outcome = moveIfAllIsHere(
                    call, repository, branch, present, result.header().roots());
            if (!call.terminal().json) {
                call.warnOfLeftOut(result.leftOut(), "neither in the file nor in the repository");
            }
            if (outcome == null) {
                printCounts(call, result);
                checkVerified(call, result, "no branch was moved");
                return Exit.DONE;
            }
            Cid root = repository.root(branch);
            changed(call, root);
            outcome.print(call.terminal());
            if (!call.terminal().json) {
                printRoot(call, root);
            } else {
                call.terminal().printJson(json -> {
                    json.writeStringField("branch", branch);
                    json.writeStringField("root", root.toString());
                    writeCounts(json, result);
                });
            }
            checkVerified(call, result, branch + " was moved");
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
                    + (roots.isEmpty() ? "" : ": " + CarVersions.described(roots)));
        }
    }

    private static void writeCounts(JsonGenerator json, CarImport result) throws IOException {
        json.writeNumberField("new", result.added());
        json.writeNumberField("known", result.known());
        json.writeNumberField("refused", result.refused());
        json.writeNumberField("leftOut", result.leftOut());
    }

    /** Fails if blocks were left out that could not be verified. */
    private static void checkVerified(Call call, CarImport result, String moved) {
        List<CarImport.Refusal> refused = result.refusals();
        if (!refused.isEmpty()) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "unsupported-hash",
                    "blocks of the CAR cannot be verified, and were left out: " + call.parameter(0) + ": "
                            + result.refused() + ", the first is "
                            + refused.get(0).cid(),
                    "the other blocks are here, and " + moved + "; read those with an IPFS tool");
        }
    }

    private static CarImport take(Call call, Repository repository) {
        String name = call.parameter(0);
        try (CarReader car = reader(call, name);
                Progress progress = call.progress("blocks", car::position, Inputs.size(call.terminal(), name))) {
            return CarImport.of(car, new WatchedBlocks(repository.blocks(), block -> progress.step()));
        }
    }

    private static CarReader reader(Call call, String name) {
        if (!name.equals(Inputs.STANDARD)) {
            return CarVersions.reader(call.terminal().path(name));
        }
        try {
            return CarReader.of(call.terminal().in(), "standard input");
        } catch (MalformedCarException e) {
            throw CarVersions.noCar(e);
        }
    }

    /** Names what was refused on standard error, or in JSON; fails if bytes do not match their CID. */
    private static void refuse(Call call, CarImport result) {
        Terminal terminal = call.terminal();
        for (CarImport.Refusal refusal : result.refusals()) {
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
        if (result.damaged() > 0) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "damaged-store",
                    "blocks of the CAR are damaged, and no branch was moved: " + call.parameter(0) + ": "
                            + result.refused() + " refused",
                    "get the file again, and import it again");
        }
    }

    private static MergeCommand.@Nullable Outcome moveIfAllIsHere(
            Call call, Repository repository, String branch, boolean present, List<Cid> named) {
        try {
            return move(call, repository, branch, present, named);
        } catch (MissingBlockException e) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "missing-block",
                    String.valueOf(e.getMessage()),
                    "no branch was moved; what export --since leaves out is in a file from before: import that first");
        } catch (MalformedEventException | MalformedShardException e) {
            Failure failure = Failure.of(e);
            throw new Failure.Found(
                    failure.exit(),
                    failure.code(),
                    failure.message(),
                    "no branch was moved; the blocks of the file were taken in");
        }
    }

    /** Returns null if the CAR names no version: then its blocks are all that there is to take in. */
    private static MergeCommand.@Nullable Outcome move(
            Call call, Repository repository, String branch, boolean present, List<Cid> named) {
        CarRoots roots = CarRoots.of(repository.blocks(), named);
        String reason = "import " + call.parameter(0);
        MergeCommand.Outcome outcome = new MergeCommand.Outcome();
        if (roots.events().isEmpty() && roots.pails().isEmpty()) {
            if (present) {
                return null;
            }
            throw new Failure.Found(
                    Exit.FAILED,
                    "car-file",
                    "the CAR names no version, so no branch was made: " + branch,
                    "its blocks were taken in; without -b, that is all that import does");
        }
        if (roots.events().isEmpty()) {
            moveToVersion(repository, branch, present, roots.pails(), reason);
            return outcome;
        }
        Head head = MerkleClock.open(repository.blocks()).merge(Head.empty(), Head.of(roots.events()));
        if (!present) {
            outcome.begin(repository, branch, reason, head);
            return outcome;
        }
        repository.change(branch, reason, ours -> outcome.merge(ours, head, unrelated(call), null));
        return outcome;
    }

    /** Moves a branch without events to a version without them. */
    private static void moveToVersion(
            Repository repository, String branch, boolean present, List<Cid> pails, String reason) {
        if (pails.size() != 1) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "car-file",
                    "the CAR names " + pails.size() + " versions without a history, and no branch was moved",
                    "the blocks are here: pail branch NAME " + pails.get(0));
        }
        Completeness.require(repository.blocks(), pails);
        Pail pail = Pail.open(repository.blocks(), pails.get(0));
        if (!present) {
            BranchCommand.make(repository, branch, null, pail);
        } else if (repository.head(branch).isEmpty()) {
            repository.replace(branch, reason, empty -> pail);
        } else if (!repository.root(branch).equals(pail.root())) {
            throw new Failure.Found(
                    Exit.CONFLICT,
                    "unrelated-histories",
                    "the CAR has a version without a history, and " + branch + " has one: " + pail.root(),
                    "make it a branch of its own: pail branch NAME " + pail.root()
                            + "; then take in what it changed: pail merge NAME --base REVISION, the version that it was made from");
        }
    }
}
