package dev.pail.repository;

import dev.pail.Escapes;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A folder of heads, each in a file that has its name: the CIDs of its events, one a line (spec rules REP2, REP4 and REP5).
 *
 * @param what each of them is: a branch, a tag
 * @param whatToDo where one is damaged
 */
record HeadFiles(Disk disk, Path folder, String what, String whatToDo) {
    private static final int MAX_NAME = 100;

    static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letterOrDigit = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!letterOrDigit && (i == 0 || (c != '.' && c != '_' && c != '-'))) {
                return false;
            }
        }
        return !name.isEmpty() && name.length() <= MAX_NAME;
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    void checkName(String name) {
        if (!isName(name)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not the name of " + what + ": " + Escapes.brief(name),
                    "letters, digits, '.', '_' and '-', at most 100, a letter or digit first",
                    null);
        }
    }

    /** The names of all that are there, in order. */
    List<String> names() {
        return names(disk, folder);
    }

    /** The names of all files in a folder that can be such names, in order. */
    static List<String> names(Disk disk, Path folder) {
        try {
            return disk.list(folder).stream()
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(HeadFiles::isName)
                    .toList();
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot list a folder", folder, e);
        }
    }

    /** The head of this name, if it is there. */
    Optional<Head> read(String name) {
        Path file = file(name);
        try {
            return Optional.of(parse(SmallFiles.read(disk, file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (MalformedDataException | IllegalArgumentException e) {
            throw RepositoryException.damaged("damaged head: " + file + ": " + e.getMessage(), whatToDo, e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read a head", file, e);
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
