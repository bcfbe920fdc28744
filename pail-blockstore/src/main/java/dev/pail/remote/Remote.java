package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.StoreIOException;
import dev.pail.car.CarExport;
import dev.pail.ipld.Block;
import java.util.List;

/**
 * Another repository, with which {@link Exchange} exchanges versions. Each method is one request, and one that is sent again has the
 * effect of one. Safe for use by several threads.
 *
 * <p>All methods throw {@link RemoteException} if the remote refuses the request, and {@link StoreIOException} if it cannot be reached
 * or the connection ends too early.
 *
 * <pre>{@code
 * try (Remote remote = HttpRemote.open("https://pail.example.org", Optional.of(token))) {
 *     remote.branches().forEach(branch -> System.out.println(branch.name()));
 * }
 * }</pre>
 */
public interface Remote extends AutoCloseable {
    /** Its address, for messages and logs. */
    String address();

    /** What it says of itself. */
    RemoteInfo info();

    /** Its branches, in the order of their names. */
    List<RemoteBranch> branches();

    /**
     * Puts the blocks of a branch into a block store: those that the receiver does not have. Events come before those that follow them,
     * each with its version. Each block is compared with its CID.
     *
     * @throws CorruptBlockException if a block does not match its CID. Blocks before it may be in the store
     */
    FetchReply fetch(FetchRequest request, BlockStore target);

    /**
     * Sends blocks, and asks the remote to move a branch.
     *
     * @param export the blocks that the remote may not have
     * @throws MissingBlockException if a block is neither there nor in the export. The branch there has not changed
     * @throws CorruptBlockException if a block arrived with other bytes. The branch there has not changed
     */
    PushReply push(PushRequest request, CarExport export);

    /**
     * Sends blocks of a push that has no room in one request. Nothing refers to them until a {@link #push} does.
     *
     * @param branch that the push is for
     */
    void send(String branch, List<Block> blocks);

    /** Ends what is open. */
    @Override
    void close();
}
