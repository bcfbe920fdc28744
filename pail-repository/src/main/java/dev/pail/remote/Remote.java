package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.StoreIOException;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefToken;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Another repository, with which {@link Exchange} exchanges versions. Each method but {@link #resumedBlocks} is one idempotent request. Safe for use by several
 * threads.
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
    /** The maximum number of blocks in one request. */
    int MAX_BLOCKS = 1000;

    /** Returns its address, for messages and logs. */
    String address();

    /** Returns the format and the limits of the remote. */
    RemoteInfo info();

    /** Returns its format and limits, and its branches. By default, by a request for each. */
    default RemoteState state() {
        return new RemoteState(info(), branches(), Optional.empty());
    }

    /** Returns the root of a branch, if the remote says it. By default it does not. */
    default Optional<Cid> root(String branch) {
        Objects.requireNonNull(branch, "branch");
        return Optional.empty();
    }

    /**
     * Returns ref updates of a branch, newest first. By default none: the log stays with the remote.
     *
     * @param generation the generation of the newest update that is wanted
     * @param head the head that this update led to
     * @param most the maximum number of updates, from 1 to 1,000
     */
    default List<LogEntry> updates(String branch, long generation, Head head, int most) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(head, "head");
        return List.of();
    }

    /** Returns its branches, in the order of their names. */
    List<RemoteBranch> branches();

    /**
     * Waits until a branch is in another state than the caller has seen, for about a minute at most. By default reads {@link #branches}
     * once, and does not wait: the caller asks again after a pause of its own.
     *
     * @return whether there may be an update, which a {@link #fetch} shows. Also true if the branch is gone, or the remote no longer
     *     knows the state
     * @throws InterruptedException if the thread is interrupted; a remote need not notice that
     */
    default boolean awaitUpdate(RemoteBranch seen) throws InterruptedException {
        Objects.requireNonNull(seen, "seen");
        return !branches().contains(seen);
    }

    /**
     * Puts the blocks of a branch that the receiver does not have into a block store. Events come before those that follow them, each
     * with its version. Checks each block against its CID.
     *
     * @throws CorruptBlockException if a block does not match its CID. Blocks before it may be in the store
     */
    FetchReply fetch(FetchRequest request, BlockStore target);

    /**
     * Sends blocks, and asks the remote to move a branch.
     *
     * @param export the blocks that the remote may not have
     * @throws MissingBlockException if a block is neither on the remote nor in the export. The remote branch has not changed
     * @throws CorruptBlockException if a block that arrived does not match its CID. The remote branch has not changed
     */
    PushReply push(PushRequest request, CarExport export);

    /**
     * Sends blocks of a push that does not fit in one request. Nothing refers to them until a {@link #push} does.
     *
     * @param branch the branch of the push
     */
    void send(String branch, List<Block> blocks);

    /**
     * Returns the records of blocks that were erased there. None, if the remote knows no erasure, as those of version 0.2.0.
     */
    default List<Erasure> erasures() {
        return List.of();
    }

    /**
     * Returns the first events that a {@link #fetch} would bring, in their order. By default none: then a fetch that broke off resumes with
     * the first version that did not arrive whole.
     *
     * @return at most {@link #MAX_BLOCKS}
     */
    default List<Cid> events(FetchRequest request) {
        Objects.requireNonNull(request, "request");
        return List.of();
    }

    /**
     * Gives records of erased blocks to the remote, which erases the marked blocks at once.
     *
     * @throws RemoteException if the remote knows no erasure, or the token has no right to erase. Nothing has changed there
     */
    default void erase(List<Erasure> records) {
        throw new RemoteException(
                RemoteException.Reason.REFUSED,
                "the remote knows no erasure: " + address() + ", and " + records.size() + " records were not taken",
                "install a newer pail there",
                null);
    }

    /**
     * Puts those of some blocks into a block store that the remote has. Checks each against its CID. Those that came before an error are
     * in the store.
     *
     * @param cids at most {@link #MAX_BLOCKS}
     */
    default void blocks(List<Cid> cids, BlockStore target) {
        Objects.requireNonNull(cids, "cids");
        Objects.requireNonNull(target, "target");
    }

    /**
     * As {@link #blocks(List, BlockStore)}, and puts those that a reader needs next, as far as the remote sends them. By default none.
     *
     * @param next what is read behind the first block
     */
    default void blocks(List<Cid> cids, NextReads next, BlockStore target) {
        Objects.requireNonNull(next, "next");
        blocks(cids, target);
    }

    /**
     * As {@link #blocks(List, NextReads, BlockStore)}. If a connection breaks, asks for those that did not come on a new one, as long as connections
     * bring something; and for a block that no connection carries whole, in parts.
     *
     * @param cids at most {@link #MAX_BLOCKS}
     * @param next what is read behind the first block, if that is known
     */
    default void resumedBlocks(List<Cid> cids, Optional<NextReads> next, BlockStore target) {
        Objects.requireNonNull(cids, "cids");
        Objects.requireNonNull(next, "next");
        new BlockTransfer(this, Objects.requireNonNull(target, "target"), new Endurance()).fetch(cids, next);
    }

    /** Takes the bytes of a block, in their order. */
    @FunctionalInterface
    interface PartReceiver {
        /**
         * Takes the next bytes.
         *
         * @param size the number of bytes of the whole block, as the remote says it
         * @param bytes an array that begins with the bytes, and is changed after this returns
         */
        void take(int size, byte[] bytes, int length);
    }

    /**
     * Reads a block from an offset on, for one that is larger than a connection carries. The receiver gets what comes, also before the
     * connection breaks, and checks the whole block against its CID. By default nothing.
     *
     * @return whether the remote gives parts of blocks. Those of version 0.2.0 do not
     * @throws MissingBlockException if the remote does not have the block
     */
    default boolean part(Cid cid, int from, PartReceiver target) {
        Objects.requireNonNull(cid, "cid");
        Objects.requireNonNull(target, "target");
        return false;
    }

    /**
     * Returns those of some blocks that the remote does not have, for a push that broke off. By default all of them.
     *
     * @param branch the branch of the push
     * @param cids at most {@link #MAX_BLOCKS}
     */
    default Set<Cid> missing(String branch, List<Cid> cids) {
        Objects.requireNonNull(branch, "branch");
        return Set.copyOf(cids);
    }

    /**
     * Asks the remote to remove a branch, if it is still as it was seen. The default refuses.
     *
     * @param expected names the state that was seen
     * @return {@link PushReply.Outcome#DONE}, or {@link PushReply.Outcome#MOVED} with the state of the branch, which has not changed
     * @throws RemoteException if there is no such branch there, or the remote keeps it
     */
    default PushReply remove(String branch, RefToken expected) {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(expected, "expected");
        throw new RemoteException(
                RemoteException.Reason.REFUSED,
                "this remote removes no branches: " + address(),
                "remove the branch there",
                null);
    }

    /** Returns its tags, in the order of their names. None, if the remote exchanges no tags, as those of version 0.2.0. */
    default List<RemoteTag> tags() {
        return List.of();
    }

    /**
     * Makes a tag. Its blocks are on the remote, or were sent with {@link #send}, with its name as that of the branch. The default refuses.
     *
     * @return false, if the tag is there with this head
     * @throws RemoteException if there is another tag of this name, or a branch, or the remote exchanges no tags
     * @throws MissingBlockException if an event or a shard is not there. No tag was made
     */
    default boolean pushTag(RemoteTag tag) {
        throw RemoteException.withoutTags(address(), tag);
    }

    /**
     * Removes a tag, if it has this head. The default refuses.
     *
     * @throws RemoteException if there is no such tag there, or it has another head
     */
    default void removeTag(RemoteTag tag) {
        throw RemoteException.withoutTags(address(), tag);
    }

    /**
     * The signed heads beside its branches and tags. By default it keeps none, as those of version 0.2.0.
     *
     * @throws RemoteException from its methods, if the remote refuses
     */
    default HeadNotes headNotes() {
        return HeadNotes.NONE;
    }

    /** Closes all connections. */
    @Override
    void close();
}
