package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.KeyRange;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.cli.terminal.Failure;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Remote;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Part;
import dev.pail.repository.spi.BlockSource;
import dev.pail.through.RemoteReads;
import java.util.List;
import java.util.function.Function;

/** The blocks that a remote promises to a part. Unlike blocks that were lost, a reader must get them: if the remote cannot be asked, the command fails. */
final class PromisedSource implements BlockSource {
    private final String remote;
    private final String address;
    private final RemoteReads reads;

    private PromisedSource(String remote, String address, RemoteReads reads) {
        this.remote = remote;
        this.address = address;
        this.reads = reads;
    }

    /**
     * Opens the remote when the first block is needed.
     *
     * @param opening opens the remote with an address
     */
    static PromisedSource of(FileRepository files, Part part, Function<String, Remote> opening) {
        String address = files.remotes().getOrDefault(part.remote(), "no address");
        return new PromisedSource(part.remote(), address, RemoteReads.opening(() -> opening.apply(address)));
    }

    @Override
    public void fetch(List<Cid> cids, BlockStore target) {
        try {
            reads.fetch(cids, target);
        } catch (PailException e) {
            throw new StoreIOException(
                    "the block " + cids.get(0) + " is not in this part, and " + remote + " cannot be reached",
                    address,
                    Failure.message(e),
                    e);
        }
    }

    @Override
    public boolean takesReadHints() {
        return true;
    }

    @Override
    public void willRead(Cid root, KeyRange range) {
        reads.willRead(root, range);
    }

    @Override
    public void willCompare(Cid before, Cid after, KeyRange range) {
        reads.willCompare(before, after, range);
    }

    @Override
    public void read(Block block) {
        reads.read(block);
    }

    @Override
    public void close() {
        reads.close();
    }
}
