package dev.pail.cli.command.folder;

import dev.pail.Escapes;
import dev.pail.Pail;
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
import dev.pail.folder.FolderKeys;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.Repository;
import dev.pail.table.Tables;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.FolderEntry;
import dev.pail.unixfs.FolderWalk;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.values.LongBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes keys of the files of a folder in a CAR file. */
public final class FolderImport {
    public static final Option.Flag STRICT =
            Option.flag("With --files: change no key if an entry has to be left out.", "--strict");

    private FolderImport() {}

    public static int run(Call call, Repository repository, CarReader car, String given) {
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
        String branch = call.branch(repository);
        String prefix = FolderKeys.below(given);
        Pail before = repository.pail(branch);
        boolean hasTables = Tables.mayBeIn(before);
        Map<String, Cid> values = new TreeMap<>();
        List<String> leftOut = new ArrayList<>();
        long links = 0;
        FolderWalk walk = walk(repository, roots.get(0));
        while (true) {
            Cid value;
            boolean isEntry = false;
            try {
                if (!walk.hasNext()) {
                    break;
                }
                isEntry = true;
                FolderEntry entry = walk.next();
                if (entry.node().kind() == NodeKind.FOLDER) {
                    continue;
                }
                links += entry.node().kind() == NodeKind.LINK ? 1 : 0;
                value = entry.cid();
            } catch (DamagedFileException e) {
                if (!isEntry || isUnixFs(e.cid())) {
                    leftOut.add(walk.path());
                    tellLeftOut(call.terminal(), prefix + walk.path(), Failure.message(e));
                    continue;
                }
                value = e.cid();
            }
            String key = call.key(before, prefix + walk.path());
            before.format().checkKey(key);
            if (hasTables && Tables.isReserved(key)) {
                throw new Failure.Found(
                        Exit.FAILED,
                        "key-not-allowed",
                        "keys that begin with T, P, F or R belong to the tables of this pail, so no key was changed: "
                                + Escapes.brief(key),
                        "give a PREFIX");
            }
            values.put(key, value);
        }
        if (!leftOut.isEmpty() && call.get(STRICT)) {
            throw leftOut(leftOut, "no key was changed");
        }
        Pail changed = repository
                .update(branch, "import --files: " + values.size() + " files", pail -> {
                    LongBatch batch = new LongBatch(pail);
                    values.forEach((key, value) -> batch.change(changes -> changes.put(key, value)));
                    return batch.commit();
                })
                .pail();
        print(call, changed, values.size() - links, links);
        if (!leftOut.isEmpty()) {
            throw leftOut(
                    leftOut,
                    values.size() == 1 ? "the other one is taken" : "the other " + values.size() + " are taken");
        }
        return Exit.DONE;
    }

    private static void tellLeftOut(Terminal terminal, String path, String why) {
        if (terminal.json) {
            terminal.tell("leftOut", path, why);
        } else {
            terminal.note("left out: " + path + ": " + why);
        }
    }

    private static Failure.Found leftOut(List<String> paths, String rest) {
        return new Failure.Found(
                Exit.DAMAGED,
                "damaged-file",
                "entries of the folder cannot be read: " + paths.size() + ", the first is "
                        + Escapes.brief(paths.get(0)) + "; " + rest,
                "their blocks are here as far as the CAR has them; a key can be given a CID with: pail put KEY CID");
    }

    /** Whether a block may be a node of UnixFS. An entry in another codec is a value. */
    private static boolean isUnixFs(Cid cid) {
        return cid.codec() == Cid.RAW || cid.codec() == Cid.DAG_PB;
    }

    private static FolderWalk walk(Repository repository, Cid root) {
        try {
            if (UnixFs.node(repository.blocks(), root).kind() == NodeKind.FOLDER) {
                return UnixFs.walk(repository.blocks(), root);
            }
        } catch (DamagedFileException e) {
            if (isUnixFs(root) && !(e.getCause() instanceof MalformedDataException)) {
                throw e;
            }
            throw new Failure.Found(
                    isUnixFs(root) ? Exit.DAMAGED : Exit.FAILED,
                    e.code(),
                    "the root of the CAR is no folder that pail reads, so no key was changed: " + Failure.message(e),
                    "its blocks are here; if a folder above has this shard or entry, import that one; or give a key this CID with: pail put KEY "
                            + root);
        }
        throw new Failure.Found(
                Exit.FAILED,
                "no-folder",
                "the root of the CAR is one file or link, and no folder, so no key was changed: " + root,
                "its blocks are here; give a key its CID with: pail put KEY " + root);
    }

    private static void print(Call call, Pail changed, long files, long links) {
        ChangeCommand.changed(call, changed.root());
        Terminal terminal = call.terminal();
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("root", changed.root().toString());
                json.writeNumberField("files", files);
                json.writeNumberField("links", links);
            });
            return;
        }
        if (!terminal.quiet) {
            terminal.note("files: " + files + (links == 0 ? "" : ", symbolic links: " + links));
        }
        ChangeCommand.printRoot(call, changed);
    }
}
