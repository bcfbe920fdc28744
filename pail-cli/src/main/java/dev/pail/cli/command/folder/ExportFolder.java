package dev.pail.cli.command.folder;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Progress;
import dev.pail.folder.FolderException;
import dev.pail.folder.FolderExport;
import dev.pail.folder.FolderListener;

/** Makes a folder of UnixFS in which each key is a file: the options of {@link FolderExport}. */
public final class ExportFolder {
    public static final Option.Text PREFIX =
            Option.text("PREFIX", "With --as: only keys below this one, without it and the slash.", "--prefix");

    private ExportFolder() {}

    public static FolderExport of(Call call, Versions versions) {
        String prefix = call.get(PREFIX);
        try (Progress progress = call.progress("keys")) {
            FolderListener listener = new FolderListener() {
                @Override
                public void done() {
                    progress.step();
                }
            };
            return FolderExport.of(versions.pail(), prefix == null ? "" : prefix, listener);
        } catch (FolderException e) {
            throw FolderFailures.found(
                    call,
                    e,
                    "no CAR was written; export part of the keys with --prefix, or all of the pail without --as");
        }
    }
}
