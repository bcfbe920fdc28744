package dev.pail.repository.files;

import dev.pail.PailException;
import dev.pail.clock.HistoryTrees;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file of results that follow from events, so they are never stale. It can be lost or damaged: then they are found again. Needs no lock.
 * Never fails.
 *
 * <p>The file has the CID of the rest, and the rest as dag-cbor. Rule REP38.
 */
final class DerivedFile implements HistoryTrees.Storage {
    /** A larger file is not written, and not read. */
    private static final int MAX_SIZE = 8 << 20;

    /** The bytes of the CID of the rest. */
    private static final int SUM = 36;

    private final RepositoryFolder folder;
    private final String name;
    private final String what;

    /** @param what the results, for traces */
    DerivedFile(RepositoryFolder folder, String name, String what) {
        this.folder = folder;
        this.name = name;
        this.what = what;
    }

    private Path file() {
        return folder.resolve(DerivedRootFiles.FOLDER).resolve(name);
    }

    @Override
    public Optional<byte[]> read() {
        Path file = file();
        try {
            if (!folder.disk().exists(file)) {
                return Optional.empty();
            }
            byte[] bytes = SmallFiles.read(folder.disk(), file, MAX_SIZE);
            if (bytes.length < SUM) {
                throw new IllegalArgumentException("it is too short");
            }
            byte[] content = Arrays.copyOfRange(bytes, SUM, bytes.length);
            if (!Arrays.equals(sum(content), 0, SUM, bytes, 0, SUM)) {
                throw new IllegalArgumentException("its digest is another one");
            }
            return Optional.of(content);
        } catch (IOException | PailException | IllegalArgumentException e) {
            Trace.swallowed("cannot read the " + what + ", which are found again from the events: " + file, e);
            return Optional.empty();
        }
    }

    @Override
    public void write(byte[] content) {
        if (content.length > MAX_SIZE - SUM) {
            return;
        }
        byte[] bytes = Arrays.copyOf(sum(content), SUM + content.length);
        System.arraycopy(content, 0, bytes, SUM, content.length);
        Path file = file();
        try {
            SmallFiles.replaceUnsynced(folder.disk(), file, bytes);
        } catch (IOException | PailException e) {
            Trace.swallowed("cannot keep the " + what + ", which the next reader finds again: " + file, e);
        }
    }

    private static byte[] sum(byte[] content) {
        return Block.of(Cid.DAG_CBOR, content).cid().toBytes();
    }
}
