package dev.pail.repository.files;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The file {@code lost}: blocks that could not be saved from a damaged store. Rule REP19. */
record LostBlocks(RepositoryFolder folder) {
    /** Some 140,000 CIDs. */
    private static final int MAX_SIZE = 8 << 20;

    private Path file() {
        return folder.resolve("lost");
    }

    /** The raw CIDs of their multihashes, in order. */
    Set<Cid> read() {
        Set<Cid> lost = new TreeSet<>();
        try {
            String text = new String(SmallFiles.read(folder.disk(), file(), MAX_SIZE), StandardCharsets.ISO_8859_1);
            if (!text.isEmpty() && !text.endsWith("\n")) {
                throw new IllegalArgumentException("the last line has no end");
            }
            text.lines().map(Cid::parse).map(Cid::raw).forEach(lost::add);
            return lost;
        } catch (NoSuchFileException e) {
            return lost;
        } catch (MalformedDataException | IllegalArgumentException e) {
            throw RepositoryException.damaged(
                    "damaged: " + file() + ": " + e.getMessage(), "restore it from a copy, or remove it", e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read which blocks were lost", file(), e);
        }
    }

    /**
     * Adds blocks. Needs the lock.
     *
     * @param isBack whether a block is there again, so that it is left out
     */
    void add(Collection<Cid> more, Predicate<Cid> isBack) {
        Set<Cid> lost = read();
        more.forEach(cid -> lost.add(cid.raw()));
        lost.removeIf(isBack);
        StringBuilder text = new StringBuilder();
        for (Cid cid : lost) {
            if (text.length() < MAX_SIZE - cid.toString().length()) {
                text.append(cid).append('\n');
            }
        }
        folder.write(
                "cannot note which blocks were lost", file(), text.toString().getBytes(StandardCharsets.US_ASCII));
    }
}
