package dev.pail.unixfs;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Files and folders in UnixFS, the format of IPFS, over any block store. The rules are in {@code spec/files.md}.
 *
 * <pre>{@code
 * Cid file = UnixFs.write(pail.blocks(), Files.newInputStream(folder.resolve("photo.jpg"))); // any size
 * Pail next = pail.put("photos/1.jpg", file);
 * try (InputStream in = UnixFs.open(next.blocks(), file)) {
 *     Files.copy(in, folder.resolve("copy.jpg"));
 * }
 * }</pre>
 */
public final class UnixFs {
    private UnixFs() {}

    /**
     * Writes a file in the layout {@link FileLayout#V1_2025}.
     *
     * @throws IOException if the stream throws it
     * @see #write(BlockStore, InputStream, FileLayout)
     */
    public static Cid write(BlockStore blocks, InputStream in) throws IOException {
        return write(blocks, in, FileLayout.V1_2025);
    }

    /**
     * Writes all bytes of a stream as a file, and returns its root. A file of at most one chunk is one raw block. Does not close the
     * stream. If this fails, some blocks may be in the store. Holds at most about 16 MiB of the file at once.
     *
     * @throws IOException if the stream throws it
     */
    public static Cid write(BlockStore blocks, InputStream in, FileLayout layout) throws IOException {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(layout, "layout");
        return FileWriter.write(blocks, layout, in).cid();
    }

    /**
     * Writes a file with permissions and a time of the last modification, as UnixFS 1.5 has them. If one of both is there, the root is a
     * node, and a file of one chunk has another CID than without them.
     *
     * @param mode the permissions, from 0 to 07777
     * @throws IOException if the stream throws it
     * @see #write(BlockStore, InputStream, FileLayout)
     */
    public static Cid write(
            BlockStore blocks, InputStream in, FileLayout layout, OptionalInt mode, Optional<Instant> mtime)
            throws IOException {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(mtime, "mtime");
        return FileWriter.write(blocks, layout, in, mode, mtime).cid();
    }

    /**
     * Describes any value. A value of dag-pb is a file, a folder or a symbolic link of UnixFS. Any other is a file with the bytes of its
     * block, or those in an identity CID. Rule FS15.
     *
     * @throws BlockException if the block is missing or corrupt
     * @throws DamagedFileException if it is of dag-pb, and no node of UnixFS
     */
    public static UnixFsNode value(BlockStore blocks, Cid value) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(value, "value");
        byte[] bytes = Nodes.bytes(blocks, value);
        return value.codec() == Cid.DAG_PB ? Nodes.read(blocks, value, bytes).node() : UnixFsNode.file(bytes.length);
    }

    /**
     * Opens the bytes of any value: as {@link #value} describes it.
     *
     * @throws BlockException if the block is missing or corrupt
     * @throws DamagedFileException if it is of dag-pb, and no file of UnixFS
     */
    public static UnixFsFile openValue(BlockStore blocks, Cid value) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(value, "value");
        return value.codec() == Cid.DAG_PB
                ? new UnixFsFile(blocks, value)
                : new UnixFsFile(blocks, FileNode.bytes(Nodes.bytes(blocks, value)));
    }

    /**
     * Reads all of a value of dag-pb: the bytes of a file, or of all files below a folder. Reports what breaks a rule of UnixFS; not
     * blocks that are missing or corrupt, and nothing of a node of dag-pb without data, which is none of UnixFS.
     */
    public static void check(BlockStore blocks, Cid value, Consumer<DamagedFileException> problems) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(problems, "problems");
        if (value.codec() == Cid.DAG_PB) {
            new FileCheck(blocks, problems).check(value);
        }
    }

    /**
     * Opens a file: a raw block, or a node of dag-pb. Reads its root.
     *
     * @throws DamagedFileException if the root is missing, corrupt, malformed, or none of a file
     */
    public static UnixFsFile open(BlockStore blocks, Cid cid) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(cid, "cid");
        return new UnixFsFile(blocks, cid);
    }

    /**
     * Reads the description in the root block of a file, a folder or a symbolic link.
     *
     * @throws DamagedFileException if the block is missing, corrupt or malformed
     */
    public static UnixFsNode node(BlockStore blocks, Cid cid) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(cid, "cid");
        return Nodes.read(blocks, cid).node();
    }

    /**
     * Returns the root of an entry of a folder, if there is one of this name. Reads the node of the folder, or the shards on the path to
     * the name.
     *
     * @throws DamagedFileException if one of these is missing, corrupt or malformed, or the root is no folder
     */
    public static Optional<Cid> find(BlockStore blocks, Cid folder, String name) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(name, "name");
        return Folder.find(blocks, folder, name);
    }

    /**
     * Returns the names of the entries of a folder, in the order of its nodes. Reads its nodes and no entry. The iterator throws {@link
     * DamagedFileException} if a shard cannot be read, or a limit is reached.
     *
     * @throws DamagedFileException if the root is missing, corrupt, malformed, or no folder
     */
    public static Iterator<String> names(BlockStore blocks, Cid folder, WalkLimits limits) {
        Iterator<FolderLink> links = links(blocks, folder, Optional.empty(), limits);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return links.hasNext();
            }

            @Override
            public String next() {
                return links.next().name();
            }
        };
    }

    /**
     * Returns the names and root CIDs of the entries of a folder, in the order of its nodes. Reads its nodes and no entry. The iterator
     * throws {@link DamagedFileException} if a shard cannot be read, or a limit is reached.
     *
     * @param after the name of the entry before the first one, which costs no more than {@link #find}; none for all
     * @throws IllegalArgumentException if there is no such entry
     * @throws DamagedFileException if the root is missing, corrupt, malformed, or no folder; or a shard on the way to that entry
     */
    public static Iterator<FolderLink> links(BlockStore blocks, Cid folder, Optional<String> after, WalkLimits limits) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(limits, "limits");
        Folder entries = new Folder(blocks, folder, new FolderWalk.Budget(limits), true);
        if (after.isPresent() && !entries.skipThrough(after.get())) {
            throw new IllegalArgumentException("the folder " + folder + " has no entry " + Escapes.brief(after.get()));
        }
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public FolderLink next() {
                DagPb.Link link = entries.next();
                return new FolderLink(link.name(), link.cid());
            }
        };
    }

    /**
     * Starts a walk through all entries below a folder, within {@link WalkLimits#DEFAULT}.
     *
     * @throws DamagedFileException if the root is missing, corrupt, malformed, or no folder
     */
    public static FolderWalk walk(BlockStore blocks, Cid root) {
        return walk(blocks, root, WalkLimits.DEFAULT);
    }

    /**
     * Starts a walk through all entries below a folder.
     *
     * @throws DamagedFileException if the root is missing, corrupt, malformed, or no folder
     */
    public static FolderWalk walk(BlockStore blocks, Cid root, WalkLimits limits) {
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(root, "root");
        Objects.requireNonNull(limits, "limits");
        return new FolderWalk(blocks, root, limits);
    }
}
