package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.MalformedCarException;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.table.Tables;
import dev.pail.unixfs.FolderEntry;
import dev.pail.unixfs.FolderWalk;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes keys of the files of a folder in a CAR file. */
final class FolderImport {
    private FolderImport() {}

    static int run(Command.Call call, Repository repository, CarReader car, String given) {
        CarImport blocks;
        try (Progress progress = call.progress("blocks", car::position, -1)) {
            blocks = CarImport.of(car, repository.blocks(), progress::step);
        } catch (MalformedCarException e) {
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
        String prefix = FolderPut.folderPrefix(given);
        Pail before = repository.pail(branch);
        boolean hasTables = Tables.mayBeIn(before);
        Map<String, Cid> values = new TreeMap<>();
        long links = 0;
        for (FolderWalk walk = UnixFs.walk(repository.blocks(), roots.get(0)); walk.hasNext(); ) {
            FolderEntry entry = walk.next();
            if (entry.node().kind() == NodeKind.LINK) {
                links++;
            } else if (entry.node().kind() == NodeKind.FILE) {
                String key = call.key(before, prefix + entry.path());
                before.format().checkKey(key);
                if (hasTables && Tables.isReserved(key)) {
                    throw new Failure.Found(
                            Exit.FAILED,
                            "key-not-allowed",
                            "keys that begin with T, P, F or R belong to the tables of this pail, so no key was changed: "
                                    + Escapes.brief(key),
                            "give a PREFIX");
                }
                values.put(key, entry.cid());
            }
        }
        Pail changed = repository.update(branch, "import --files: " + values.size() + " files", pail -> {
            LongBatch batch = new LongBatch(pail);
            values.forEach((key, value) -> batch.change(changes -> changes.put(key, value)));
            return batch.commit();
        });
        print(call, changed, values.size(), links);
        return Exit.DONE;
    }

    private static void print(Command.Call call, Pail changed, int files, long links) {
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
            terminal.note("files: " + files + (links == 0 ? "" : "; skipped symbolic links: " + links));
        }
        ChangeCommand.printRoot(call, changed);
    }
}
