package dev.pail.folder;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Updated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A put of all files below a folder: each file becomes the value of a key, and the branch moves once. A file of at most 1 MiB is one block,
 * a larger one a UnixFS file. Up to 8 threads read the files. If the repository is in a folder, files that have not changed since the last
 * put are not read again.
 *
 * <p>Symbolic links, pipes, sockets and devices are skipped, as are folders {@code .pail} and the repository itself. Files
 * {@code .pailignore} name what is left out, in the form of {@code .gitignore}.
 *
 * <pre>{@code
 * FolderPut.Result result = FolderPut.of(Path.of("photos"), PutOptions.DEFAULT.withPrefix("photos"))
 *         .into(repository, "main");
 * System.out.println(result.added() + " new, " + result.changed() + " changed"); // keys such as photos/2024/1.jpg
 * }</pre>
 *
 * <p>Immutable; safe for use by several threads, if the keys and the listener are.
 */
@CheckReturnValue
public final class FolderPut {
    private final Path folder;
    private final PutOptions options;

    /**
     * What a put changed, or of a dry run, would change. All numbers are counts.
     *
     * @param root the root of the branch after the put; of a dry run, the root before
     * @param files the files below the folder, without those left out
     * @param added the keys that had no value
     * @param changed the keys that had another value
     * @param unchanged the keys that had the same value
     * @param removed the keys that a mirror removed
     * @param links the symbolic links that were skipped
     * @param others the pipes, sockets and devices that were skipped
     */
    public record Result(
            Cid root, long files, long added, long changed, long unchanged, long removed, long links, long others) {
        public Result {
            Objects.requireNonNull(root, "root");
        }
    }

    private FolderPut(Path folder, PutOptions options) {
        this.folder = folder;
        this.options = options;
    }

    /** A put of a folder. Nothing is read yet. */
    public static FolderPut of(Path folder, PutOptions options) {
        return new FolderPut(Objects.requireNonNull(folder, "folder"), Objects.requireNonNull(options, "options"));
    }

    /**
     * Puts the files into a branch, in one update.
     *
     * @throws FolderException if the folder or a file cannot be read, a file is written meanwhile, a name cannot be a key, or a mirror would
     *     remove too much. No key has changed
     * @throws dev.pail.repository.model.RepositoryException if there is no such branch
     * @throws dev.pail.OperationInterruptedException if this thread is interrupted. No key has changed
     * @throws dev.pail.StoreIOException if the repository cannot be written. No key has changed
     */
    public Result into(Repository repository, String branch) {
        Objects.requireNonNull(repository, "repository");
        Objects.requireNonNull(branch, "branch");
        Path real = real();
        Instant begun = Instant.now();
        Optional<Path> own = FileRepository.of(repository).map(FileRepository::folder);
        FolderScan scan = FolderScan.of(real, IgnoreRules.of(options.excluded()), own);
        Pail before = repository.pail(branch);
        Map<String, FolderScan.Found> files = files(scan, before);
        FileCache cache = FileCache.of(own, real, options.preserve());
        SortedMap<String, Cid> values = new FileReads(options, repository.blocks()).values(files, before, cache);
        if (options.dryRun()) {
            return result(scan, before.root(), PutChanges.of(before, values, options));
        }
        AtomicReference<@Nullable PutChanges> made = new AtomicReference<>();
        Updated updated = repository.update(
                branch, "put -r: " + values.size() + (values.size() == 1 ? " file" : " files"), pail -> {
                    PutChanges changes = PutChanges.of(pail, values, options);
                    made.set(changes);
                    return changes.appliedTo(pail);
                });
        cache.save(files, values, begun);
        return result(scan, updated.root(), Objects.requireNonNull(made.get()));
    }

    private static Result result(FolderScan scan, Cid root, PutChanges changes) {
        return new Result(
                root,
                scan.files().size(),
                changes.added(),
                changes.changed(),
                changes.unchanged(),
                changes.removed().size(),
                scan.links(),
                scan.others());
    }

    private Path real() {
        try {
            Path real = folder.toRealPath();
            if (!Files.isDirectory(real)) {
                throw new FolderException(FolderException.Reason.NOT_A_FOLDER, "a file, not a folder: " + folder);
            }
            return real;
        } catch (IOException e) {
            throw FolderException.read(folder, e);
        }
    }

    /** The files by their keys. Refuses names that cannot be keys, all of them at once, before anything is read. */
    private Map<String, FolderScan.Found> files(FolderScan scan, Pail pail) {
        Map<String, FolderScan.Found> files = new LinkedHashMap<>();
        CheckedKeys keys = new CheckedKeys(pail, options.keys());
        scan.notUnicode().forEach(name -> keys.refuse(name, "the name is not Unicode"));
        for (FolderScan.Found found : scan.files()) {
            files.put(keys.key(options.prefix() + found.name()), found);
        }
        keys.requireAllowed();
        return files;
    }
}
