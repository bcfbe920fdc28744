package dev.pail.server.gateway;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.ErasedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.car.CarWriter;
import dev.pail.dag.CidSet;
import dev.pail.dag.DagWalk;
import dev.pail.dag.Link;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.server.http.Refusal;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsFile;
import dev.pail.unixfs.UnixFsNode;
import dev.pail.unixfs.WalkLimits;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The CAR that answers a request: the blocks on its path, and then those of its scope, depth first. Its one root is the end of the path.
 *
 * <p>The reader of files and folders decides which blocks a path and an entity take: it reads through a store that writes each block it
 * gives. So a CAR has what a client with the same reader needs, in the order in which it needs it. Rule GW4.
 */
final class CarBody {
    private static final int BUFFER = 64 << 10;

    private final BlockStore blocks;
    private final GatewayRequest asked;

    private final ContentPath path;

    /** What of a file is asked for, or null if the end of the path is none, or all of the entity is. */
    private final EntityBytes.@Nullable Span range;

    private final @Nullable UnixFsNode entity;

    private CarBody(BlockStore blocks, GatewayRequest asked, ContentPath path) {
        this.blocks = blocks;
        this.asked = asked;
        this.path = path;
        if (path.end().hashFunction() != Cid.IDENTITY) {
            // So a request for what is absent or corrupt fails before the response begins.
            blocks.require(path.end());
        }
        this.entity = asked.scope() == GatewayRequest.Scope.ENTITY ? entity() : null;
        if (entity != null && entity.kind() == NodeKind.FOLDER) {
            // So a folder with a root that is none fails before the response begins, too.
            UnixFs.names(blocks, path.end(), WalkLimits.DEFAULT);
        }
        EntityBytes bytes = asked.bytes();
        this.range = bytes == null || entity == null || entity.kind() != NodeKind.FILE ? null : bytes.in(entity.size());
    }

    /**
     * Resolves the path of a request.
     *
     * @throws Refusal if it leads nowhere
     * @throws BlockException if a block on the way, or the one at its end, is missing or corrupt
     */
    static CarBody of(BlockStore blocks, GatewayRequest asked) {
        return new CarBody(blocks, asked, ContentPath.resolve(blocks, asked.cid(), asked.names()));
    }

    /** The entity at the end of the path, or null if that is nothing of UnixFS: then the block is the entity. */
    private @Nullable UnixFsNode entity() {
        try {
            return UnixFs.node(blocks, path.end());
        } catch (BlockException e) {
            if (e.getCause() instanceof MalformedDataException && path.end().codec() != Cid.DAG_PB) {
                return null;
            }
            throw Refusal.root(e);
        }
    }

    /** The value of {@code X-Ipfs-Roots}. */
    String roots() {
        return path.ends().stream().map(Cid::toString).collect(Collectors.joining(","));
    }

    /**
     * Writes the CAR. Holds one path of blocks; without duplicates, also some 22 bytes for each block.
     *
     * @param target the address, for messages
     * @throws BlockException if a block is missing or corrupt; then what was written is no whole CAR. Rule GW9
     */
    void writeTo(OutputStream out, String target) {
        // Closing the writer would close the stream, which is not ours.
        @SuppressWarnings("resource")
        CarWriter writer = CarWriter.of(out, target, List.of(path.end()));
        try {
            write(new Written(blocks, writer, asked.variant().duplicates()));
        } catch (BlockException e) {
            throw Refusal.root(e);
        }
        writer.flush();
    }

    private void write(Written written) {
        ContentPath.resolve(written, asked.cid(), asked.names().subList(0, path.followed()));
        if (asked.scope() == GatewayRequest.Scope.ALL) {
            writeAll(written);
        } else if (range != null && range.length() == 0) {
            written.block(path.end());
        } else if (entity != null && entity.kind() == NodeKind.FILE) {
            writeFile(written);
        } else if (entity != null && entity.kind() == NodeKind.FOLDER) {
            Iterator<String> names = UnixFs.names(written, path.end(), WalkLimits.DEFAULT);
            while (names.hasNext()) {
                names.next();
            }
        } else {
            written.block(path.end());
        }
    }

    private void writeAll(Written written) {
        DagWalk walk = asked.variant().duplicates() == Variant.Duplicates.YES
                ? DagWalk.alongEachPath(blocks::getChecked, written::write, this::missing)
                : new DagWalk(blocks::getChecked, link -> true, written::write, this::missing);
        walk.walk(List.of(new Link(path.end(), Link.Role.VALUE)));
    }

    private void missing(Link link) {
        throw blocks.isErased(link.cid())
                ? new ErasedBlockException(link.cid())
                : new MissingBlockException(link.cid());
    }

    private void writeFile(Written written) {
        UnixFsFile file = UnixFs.open(written, path.end());
        UnixFsFile part = range == null ? file : file.range(range.offset(), range.length());
        byte[] buffer = new byte[BUFFER];
        int count = part.read(buffer, 0, BUFFER);
        while (count >= 0) {
            count = part.read(buffer, 0, BUFFER);
        }
    }

    /** Writes each block that it gives; without duplicates, the first time only. */
    private static final class Written implements BlockStore {
        private final BlockStore blocks;
        private final CarWriter writer;
        private final @Nullable CidSet once;

        Written(BlockStore blocks, CarWriter writer, Variant.Duplicates duplicates) {
            this.blocks = blocks;
            this.writer = writer;
            this.once = duplicates == Variant.Duplicates.NO ? new CidSet() : null;
        }

        /** Rule GW7. */
        void write(Block block) {
            if (once == null || once.add(block.cid())) {
                writer.write(block);
            }
        }

        /** Writes a block by its CID. An identity CID has no block. Rule GW15. */
        void block(Cid cid) {
            if (cid.hashFunction() != Cid.IDENTITY) {
                require(cid);
            }
        }

        @Override
        public Optional<Block> get(Cid cid) {
            Optional<Block> found = blocks.getChecked(cid);
            found.ifPresent(this::write);
            return found;
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public boolean isErased(Cid cid) {
            return blocks.isErased(cid);
        }

        @Override
        public void putAll(Collection<Block> none) {
            throw new UnsupportedOperationException("a CAR is read from");
        }

        @Override
        public void close() {
            // The block store is the caller's.
        }
    }
}
