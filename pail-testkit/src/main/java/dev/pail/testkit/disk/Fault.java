package dev.pail.testkit.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a disk says when a call fails, and which calls can fail so.
 *
 * <pre>{@code
 * Disk full = new FaultyDisk(new CrashDisk(), Fault.FULL, 1, true); // no call that needs room succeeds
 * BlockStore store = DirectoryBlockStore.open(full, Path.of("/store"));
 * Assertions.assertThrows(StoreIOException.class, () -> store.put(Block.of(Cid.RAW, new byte[] {1})));
 * }</pre>
 */
public enum Fault {
    /** Anything fails, before it has done anything. */
    BEFORE("injected: input/output error", EnumSet.allOf(Call.class)),
    /** Anything is done, and fails all the same. */
    BEHIND("injected: input/output error", EnumSet.complementOf(EnumSet.of(Call.LOCK))),
    READ("Input/output error", EnumSet.of(Call.READ, Call.SIZE, Call.STATUS, Call.LIST)),
    WRITE("Input/output error", EnumSet.of(Call.WRITE, Call.TRUNCATE)),
    SYNC("Input/output error", EnumSet.of(Call.SYNC, Call.SYNC_DIRECTORY)),
    CLOSE("Input/output error", EnumSet.of(Call.CLOSE, Call.CLOSE_READABLE)),
    /** The disk is full. */
    FULL(
            "No space left on device",
            EnumSet.of(Call.WRITE, Call.CREATE, Call.APPEND, Call.CREATE_DIRECTORY, Call.RENAME, Call.LOCK)),
    /** Some of the bytes are written, then the disk is full. */
    SHORT_WRITE("No space left on device", EnumSet.of(Call.WRITE)),
    TOO_MANY_FILES(
            "Too many open files",
            EnumSet.of(
                    Call.OPEN,
                    Call.READ,
                    Call.CREATE,
                    Call.APPEND,
                    Call.TRUNCATE,
                    Call.SYNC,
                    Call.SYNC_DIRECTORY,
                    Call.LIST,
                    Call.LOCK)),
    DENIED(
            "permission denied",
            EnumSet.complementOf(EnumSet.of(
                    Call.SIZE, Call.WRITE, Call.CLOSE, Call.CLOSE_READABLE, Call.SYNC, Call.SYNC_DIRECTORY))),
    READ_ONLY(
            "Read-only file system",
            EnumSet.of(
                    Call.CREATE,
                    Call.APPEND,
                    Call.TRUNCATE,
                    Call.SET_MTIME,
                    Call.RENAME,
                    Call.CREATE_DIRECTORY,
                    Call.DELETE,
                    Call.LOCK)),
    /** The new name would be on another disk. */
    OTHER_DISK("Invalid cross-device link", EnumSet.of(Call.RENAME)),
    /** The disk cannot sync folders. */
    NO_FOLDER_SYNC("Invalid argument", EnumSet.of(Call.SYNC_DIRECTORY));

    /** The calls of a disk that can fail. */
    public enum Call {
        OPEN,
        READ,
        SIZE,
        CLOSE_READABLE,
        STATUS,
        LIST,
        LOCK,
        CREATE,
        APPEND,
        WRITE,
        TRUNCATE,
        SET_MTIME,
        SYNC,
        CLOSE,
        RENAME,
        SYNC_DIRECTORY,
        CREATE_DIRECTORY,
        DELETE;

        /** Whether it changes something, or makes it safe. */
        public boolean isWrite() {
            return compareTo(CREATE) >= 0;
        }
    }

    private final String reason;

    /** Nothing changes them. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Call> calls;

    Fault(String reason, Set<Call> calls) {
        this.reason = reason;
        this.calls = calls;
    }

    /** What an error says of it. */
    public String reason() {
        return reason;
    }

    boolean isOf(Call call) {
        return calls.contains(call);
    }

    IOException error(Path file) {
        return switch (this) {
            case DENIED -> new AccessDeniedException(file.toString());
            case OTHER_DISK -> new AtomicMoveNotSupportedException(file.toString(), file.toString(), reason);
            case READ, WRITE, SYNC, CLOSE, SHORT_WRITE -> new IOException(reason);
            default -> new FileSystemException(file.toString(), null, reason);
        };
    }
}
