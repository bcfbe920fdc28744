package dev.pail.folder;

import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.dag.Overlay;
import dev.pail.ipld.Cid;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.FolderWriter;
import dev.pail.unixfs.PathConflictException;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A UnixFS folder in which each key of a pail is a file, as IPFS gateways show it. Nothing is written: the nodes of the folder are in
 * memory.
 *
 * <pre>{@code
 * FolderExport site = FolderExport.of(pail, "www", FolderListener.NONE); // the key www/css/main.css becomes css/main.css
 * try (OutputStream out = Files.newOutputStream(Path.of("site.car"))) {
 *     CarExport.Written written = CarExport.of(site.blocks(), List.of(site.root())).writeTo(out, "site.car");
 * }
 * }</pre>
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * @param root the root of the folder
 * @param blocks the blocks of the folder, and those of the pail
 */
public record FolderExport(Cid root, BlockStore blocks) {
    public FolderExport {
        Objects.requireNonNull(root, "root");
        Objects.requireNonNull(blocks, "blocks");
    }

    /**
     * Makes a folder of the keys below a prefix. The path of a file is its key without the prefix and the slash.
     *
     * @param prefix for all keys, an empty text
     * @param listener hears of each key that is done
     * @throws FolderException if a key cannot be a path, or is both a file and a folder; or if the root block of a value is missing, corrupt or malformed
     */
    public static FolderExport of(Pail pail, String prefix, FolderListener listener) {
        Objects.requireNonNull(pail, "pail");
        String start = FolderKeys.below(Objects.requireNonNull(prefix, "prefix"));
        Objects.requireNonNull(listener, "listener");
        BlockStore blocks = new Overlay(pail.blocks());
        FolderWriter folder = new FolderWriter(blocks, blocks);
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(start))) {
            entries.forEachOrdered(entry -> {
                add(folder, entry.key(), start, entry.value());
                listener.done();
            });
        }
        return new FolderExport(folder.finish(), blocks);
    }

    private static void add(FolderWriter folder, String key, String start, Cid value) {
        try {
            folder.add(key.substring(start.length()), value);
        } catch (PathConflictException | IllegalArgumentException e) {
            throw refused(FolderException.Reason.NO_FOLDER, key, e);
        } catch (DamagedFileException e) {
            throw refused(FolderException.Reason.DAMAGED, key, e);
        }
    }

    private static FolderException refused(FolderException.Reason reason, String key, RuntimeException cause) {
        return new FolderException(
                reason, "a key cannot be a file of a folder: " + Escapes.brief(key) + ": " + cause.getMessage(), cause);
    }
}
