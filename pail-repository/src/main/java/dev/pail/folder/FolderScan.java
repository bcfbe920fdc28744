package dev.pail.folder;

import dev.pail.bytes.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files below a folder, without those that patterns leave out. Links are not followed, and repositories are passed over. What is in
 * memory grows with the number of files, and not with the depth of the folders.
 */
final class FolderScan {
    /** The patterns of a folder, as {@link IgnoreRules} has them. */
    private static final String PATTERNS = ".pailignore";

    private static final int MAX_PATTERNS = 1 << 20;
    private static final boolean IS_UNIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");

    private final List<Found> files = new ArrayList<>();
    private final List<String> notUnicode = new ArrayList<>();
    private final IgnoreRules excluded;
    private final Optional<Path> repository;
    private long links;
    private long others;

    /**
     * A file.
     *
     * @param name below the folder, with slashes
     */
    record Found(String name, Path path, State state) {}

    /**
     * What changes when a file is written.
     *
     * @param mtime when it was last written
     * @param ctime when anything of it was last changed; the mtime where the system has none
     * @param number its identity in the file system; 0 where there is none
     */
    record State(long size, FileTime mtime, FileTime ctime, long number) {
        /** The state of a file that is there. */
        static State of(Path path) throws IOException {
            return of(attributes(path));
        }

        private static State of(Map<String, Object> attributes) {
            FileTime mtime = (FileTime) attributes.getOrDefault("lastModifiedTime", FileTime.fromMillis(0));
            return new State(
                    (long) attributes.getOrDefault("size", 0L),
                    mtime,
                    (FileTime) attributes.getOrDefault("ctime", mtime),
                    (long) attributes.getOrDefault("ino", 0L));
        }
    }

    /** A folder that is to be read, and the patterns of it and the folders around it, the innermost first. */
    private record Folder(String name, Path path, List<Patterns> patterns) {}

    /**
     * The patterns of one folder.
     *
     * @param start how many characters of a name are before what is below that folder
     */
    private record Patterns(int start, IgnoreRules rules) {}

    private FolderScan(IgnoreRules excluded, Optional<Path> repository) {
        this.excluded = excluded;
        this.repository = repository;
    }

    /**
     * Reads a folder and those below it.
     *
     * @param excluded patterns that count more than those of files
     * @param repository what is in this folder is passed over
     * @throws FolderException if a folder cannot be read
     */
    static FolderScan of(Path folder, IgnoreRules excluded, Optional<Path> repository) {
        FolderScan scan = new FolderScan(excluded, repository);
        Deque<Folder> due = new ArrayDeque<>();
        due.add(new Folder("", folder, List.of()));
        for (Folder next = due.poll(); next != null; next = due.poll()) {
            try {
                scan.read(next, due);
            } catch (IOException e) {
                throw FolderException.read(next.path, e);
            }
        }
        scan.files.sort((a, b) -> a.name.compareTo(b.name));
        return scan;
    }

    private void read(Folder folder, Deque<Folder> due) throws IOException {
        List<Patterns> patterns = patterns(folder);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.path)) {
            for (Path path : entries) {
                String last = String.valueOf(path.getFileName());
                String name = folder.name + last;
                Map<String, Object> attributes;
                try {
                    attributes = attributes(path);
                } catch (NoSuchFileException e) {
                    // It was removed just now; or its name is not what Java makes of it.
                    if (!isUnicode(last)) {
                        notUnicode.add(name);
                    }
                    continue;
                }
                boolean isFolder = is(attributes, "isDirectory");
                IgnoreRules.Kind kind = isFolder ? IgnoreRules.Kind.FOLDER : IgnoreRules.Kind.FILE;
                if (isLeftOut(name, kind, patterns) || (isFolder && isOfPail(last, path))) {
                    continue;
                }
                if (is(attributes, "isSymbolicLink")) {
                    links++;
                } else if (!isUnicode(last)) {
                    notUnicode.add(name);
                } else if (isFolder) {
                    due.push(new Folder(name + '/', path, patterns));
                } else if (is(attributes, "isRegularFile")) {
                    files.add(new Found(name, path, State.of(attributes)));
                } else {
                    others++;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static boolean is(Map<String, Object> attributes, String name) {
        return Boolean.TRUE.equals(attributes.get(name));
    }

    private static Map<String, Object> attributes(Path path) throws IOException {
        return Files.readAttributes(
                path,
                (IS_UNIX ? "unix:ctime,ino," : "") + "isDirectory,isRegularFile,isSymbolicLink,size,lastModifiedTime",
                LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether a folder is a repository, or has what {@code restore} has not finished. */
    private boolean isOfPail(String last, Path path) throws IOException {
        if (TargetFolder.isReserved(last)) {
            return true;
        }
        Path own = repository.orElse(null);
        return own != null && Files.isDirectory(own) && Files.isSameFile(path, own);
    }

    /** Java has a replacement character, or a question mark, for bytes that are no text in the encoding of names. */
    private static boolean isUnicode(String name) {
        return name.indexOf('\ufffd') < 0 && Utf8.loneSurrogate(name) < 0;
    }

    private List<Patterns> patterns(Folder folder) throws IOException {
        Path file = folder.path.resolve(PATTERNS);
        if (!Files.isRegularFile(file)) {
            return folder.patterns;
        }
        if (Files.size(file) > MAX_PATTERNS) {
            throw new FolderException(
                    FolderException.Reason.READ, "patterns of more than " + MAX_PATTERNS + " bytes: " + file);
        }
        List<Patterns> patterns = new ArrayList<>();
        patterns.add(new Patterns(
                folder.name.length(), IgnoreRules.parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))));
        patterns.addAll(folder.patterns);
        return patterns;
    }

    private boolean isLeftOut(String name, IgnoreRules.Kind kind, List<Patterns> patterns) {
        IgnoreRules.Verdict verdict = excluded.verdict(name, kind);
        for (int i = 0; i < patterns.size() && verdict == IgnoreRules.Verdict.NOTHING; i++) {
            Patterns each = patterns.get(i);
            verdict = each.rules.verdict(name.substring(each.start), kind);
        }
        return verdict == IgnoreRules.Verdict.LEFT_OUT;
    }

    /** In the order of their names. */
    List<Found> files() {
        return files;
    }

    /** The names of files and folders that are no Unicode, as far as they can be shown. */
    List<String> notUnicode() {
        return notUnicode;
    }

    long links() {
        return links;
    }

    long others() {
        return others;
    }
}
