package dev.pail.repository.files;

import dev.pail.disk.Disk;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.sign.HeadNote;
import dev.pail.sign.InvalidNoteException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The files of signed heads: in {@code signed}, one for each branch or tag that has some. What changes them needs the writer's lock. Rule REP37. */
final class HeadNoteFiles {
    private final RepositoryFolder folder;
    private final Path files;

    HeadNoteFiles(RepositoryFolder folder) {
        this.folder = folder;
        this.files = folder.resolve("signed");
    }

    /** In order. What has no name of a branch or a tag is left alone. */
    List<String> names() {
        Disk disk = folder.disk();
        return disk.isDirectory(files)
                ? HeadFiles.names(disk, files).stream().filter(RefName::isValid).toList()
                : List.of();
    }

    List<HeadNote> read(String name) {
        Path file = file(name);
        try {
            List<HeadNote> notes = HeadNote.parseAll(SmallFiles.read(folder.disk(), file, HeadNote.MAX_TOTAL));
            if (notes.stream().allMatch(note -> note.name().equals(name))) {
                return notes;
            }
            throw damaged(file, new IllegalArgumentException("it has notes of another name"));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (InvalidNoteException | IllegalArgumentException e) {
            throw damaged(file, e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read signed heads", file, e);
        }
    }

    private static RepositoryException damaged(Path file, RuntimeException cause) {
        return RepositoryException.damaged(
                "damaged signed heads: " + file + ": " + cause.getMessage(),
                "remove this file: the next fetch, or the next signature, makes it again",
                cause);
    }

    void write(String name, List<HeadNote> notes) {
        folder.write("cannot write a file", file(name), HeadNote.join(notes));
    }

    private Path file(String name) {
        RefName.check("a branch or a tag", name);
        return files.resolve(HeadFiles.fileName(name));
    }
}
