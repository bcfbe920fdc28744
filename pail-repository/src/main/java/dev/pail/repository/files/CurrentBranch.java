package dev.pail.repository.files;

import dev.pail.Escapes;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file {@code branch}: the name of the current branch (Rule REP6). There may be no such branch. */
record CurrentBranch(RepositoryFolder folder) {
    private Path file() {
        return folder.resolve("branch");
    }

    String name() {
        try {
            return parse(SmallFiles.read(folder.disk(), file()));
        } catch (NoSuchFileException e) {
            return RefName.MAIN;
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged(
                    "damaged: " + file() + ": " + e.getMessage(),
                    "write the name of a branch into it, or remove it",
                    e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read the current branch", file(), e);
        }
    }

    private static String parse(byte[] bytes) {
        String line = new String(bytes, StandardCharsets.ISO_8859_1);
        if (!line.endsWith("\n") || !RefName.isValid(line.substring(0, line.length() - 1))) {
            throw new IllegalArgumentException("not the name of a branch: " + Escapes.brief(line));
        }
        return line.substring(0, line.length() - 1);
    }

    /** Makes a branch the current one. Needs the lock. */
    void set(String branch) {
        byte[] line = (branch + "\n").getBytes(StandardCharsets.US_ASCII);
        folder.write("cannot make it the current branch", file(), line);
    }
}
