package dev.pail.folder;

import dev.pail.BlockStore;
import dev.pail.OperationInterruptedException;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.threads.TaskThread;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads the files of a put by several threads, and stores their blocks. */
final class FileReads {
    private static final int MOST_THREADS = 8;

    /** Permissions, set-user-id, set-group-id and sticky. */
    private static final int MODE_BITS = 07777;

    /** How many bytes a file may have to be one block. */
    private static final int MAX_BLOCK = FileLayout.V1_2025.chunkSize();

    private final PutOptions options;
    private final GatheredBlocks blocks;

    /** Files of several blocks are written one at a time: each is hashed by several threads, and needs memory for that. */
    private final Object large = new Object();

    FileReads(PutOptions options, BlockStore blocks) {
        this.options = options;
        this.blocks = new GatheredBlocks(options.dryRun() ? new NoBlocks() : blocks);
    }

    /** The values of all keys, of files that were read now or are as they were. */
    SortedMap<String, Cid> values(Map<String, FolderScan.Found> files, Pail before, FileCache cache) {
        long size =
                files.values().stream().mapToLong(found -> found.state().size()).sum();
        FolderListener listener = options.listener();
        SortedMap<String, Cid> values = new TreeMap<>();
        Map<String, Future<Cid>> due = new LinkedHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST_THREADS, TaskThread.threads()));
        try {
            listener.begun(files.size(), size);
            files.forEach((key, found) -> {
                Cid known = cache.cid(found);
                if (known != null && before.get(key).filter(known::equals).isPresent()) {
                    values.put(key, known);
                    listener.read(found.state().size());
                    listener.done();
                } else {
                    due.put(key, threads.submit(() -> read(found)));
                }
            });
            due.forEach((key, read) -> {
                values.put(key, result(read));
                listener.done();
            });
            blocks.flush();
            return values;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Cid result(Future<Cid> read) {
        try {
            return read.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperationInterruptedException("a put of a folder");
        }
    }

    private Cid read(FolderScan.Found found) {
        try (InputStream in =
                new Counted(Files.newInputStream(found.path(), LinkOption.NOFOLLOW_LINKS), options.listener())) {
            Cid cid = found.state().size() <= MAX_BLOCK ? write(in, found) : writeLarge(in, found);
            if (!FolderScan.State.of(found.path()).equals(found.state())) {
                throw new FolderException(
                        FolderException.Reason.CHANGED,
                        "a file was changed while it was read, and no key was changed: " + found.path());
            }
            return cid;
        } catch (IOException e) {
            throw FolderException.read(found.path(), e);
        }
    }

    private Cid writeLarge(InputStream in, FolderScan.Found found) throws IOException {
        synchronized (large) {
            return write(in, found);
        }
    }

    private Cid write(InputStream in, FolderScan.Found found) throws IOException {
        return options.preserve()
                ? UnixFs.write(
                        blocks,
                        in,
                        FileLayout.V1_2025,
                        mode(found.path()),
                        Optional.of(found.state().mtime().toInstant()))
                : UnixFs.write(blocks, in);
    }

    /** The permissions of a file; none where the system has no such. */
    private static OptionalInt mode(Path file) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? OptionalInt.of((int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & MODE_BITS)
                : OptionalInt.empty();
    }

    /** Counts the bytes of a stream. */
    private static final class Counted extends FilterInputStream {
        private final FolderListener listener;

        Counted(InputStream in, FolderListener listener) {
            super(in);
            this.listener = listener;
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            listener.read(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] out, int from, int length) throws IOException {
            int count = super.read(out, from, length);
            listener.read(Math.max(0, count));
            return count;
        }
    }

    /** Stores nothing: only CIDs are wanted. */
    private static final class NoBlocks implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.empty();
        }

        @Override
        public void putAll(Collection<Block> all) {}

        @Override
        public boolean has(Cid cid) {
            return false;
        }

        @Override
        public void close() {}
    }
}
