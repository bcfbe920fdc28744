package dev.pail.folder;

import dev.pail.values.ValueBytes;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A folder that files are restored to. A file gets its name when all of it is there: until then it is in a folder {@value #UNFINISHED}
 * of its own, which the next run clears if this one is killed. Names never lead out of the folder, by what they are or over links.
 */
final class TargetFolder implements AutoCloseable {
    private static final String UNFINISHED = ".pail-restore";
    private static final int PORTION = 1 << 16;
    private static final int PERMISSIONS = 0777;
    private static final int OWNER_READ = 0400;

    /** Times beyond the year 2262 have more nanoseconds than a number of file systems has: Java would set another. */
    private static final long MOST_SECONDS = Long.MAX_VALUE / 1_000_000_000;

    /** Names that Windows takes for devices, with or without an extension. */
    private static final Pattern DEVICES = Pattern.compile(
            "(?i)(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\\$|conout\\$)(?:[.:\\s].*)?");

    private static final Pattern NOT_ON_WINDOWS = Pattern.compile("[<>:\"|?*\\\\\u0000-\u001f]");

    private final Path folder;
    private final Set<Path> checked = new HashSet<>();
    private Optional<Unfinished> unfinished = Optional.empty();

    /** What has no name yet, and the lock that says so. */
    private record Unfinished(Path folder, FileChannel channel, FileLock lock) {}

    private TargetFolder(Path folder) {
        this.folder = folder;
    }

    /** A folder, which need not exist. */
    static TargetFolder at(Path folder) {
        try {
            if (Files.exists(folder)) {
                Path real = folder.toRealPath();
                if (!Files.isDirectory(real)) {
                    throw new FolderException(FolderException.Reason.NOT_A_FOLDER, "a file, not a folder: " + folder);
                }
                return new TargetFolder(real);
            }
            return new TargetFolder(folder.toAbsolutePath().normalize());
        } catch (IOException e) {
            throw FolderException.write(folder, e);
        }
    }

    /** Whether a name is for the program itself. */
    static boolean isReserved(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(".pail") || lower.equals(UNFINISHED);
    }

    /** Why a name cannot be the path of a file below any folder; empty if it can. */
    static Optional<String> refusal(String name) {
        for (String part : name.split("/", -1)) {
            if (part.isEmpty() || part.equals(".") || part.equals("..")) {
                return Optional.of("a part between slashes is empty, . or ..");
            }
            if (isReserved(part)) {
                return Optional.of(part + " is a folder of pail's own");
            }
            if (File.separatorChar == '\\'
                    && (NOT_ON_WINDOWS.matcher(part).find()
                            || DEVICES.matcher(part).matches()
                            || part.endsWith(".")
                            || part.endsWith(" "))) {
                return Optional.of("no name of a file on Windows");
            }
        }
        try {
            Path path = Path.of(name);
            boolean isSame = !path.isAbsolute()
                    && path.toString().replace(File.separatorChar, '/').equals(name);
            return isSame ? Optional.empty() : Optional.of("no name of a file on this system");
        } catch (InvalidPathException e) {
            return Optional.of("no name of a file on this system: " + e.getReason());
        }
    }

    /** Whether names that differ in case alone are the same file here, as far as names that are there tell. */
    boolean foldsCase() {
        for (Path at = folder; at != null && at.getFileName() != null; at = at.getParent()) {
            String name = at.getFileName().toString();
            String lower = name.toLowerCase(Locale.ROOT);
            Path other = at.resolveSibling(name.equals(lower) ? name.toUpperCase(Locale.ROOT) : lower);
            if (Files.exists(at) && !other.getFileName().toString().equals(name)) {
                try {
                    return Files.exists(other) && Files.isSameFile(at, other);
                } catch (IOException e) {
                    return false;
                }
            }
        }
        return false;
    }

    /** What is there under a name. */
    enum Found {
        NOTHING,
        FILE,
        FOLDER,
        LINK,
        SOMETHING_ELSE
    }

    /**
     * What is there under a name.
     *
     * @param name one that {@link #refusal} does not refuse
     */
    Found found(String name) throws IOException {
        Path path = folder.resolve(name);
        if (!isOnFolders(path, Missing.LEFT)) {
            return Found.SOMETHING_ELSE;
        }
        if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            return Found.FILE;
        }
        if (Files.isSymbolicLink(path)) {
            return Found.LINK;
        }
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                ? Found.FOLDER
                : Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? Found.SOMETHING_ELSE : Found.NOTHING;
    }

    private enum Missing {
        LEFT,
        MADE
    }

    /** Whether only folders are on the way to a path, and no links. */
    private boolean isOnFolders(Path path, Missing missing) throws IOException {
        Path at = folder;
        for (Path part : folder.relativize(path.getParent())) {
            at = at.resolve(part);
            if (part.toString().isEmpty() || checked.contains(at)) {
                continue;
            }
            if (Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                checked.add(at);
            } else if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
                return false;
            } else if (missing == Missing.LEFT) {
                return true;
            } else {
                try {
                    Files.createDirectory(at);
                } catch (FileAlreadyExistsException e) {
                    if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
                        return false;
                    }
                }
                checked.add(at);
            }
        }
        return true;
    }

    /** Whether a file has these bytes. */
    boolean has(String name, long size, InputStream bytes) throws IOException {
        Path path = folder.resolve(name);
        if (Files.size(path) != size) {
            return false;
        }
        try (InputStream there = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            byte[] portion = new byte[PORTION];
            byte[] other = new byte[PORTION];
            while (true) {
                int count = bytes.readNBytes(portion, 0, PORTION);
                int otherCount = there.readNBytes(other, 0, PORTION);
                if (!Arrays.equals(portion, 0, count, other, 0, otherCount)) {
                    return false;
                }
                if (count == 0) {
                    return true;
                }
            }
        }
    }

    /** Whether a link leads to this target. */
    boolean hasTarget(String name, String target) throws IOException {
        return Files.readSymbolicLink(folder.resolve(name))
                .toString()
                .replace(File.separatorChar, '/')
                .equals(target);
    }

    /**
     * Whether a link under a name leads to a place in the folder. It may go up only from its own folder: a name may be another link, and
     * "up" from there may lead anywhere.
     */
    static boolean leadsInside(String name, String target) {
        if (target.isEmpty() || target.startsWith("/") || target.indexOf(0) >= 0) {
            return false;
        }
        if (File.separatorChar == '\\' && NOT_ON_WINDOWS.matcher(target).find()) {
            return false;
        }
        long up = name.chars().filter(c -> c == '/').count();
        boolean isDown = false;
        for (String part : target.split("/", -1)) {
            if (part.equals("..")) {
                up--;
                if (isDown || up < 0) {
                    return false;
                }
            } else {
                isDown |= !part.isEmpty() && !part.equals(".");
            }
        }
        return true;
    }

    /** Makes a symbolic link, in the place of one that is there. */
    void link(String name, String target) throws IOException {
        Path temporary = unfinished().folder.resolve(UUID.randomUUID().toString());
        try {
            Files.createSymbolicLink(temporary, Path.of(target));
            move(temporary, name);
        } catch (UnsupportedOperationException | InvalidPathException e) {
            throw new IOException("no symbolic link can be made", e);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Makes a folder, if it is not there. */
    void makeFolder(String name) throws IOException {
        Files.createDirectories(folder);
        if (!isOnFolders(folder.resolve(name).resolve("-"), Missing.MADE)) {
            throw new IOException("something that is no folder is on the way");
        }
    }

    /** Sets what a folder or a file has beside its bytes. Other programs wrote that: no file gets the rights of its owner by it. */
    void describe(String name, OptionalInt mode, Optional<Instant> mtime) throws IOException {
        describe(folder.resolve(name), mode, mtime);
    }

    private static void describe(Path path, OptionalInt mode, Optional<Instant> mtime) throws IOException {
        int permissions = mode.orElse(0) & PERMISSIONS;
        PosixFileAttributeView posix =
                Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (permissions != 0 && posix != null) {
            Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
            // They are in the order of the bits, the highest first.
            int bit = OWNER_READ;
            for (PosixFilePermission each : PosixFilePermission.values()) {
                if ((permissions & bit) != 0) {
                    set.add(each);
                }
                bit >>= 1;
            }
            posix.setPermissions(set);
        }
        if (mtime.isPresent() && Math.abs(mtime.get().getEpochSecond()) < MOST_SECONDS) {
            try {
                Files.setLastModifiedTime(path, FileTime.from(whole(mtime.get())));
            } catch (IOException | IllegalArgumentException | ArithmeticException e) {
                // A time that the file system does not have.
                return;
            }
        }
    }

    /** Java sets 1970 for a time before it that has a part of a second. */
    private static Instant whole(Instant time) {
        return time.isBefore(Instant.EPOCH) ? time.truncatedTo(ChronoUnit.SECONDS) : time;
    }

    private void move(Path temporary, String name) throws IOException {
        Path path = folder.resolve(name);
        try {
            if (!isOnFolders(path, Missing.MADE)) {
                throw new IOException("something that is no folder is on the way");
            }
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException("its folder is on another disk than " + folder, e);
        }
    }

    /** Writes a file, in the place of one that is there. */
    void write(String name, ValueBytes bytes) throws IOException {
        Path temporary = unfinished().folder.resolve(UUID.randomUUID().toString());
        try {
            try (OutputStream out = Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW)) {
                bytes.all().transferTo(out);
            }
            describe(temporary, bytes.mode(), bytes.mtime());
            move(temporary, name);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Removes what killed processes have left. */
    void clear() {
        Path all = folder.resolve(UNFINISHED);
        if (Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
            try {
                clear(all);
                Files.deleteIfExists(all);
            } catch (DirectoryNotEmptyException e) {
                // Another restore is at work.
                return;
            } catch (IOException e) {
                throw FolderException.write(folder, e);
            }
        }
    }

    private Unfinished unfinished() throws IOException {
        if (unfinished.isEmpty()) {
            Files.createDirectories(folder);
            Path all = folder.resolve(UNFINISHED);
            if (!Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(all);
            }
            Path own = Files.createDirectory(all.resolve(UUID.randomUUID().toString()));
            FileChannel channel =
                    FileChannel.open(own.resolve("LOCK"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            unfinished = Optional.of(new Unfinished(own, channel, channel.lock()));
        }
        return unfinished.get();
    }

    /** Removes what processes have left that are gone. */
    private static void clear(Path all) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(all)) {
            for (Path each : folders) {
                clearOne(each);
            }
        }
    }

    private static void clearOne(Path left) throws IOException {
        try (FileChannel channel = FileChannel.open(left.resolve("LOCK"), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            return;
        } catch (NoSuchFileException e) {
            // It was killed before it had a lock, or is about to get it: then it fails, and says so.
        }
        delete(left);
    }

    private static void delete(Path left) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(left)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(left);
    }

    Path path(String name) {
        return folder.resolve(name);
    }

    /** Removes what has no name. */
    @Override
    public void close() {
        Unfinished made = unfinished.orElse(null);
        if (made == null) {
            return;
        }
        try {
            made.lock.release();
            made.channel.close();
            clear();
        } catch (IOException e) {
            throw FolderException.write(folder, e);
        }
    }
}
