package dev.pail.repository;

import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.List;
import java.util.Optional;

/** The files of the tags. What changes them needs the writer's lock. */
final class Tags {
    private static final String WHAT_TO_DO =
            "restore this file from a copy of the repository, or remove it, and make the tag again";

    private final RepositoryFolder folder;
    private final Branches branches;
    private final HeadFiles files;

    Tags(RepositoryFolder folder, Branches branches) {
        this.folder = folder;
        this.branches = branches;
        this.files = new HeadFiles(folder.disk(), folder.resolve("tags"), "a tag", WHAT_TO_DO);
    }

    List<String> names() {
        return files.disk().isFolder(files.folder()) ? files.names() : List.of();
    }

    /** Where a tag stands, if it is there. */
    Optional<Head> read(String tag) {
        files.checkName(tag);
        Optional<Head> head = files.read(tag);
        // Nothing else would tell that its file was cut to nothing.
        if (head.isPresent() && head.get().isEmpty()) {
            throw RepositoryException.damaged(
                    "damaged tag: " + files.file(tag) + ": it stands at no event", WHAT_TO_DO, null);
        }
        return head;
    }

    /**
     * Checks the name of a new branch or tag.
     *
     * @throws RepositoryException if it would hide something: there is a tag or a branch of this name, or it is a CID
     */
    void checkFree(String name) {
        files.checkName(name);
        if (isCid(name)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not a name: " + name + " is a CID, and names a version by its content",
                    "choose another name",
                    null);
        }
        boolean isBranch = branches.readIfPresent(name).present();
        if (isBranch || read(name).isPresent()) {
            throw new RepositoryException(
                    RepositoryException.Reason.PRESENT,
                    "there is a " + (isBranch ? "branch " : "tag ") + name + " already: " + Disk.around(files.folder()),
                    isBranch ? "choose another name" : "choose another name, or remove it with: pail tag -d " + name,
                    null);
        }
    }

    /** Whether this can be the CID of an event or a root, which a name must not hide. */
    private static boolean isCid(String name) {
        try {
            return Cid.parse(name).isShardLink();
        } catch (MalformedDataException e) {
            return false;
        }
    }

    void write(String tag, Head head) {
        folder.write("cannot write a file", files.file(tag), HeadFiles.bytes(head));
    }

    /** @throws RepositoryException if there is no such tag */
    void remove(String tag) {
        if (read(tag).isEmpty()) {
            List<String> names = names();
            throw new RepositoryException(
                    RepositoryException.Reason.ABSENT,
                    "no tag " + tag + ": " + Disk.around(files.folder()),
                    names.isEmpty() ? "there is none" : "there are: " + String.join(", ", names),
                    null);
        }
        folder.write("cannot write a file", files.file(tag), null);
    }
}
