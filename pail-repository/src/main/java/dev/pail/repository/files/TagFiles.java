package dev.pail.repository.files;

import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The files of the tags. What changes them needs the writer's lock. */
final class TagFiles {
    private static final String WHAT_TO_DO =
            "restore this file from a copy of the repository, or remove it, and make the tag again";

    private final RepositoryFolder folder;
    private final HeadFiles files;

    TagFiles(RepositoryFolder folder) {
        this.folder = folder;
        this.files = new HeadFiles(folder.disk(), folder.resolve("tags"), "a tag", WHAT_TO_DO);
    }

    List<String> names() {
        return names(name -> true);
    }

    /** The names that match a condition. Reads the files of these only. */
    List<String> names(Predicate<String> condition) {
        return list().filter(condition).filter(name -> !isForeign(name)).toList();
    }

    /** The files among the tags that are none (spec rule REP17), in order. */
    List<Path> foreign() {
        return list().filter(this::isForeign).map(files::file).toList();
    }

    private Stream<String> list() {
        return files.disk().isDirectory(files.folder())
                ? HeadFiles.names(files.disk(), files.folder()).stream()
                : Stream.empty();
    }

    private boolean isForeign(String name) {
        return !RefName.isValid(name) || files.isForeign(name);
    }

    /** The events that a foreign file names, if it can be read as a head. */
    Head eventsOf(Path foreign) {
        return files.events(HeadFiles.nameOf(String.valueOf(foreign.getFileName())));
    }

    /** Where a tag stands, if it is there. Rule REP5. */
    Optional<Head> read(String tag) {
        files.checkName(tag);
        Optional<Head> head = head(tag);
        // Nothing else would tell that its file was cut to nothing.
        if (head.isPresent() && head.get().isEmpty()) {
            throw RepositoryException.damaged(
                    "damaged tag: " + files.file(tag) + ": it stands at no event", WHAT_TO_DO, null);
        }
        return head;
    }

    private Optional<Head> head(String tag) {
        try {
            return files.read(tag);
        } catch (RepositoryException e) {
            throw files.isForeign(tag)
                    ? new RepositoryException(
                            RepositoryException.Reason.NO_TAG,
                            "not a tag: " + files.file(tag),
                            Hint.of("remove it with: ", Hint.Action.REMOVE_TAG, tag),
                            e)
                    : e;
        }
    }

    void write(String tag, Head head) {
        folder.checkLayout(tag);
        folder.write("cannot write a file", files.file(tag), HeadFiles.bytes(head));
    }

    /**
     * Removes a file from the folder of tags, even if it is no tag.
     *
     * @throws RepositoryException if there is none of this name
     */
    void remove(String tag) {
        if (list().noneMatch(HeadFiles.nameOf(tag)::equals)) {
            files.checkName(tag);
            List<String> names = names();
            throw new RepositoryException(
                    RepositoryException.Reason.NO_TAG,
                    "no tag " + tag + ": " + Disk.parent(files.folder()),
                    names.isEmpty() ? "there is none" : "there are: " + String.join(", ", names),
                    null);
        }
        folder.write("cannot remove", files.file(tag), null);
    }
}
