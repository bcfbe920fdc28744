package dev.pail.cli.command.folder;

import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.dag.Overlay;
import dev.pail.folder.FolderKeys;
import dev.pail.ipld.Cid;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.FolderWriter;
import dev.pail.unixfs.PathConflictException;
import java.util.stream.Stream;

/**
 * A folder of UnixFS in which each key is a file. Its own blocks are in memory.
 *
 * @param blocks those of the folder, and those of the versions
 */
public record FolderExport(Cid root, BlockStore blocks) {
    public static final Option.Text PREFIX =
            Option.text("PREFIX", "With --as: only keys below this one, without it and the slash.", "--prefix");

    public static FolderExport of(Call call, Versions versions) {
        String given = call.get(PREFIX);
        Pail pail = versions.pail();
        String prefix = FolderKeys.below(given == null ? "" : given);
        BlockStore blocks = new Overlay(versions.blocks());
        FolderWriter folder = new FolderWriter(blocks, blocks);
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(prefix));
                Progress progress = call.progress("keys")) {
            entries.forEach(entry -> {
                add(folder, entry.key(), prefix, entry.value());
                progress.step();
            });
        }
        return new FolderExport(folder.finish(), blocks);
    }

    private static void add(FolderWriter folder, String key, String prefix, Cid value) {
        try {
            folder.add(key.substring(prefix.length()), value);
        } catch (PathConflictException | IllegalArgumentException e) {
            throw refused(Exit.FAILED, "no-folder", key, e);
        } catch (DamagedFileException e) {
            throw refused(Exit.DAMAGED, e.code(), key, e);
        }
    }

    private static Failure.Found refused(int exit, String code, String key, RuntimeException cause) {
        return new Failure.Found(
                exit,
                code,
                "a key cannot be a file of a folder, and no CAR was written: " + Escapes.brief(key) + ": "
                        + Failure.message(cause),
                "export part of the keys with --prefix, or all of the pail without --as");
    }
}
