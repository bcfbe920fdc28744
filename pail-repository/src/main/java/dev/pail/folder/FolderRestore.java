package dev.pail.folder;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.NamespaceEntry;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A restore of values to files below a folder, the inverse of {@link FolderPut}. Add the values first, then {@link #run} checks all names,
 * and writes. A value that is a UnixFS folder is written with all below it. Symbolic links are made if they lead to a place in the folder.
 * Permissions and mtimes that values have are set again; set-user-id, set-group-id and sticky are not.
 *
 * <p>A restore writes nothing outside the folder, and follows no links in it. Each file gets its name when it is complete. A file that is
 * there with the same bytes stays as it is.
 *
 * <pre>{@code
 * FolderRestore restore = FolderRestore.to(Path.of("copy"), repository.blocks(), RestoreOptions.DEFAULT);
 * restore.add(repository.pail("main"), "photos"); // photos/2024/1.jpg becomes copy/2024/1.jpg
 * FolderRestore.Result result = restore.run();
 * System.out.println(result.written() + " written, " + result.unchanged() + " unchanged");
 * }</pre>
 *
 * <p>For one thread. It holds the names and CIDs of all files in memory.
 */
@CheckReturnValue
public final class FolderRestore {
    private final RestorePlan plan;

    /**
     * What a restore wrote, or of a dry run, would write. All numbers are counts. The listener has heard the names of files that were not
     * written.
     *
     * @param files all files and symbolic links
     * @param written the files and links that were written
     * @param unchanged the files and links that were there
     * @param damaged the values, and entries of folders below them, that cannot be read
     * @param erased the values that were erased on purpose
     * @param leftOut the links that may lead out of the folder
     */
    public record Result(long files, long written, long unchanged, long damaged, long erased, long leftOut) {}

    private FolderRestore(RestorePlan plan) {
        this.plan = plan;
    }

    /**
     * A restore to a folder. Nothing is written yet.
     *
     * @param folder need not exist
     * @param blocks the blocks of the values
     * @throws FolderException if a file is in its place, or it cannot be read
     */
    public static FolderRestore to(Path folder, BlockStore blocks, RestoreOptions options) {
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(options, "options");
        return new FolderRestore(new RestorePlan(TargetFolder.at(folder), blocks, options));
    }

    /**
     * Adds the values of all keys below a prefix. The names of their files are the keys without the prefix and the slash.
     *
     * @param prefix for all keys, an empty text
     */
    public void add(Pail pail, String prefix) {
        Objects.requireNonNull(pail, "pail");
        String start = FolderKeys.below(Objects.requireNonNull(prefix, "prefix"));
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(start))) {
            entries.forEach(entry -> plan.add(entry.key().substring(start.length()), entry.value()));
        }
    }

    /**
     * Adds entries of a namespace. A key that is no text is refused when the restore runs.
     *
     * @param entries stays open
     * @param start how many characters at the beginning of each key are no part of the name of its file
     * @throws IndexOutOfBoundsException if that is negative, or more than a key has
     */
    public void add(Stream<NamespaceEntry> entries, int start) {
        Objects.requireNonNull(entries, "entries");
        entries.forEachOrdered(entry -> entry.key()
                .text()
                .ifPresentOrElse(
                        key -> plan.add(key.substring(start), entry.value()),
                        () -> plan.refuse(entry.key().toString(), "the key is no text")));
    }

    /**
     * Adds a value.
     *
     * @param name of its file, below the folder, with slashes. One that cannot be a file is refused when the restore runs
     */
    public void add(String name, Cid value) {
        plan.add(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    }

    /** Returns whether nothing was added. */
    public boolean isEmpty() {
        return plan.isEmpty();
    }

    /**
     * Checks all names, and then writes the files. If values cannot be read, it writes all others.
     *
     * @throws FolderException if a key cannot be a file or other bytes are in its place, and nothing was written; or if writing failed, and
     *     the files that were written stay
     * @throws dev.pail.OperationInterruptedException if this thread is interrupted. The files that were written stay
     */
    public Result run() {
        try (TargetFolder target = plan.target()) {
            plan.check();
            RestoreRun run = new RestoreRun(plan, target);
            run.write();
            return new Result(
                    (long) plan.names().size() + plan.links().size(),
                    run.written(),
                    plan.same().size(),
                    run.damaged(),
                    run.erased(),
                    run.leftOut());
        }
    }
}
