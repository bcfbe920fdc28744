package dev.pail.repository.files;

import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A folder of heads, each in a file that has its name: the CIDs of its events, one a line. Rule REP4.
 *
 * @param what each of them is: a branch, a tag
 * @param whatToDo where one is damaged
 */
record HeadFiles(Disk disk, Path folder, String what, String whatToDo) {
    /** What stands for a slash in the name of a file. */
    private static final String SLASH = "%2F";

    /** The bytes of a line: the CID of an event (spec rule M1), and its end. */
    private static final int LINE = 60;

    /** The remains of a CID: text of other files has no such words. */
    private static final Pattern REMAINS = Pattern.compile("[a-z2-7]{20}");

    /** How many bytes of a file are searched for remains of CIDs. */
    private static final int SEARCHED = 64 * 1024;

    /** The name of the file of a branch or a tag, which has no folder of its own for a slash (spec rule REP25). */
    static String fileName(String name) {
        return name.replace("/", SLASH);
    }

    Path file(String name) {
        return folder.resolve(fileName(name));
    }

    /** The name that a file stands for. */
    static String nameOf(String fileName) {
        return fileName.replace(SLASH, "/");
    }

    void checkName(String name) {
        RefName.check(what, name);
    }

    /** The names that all files in a folder stand for, in order, except those that begin with a dot. */
    static List<String> names(Disk disk, Path folder) {
        try {
            return disk.list(folder).stream()
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !name.startsWith("."))
                    .map(HeadFiles::nameOf)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot list a folder", folder, e);
        }
    }

    /**
     * Whether a file was never a head, not even one that is damaged now (spec rule REP17): its size is not that of a head, and it
     * holds no remains of a CID. Folders and links are no heads either.
     */
    boolean isForeign(String name) {
        Path file = file(name);
        try {
            Disk.FileStatus status = disk.status(file).orElse(null);
            if (status == null || !status.isFile()) {
                return status != null;
            }
            return status.size() % LINE != 0 && !hasRemains(file);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read a head", file, e);
        }
    }

    private boolean hasRemains(Path file) throws IOException {
        try (Disk.ReadableFile in = disk.open(file)) {
            byte[] beginning = new byte[SEARCHED];
            int count = in.read(0, beginning, 0, SEARCHED);
            return REMAINS.matcher(new String(beginning, 0, Math.max(count, 0), StandardCharsets.ISO_8859_1))
                    .find();
        }
    }

    /** The events that a foreign file names, if it can be read as a head. */
    Head events(String name) {
        try {
            return read(name).orElse(Head.empty());
        } catch (RepositoryException e) {
            return Head.empty();
        }
    }

    /** The head of this name, if it is there. */
    Optional<Head> read(String name) {
        Path file = file(name);
        try {
            byte[] bytes = SmallFiles.read(disk, file);
            if (new String(bytes, StandardCharsets.ISO_8859_1).contains("\r\n")) {
                throw RepositoryException.damaged(
                        "damaged head: " + file + ": its lines end with CR LF, not LF",
                        "make them end with LF again, here and in other files of the repository; git changes them where "
                                + "core.autocrlf is set",
                        null);
            }
            return Optional.of(parse(bytes));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (MalformedDataException | IllegalArgumentException e) {
            throw RepositoryException.damaged("damaged head: " + file + ": " + e.getMessage(), whatToDo, e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read a head", file, e);
        }
    }

    /** The contents of a head's file, unchecked; if there is no file, a text that no head has. */
    String text(String name) throws IOException {
        try {
            return new String(disk.read(file(name), SmallFiles.MAX_SIZE), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "-";
        }
    }

    private static Head parse(byte[] bytes) {
        List<Cid> events = new ArrayList<>();
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            if (end < 0) {
                throw new IllegalArgumentException("the last line has no end");
            }
            events.add(Cid.parse(text.substring(from, end)));
            from = end + 1;
        }
        return Head.of(events);
    }

    static byte[] bytes(Head head) {
        StringBuilder text = new StringBuilder();
        head.events().forEach(event -> text.append(event).append('\n'));
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
