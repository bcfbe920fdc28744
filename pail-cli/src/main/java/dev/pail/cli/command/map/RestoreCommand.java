package dev.pail.cli.command.map;

import dev.pail.KeyRange;
import dev.pail.NamespaceEntry;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.command.folder.FolderFailures;
import dev.pail.cli.command.folder.FolderProgress;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.folder.FolderException;
import dev.pail.folder.FolderKeys;
import dev.pail.folder.FolderRestore;
import dev.pail.folder.RestoreOptions;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.stream.Stream;

/** Writes the values of keys to files. */
public final class RestoreCommand extends Command {
    private static final Option.Text TO = Option.text("DIR", "The folder. It is made if it is not there.", "--to");

    private static final Option.Flag OVERWRITE = Option.flag("Replace files that have other bytes.", "--overwrite");

    private static final Option.Flag DRY_RUN =
            Option.flag("Say what would be written, and write nothing.", "--dry-run");

    public RestoreCommand() {
        super(
                "restore",
                "Writes the values of keys to files below a folder, as put -r read them. PREFIX and the slash behind it are no part of the names",
                "of the files. A file that is there with the same bytes stays as it is; one with other bytes is replaced only with --overwrite.",
                "A value that is a UnixFS folder is written with all below it; symbolic links are made if they lead to a place in the folder.",
                "Permissions and times that values have are set again; set-user-id, set-group-id and sticky are not.",
                "restore writes nothing outside the folder, and follows no links in it. It checks all names before it writes the first file, and",
                "each file gets its name when it is complete.");
        parameter("PREFIX", "0..1", "Only keys below this one, or this key; else all.");
        takes(TO, OVERWRITE, DRY_RUN);
        inNamespace();
        readsAt();
        examples(
                "  pail restore photos --to photos",
                "  pail restore --to /tmp/yesterday --at @{yesterday}",
                "  pail restore photos --to photos --overwrite --dry-run");
    }

    @Override
    public int run(Call call) {
        String to = call.get(TO);
        if (to == null) {
            throw Failure.usage("say where to: --to DIR");
        }
        try (Versions versions = call.versions();
                FolderProgress progress = new FolderProgress(call)) {
            if (!call.get(DRY_RUN)) {
                call.terminal().kept =
                        () -> progress.counts() + " restored; run the same command again to restore the others";
            }
            FolderRestore restore = FolderRestore.to(
                    call.terminal().path(to),
                    versions.blocks(),
                    new RestoreOptions(call.get(OVERWRITE), call.get(DRY_RUN), progress));
            find(call, versions.pail(), restore);
            print(call, restore.run());
            return Exit.DONE;
        } catch (FolderException e) {
            throw FolderFailures.of(call, e, null);
        }
    }

    private static void find(Call call, Pail pail, FolderRestore restore) {
        String given = call.optionalParameter(0);
        String prefix = FolderKeys.below(given == null ? "" : given);
        try (Stream<NamespaceEntry> entries = LsCommand.entries(call, pail, KeyRange.prefix(prefix))) {
            restore.add(entries, prefix.length());
        }
        if (restore.isEmpty() && given != null) {
            Cid value = pail.get(call.key(pail, given)).orElseThrow(() -> GetCommand.absent(List.of(given)));
            restore.add(given.substring(given.lastIndexOf('/') + 1), value);
        }
    }

    private static void print(Call call, FolderRestore.Result result) {
        Terminal terminal = call.terminal();
        if (!call.get(DRY_RUN)) {
            terminal.changed = "wrote " + result.written() + " files";
        }
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeNumberField("written", result.written());
                json.writeNumberField("unchanged", result.unchanged());
                json.writeNumberField("damaged", result.damaged());
                json.writeNumberField("erased", result.erased());
                json.writeNumberField("leftOut", result.leftOut());
            });
        } else if (!terminal.quiet) {
            terminal.note(result.files() + (result.files() == 1 ? " file: " : " files: ") + result.written()
                    + (call.get(DRY_RUN) ? " to write, " : " written, ") + result.unchanged() + " unchanged"
                    + (result.erased() == 0 ? "" : ", " + result.erased() + " not written, as the values were erased")
                    + (result.leftOut() == 0 ? "" : ", " + result.leftOut() + " left out"));
        }
        if (result.damaged() > 0) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "damaged-file",
                    "values that cannot be read: " + result.damaged()
                            + "; their files were not written, all others were",
                    "see which blocks are missing, and which cannot be read, with: pail verify --values");
        }
        if (result.leftOut() > 0) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "not-restored",
                    "links that may lead out of the folder: " + result.leftOut()
                            + "; they were not made, all else was written",
                    "make them by hand if you trust them");
        }
    }
}
