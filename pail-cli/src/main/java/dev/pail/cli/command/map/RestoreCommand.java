package dev.pail.cli.command.map;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.command.folder.TargetFolder;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;

/** Writes the values of keys to files. */
public final class RestoreCommand extends Command {
    private static final Option.Text TO = Option.text("DIR", "The folder. It is made if it is not there.", "--to");

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
        takes(TO, Restore.OVERWRITE, Restore.DRY_RUN);
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
                TargetFolder target = TargetFolder.at(call.terminal().path(to))) {
            Restore restore = new Restore(call, versions.blocks(), target);
            restore.find(versions.pail());
            restore.check();
            restore.write();
            restore.print();
            return Exit.DONE;
        }
    }
}
