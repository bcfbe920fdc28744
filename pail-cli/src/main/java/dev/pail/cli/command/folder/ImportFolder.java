package dev.pail.cli.command.folder;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.CarFile;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.folder.FolderException;
import dev.pail.folder.FolderImport;
import dev.pail.folder.FolderImportOptions;
import dev.pail.folder.FolderKeys;
import dev.pail.folder.FolderListener;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.Repository;
import dev.pail.unixfs.DamagedFileException;
import java.util.List;

/** Makes keys of the files of a folder in a CAR file: the options of {@link FolderImport}, and what it has done. */
public final class ImportFolder {
    public static final Option.Flag STRICT =
            Option.flag("With --files: change no key if an entry has to be left out.", "--strict");

    private static final String BY_CID = "a key can be given a CID with: pail put KEY CID";

    private ImportFolder() {}

    public static int run(Call call, Repository repository, CarReader car, String prefix) {
        Cid root = root(call, repository, car);
        Damaged damaged = new Damaged(call.terminal(), FolderKeys.below(prefix));
        FolderImportOptions options =
                new FolderImportOptions(prefix, call.get(STRICT), new PutFolder.Keys(call), damaged);
        try {
            FolderImport.Result result = FolderImport.of(root, options).into(repository, call.branch(repository));
            print(call, result);
            if (result.damaged() > 0) {
                throw leftOut(result, damaged.first);
            }
            return Exit.DONE;
        } catch (FolderException e) {
            throw FolderFailures.found(call, e, hint(e.reason(), root));
        } catch (DamagedFileException e) {
            if (!(e.getCause() instanceof MalformedDataException)) {
                throw e;
            }
            throw new Failure.Found(
                    Exit.DAMAGED,
                    e.code(),
                    "the root of the CAR is no folder that pail reads, so no key was changed: " + Failure.message(e),
                    "its blocks are here; if a folder above has this shard or entry, import that one; or give a key this CID with: pail put KEY "
                            + root);
        }
    }

    /** Takes in the blocks of the CAR. */
    private static Cid root(Call call, Repository repository, CarReader car) {
        CarImport blocks;
        try (Progress progress = call.progress("blocks", car::position, -1)) {
            blocks = CarImport.of(car, repository.blocks(), progress::step);
        } catch (MalformedDataException e) {
            throw CarFile.noCar(e);
        }
        List<Cid> roots = blocks.header().roots();
        if (roots.size() != 1) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-folder",
                    "a CAR of a folder has one root, and this has " + roots.size() + ", so no key was changed",
                    "without --files, import takes in its blocks, and keys can be given their CIDs");
        }
        return roots.get(0);
    }

    private static String hint(FolderException.Reason reason, Cid root) {
        return switch (reason) {
            case NAMES -> "give a PREFIX; or without --files, import takes in the blocks, and " + BY_CID;
            case NO_FOLDER -> "its blocks are here; give a key its CID with: pail put KEY " + root;
            default -> "their blocks are here as far as the CAR has them; " + BY_CID;
        };
    }

    /** Prints the entries that cannot be read. */
    private static final class Damaged implements FolderListener {
        private final Terminal terminal;
        private final String prefix;
        private String first = "";

        Damaged(Terminal terminal, String prefix) {
            this.terminal = terminal;
            this.prefix = prefix;
        }

        @Override
        public void damaged(String name, PailException why) {
            first = first.isEmpty() ? name : first;
            if (terminal.json) {
                terminal.tell("leftOut", prefix + name, Failure.message(why));
            } else {
                terminal.note("left out: " + prefix + name + ": " + Failure.message(why));
            }
        }
    }

    private static Failure.Found leftOut(FolderImport.Result result, String first) {
        long taken = result.files() + result.links();
        return new Failure.Found(
                Exit.DAMAGED,
                "damaged-file",
                "entries of the folder cannot be read: " + result.damaged() + ", the first is " + Escapes.brief(first)
                        + "; "
                        + (taken == 1 ? "the other one is taken" : "the other " + taken + " are taken"),
                hint(FolderException.Reason.DAMAGED, result.root()));
    }

    private static void print(Call call, FolderImport.Result result) {
        ChangeCommand.changed(call, result.root());
        Terminal terminal = call.terminal();
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("root", result.root().toString());
                json.writeNumberField("files", result.files());
                json.writeNumberField("links", result.links());
            });
            return;
        }
        if (!terminal.quiet) {
            terminal.note(
                    "files: " + result.files() + (result.links() == 0 ? "" : ", symbolic links: " + result.links()));
        }
        ChangeCommand.printRoot(call, result.root());
    }
}
