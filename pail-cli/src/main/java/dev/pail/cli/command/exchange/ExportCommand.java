package dev.pail.cli.command.exchange;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.car.CarExport;
import dev.pail.car.CarHeader;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.CarFile;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.command.folder.ExportFolder;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Outputs;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Values;
import dev.pail.clock.Head;
import dev.pail.folder.FolderExport;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Writes a CAR file. */
public final class ExportCommand extends Command {
    private static final Option.Texts SINCE = Option.texts(
            "REVISION",
            "Leave out what this version and its history reach: for a repository that has them. May be repeated. A CID that is "
                    + "unknown here leaves out nothing. A few blocks that the other has may be in the file all the same.",
            "--since");

    private static final Option.Flag ONLY =
            Option.flag("Only the version itself: no events, and nothing of the versions before.", "--only");

    private static final Option.Flag NO_VALUES = Option.flag("No blocks of values.", "--no-values");

    private static final Option.Text AS = Option.text(
                    "unixfs",
                    "Write a folder in which each key is a file, as IPFS gateways show it, in place of the pail.",
                    "--as")
            .offering("unixfs");

    public ExportCommand() {
        super(
                "export",
                "Writes a version with its history to a CAR file.",
                "The file has the events, and the shards and values of all their versions, which other repositories need to merge. Its roots are the",
                "root of the pail and the newest events. export follows links in dag-cbor, CBOR, dag-pb, dag-json, dag-jose and git-raw. It leaves out values and",
                "linked blocks that the repository lacks; a warning says how many. It replaces an older CAR file when all is written, but no other file.");
        parameter("FILE", "1", "The file; - for standard output.");
        readsAt();
        takes(SINCE, ONLY, NO_VALUES, AS, ExportFolder.PREFIX);
        needs(ExportFolder.PREFIX, AS, "--prefix is for --as unixfs");
        excludes(SINCE, AS, "--since is not for --as unixfs");
        examples(
                "  pail export all.car",
                "  pail export update.car --since @{5}",
                "  pail export update.car --since v1 --since theirs",
                "  pail export site.car --as unixfs --prefix www",
                "  pail export - --at v1 --only | ipfs dag import");
    }

    @Override
    public int run(Call call) {
        String name = call.parameter(0);
        Terminal terminal = call.terminal();
        boolean standard = name.equals(Inputs.STANDARD);
        if (standard && terminal.isOutTerminal()) {
            throw Failure.usage("a CAR is not for a terminal: give a file, or redirect standard output");
        }
        String kind = call.get(AS);
        if (kind != null && !kind.equals("unixfs")) {
            throw Failure.usage("--as takes unixfs, not " + Escapes.brief(kind));
        }
        AtomicLong bytes = new AtomicLong();
        try (Versions versions = call.versions();
                Progress progress = call.progress("blocks", bytes::get, -1)) {
            FolderExport folder = kind == null ? null : ExportFolder.of(call, versions);
            List<Cid> roots = folder == null ? roots(call, versions.revision()) : List.of(folder.root());
            BlockStore blocks = folder == null ? versions.blocks() : folder.blocks();
            if (!standard) {
                Outputs.checkReplaceable(terminal.path(name));
            }
            CarExport export = CarExport.of(blocks, roots).watched(block -> {
                bytes.addAndGet(block.size());
                progress.step();
            });
            List<Cid> unknown = new ArrayList<>();
            for (Cid root : earlier(call, versions, unknown)) {
                export = export.since(root);
            }
            String where = versions instanceof CarFile ? "not in the CAR" : "not in the repository";
            CarExport all = call.get(NO_VALUES) ? export.withoutValues() : export;
            if (standard) {
                CarExport.Written written = all.writeTo(terminal.data(), "standard output");
                progress.hide();
                // Standard output is the CAR, so there is no other place for it.
                tell(terminal, versions, unknown);
                call.warnOfLeftOut(written.leftOut(), where);
                call.warnOfErased(written.erased());
                return Exit.DONE;
            }
            CarExport.Written written = Outputs.write(terminal.path(name), out -> all.writeTo(out, name));
            progress.hide();
            terminal.changed = "wrote " + name;
            print(terminal, roots, written, unknown);
            if (!terminal.json) {
                tell(terminal, versions, unknown);
                call.warnOfLeftOut(written.leftOut(), where);
                call.warnOfErased(written.erased());
            }
            return Exit.DONE;
        }
    }

    /**
     * The roots and events that the receiver has.
     *
     * @param unknown gets the CIDs given that are not here: the receiver has changes of its own
     */
    private static List<Cid> earlier(Call call, Versions versions, List<Cid> unknown) {
        List<Cid> roots = new ArrayList<>();
        for (String text : call.get(SINCE)) {
            Cid cid = Values.cid(text);
            if (cid != null && !versions.blocks().has(cid)) {
                unknown.add(cid);
                continue;
            }
            Revision earlier = versions.find(text);
            // A receiver without events need not have the empty pail in the format of this one.
            boolean isNothing = earlier.head().map(Head::isEmpty).orElse(false);
            roots.addAll(isNothing ? List.of() : roots(call, earlier));
        }
        return roots;
    }

    private static void tell(Terminal terminal, Versions versions, List<Cid> unknown) {
        String where = versions instanceof CarFile ? "not in this CAR" : "not in this repository";
        unknown.forEach(cid -> terminal.note(where + ", so nothing was left out for it: " + cid));
    }

    private static List<Cid> roots(Call call, Revision revision) {
        List<Cid> roots = new ArrayList<>(List.of(revision.pail().root()));
        if (!call.get(ONLY)) {
            roots.addAll(revision.head().map(Head::events).orElse(List.of()));
        }
        // A head may have as many events as a CAR may have roots. The pail follows from them.
        return roots.size() > CarHeader.MAX_ROOTS ? roots.subList(1, roots.size()) : roots;
    }

    private static void print(Terminal terminal, List<Cid> roots, CarExport.Written written, List<Cid> unknown) {
        if (terminal.json) {
            terminal.printJson(json -> {
                Json.writeCids(json, "roots", roots);
                json.writeNumberField("blocks", written.blocks());
                json.writeNumberField("bytes", written.size());
                json.writeNumberField("leftOut", written.leftOut());
                json.writeNumberField("erased", written.erased());
                Json.writeCids(json, "unknown", unknown);
            });
        } else if (!terminal.quiet) {
            terminal.print("blocks: " + written.blocks() + ", bytes: " + written.size());
        }
    }
}
