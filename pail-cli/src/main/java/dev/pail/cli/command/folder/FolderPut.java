package dev.pail.cli.command.folder;

import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.NewValue;
import dev.pail.folder.GatheredBlocks;
import dev.pail.folder.IgnoreRules;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Updated;
import dev.pail.table.Tables;
import dev.pail.threads.TaskThread;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import dev.pail.values.LongBatch;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes keys of the files of a folder: reads them by several threads, and then moves the branch once. */
public final class FolderPut {
    public static final Option.Texts EXCLUDE = Option.texts(
            "PATTERN",
            "With -r: leave out files and folders that match, as a line of .pailignore; may be repeated.",
            "--exclude");

    public static final Option.Flag MIRROR =
            Option.flag("With -r: remove the keys that start with PREFIX and have no file.", "--mirror");

    public static final Option.Flag YES =
            Option.flag("With --mirror: remove even more than half of the keys that start with PREFIX.", "--yes");

    public static final Option.Flag DRY_RUN =
            Option.flag("With -r: say what would change, and change nothing.", "--dry-run");

    public static final Option.Flag PRESERVE = Option.flag(
            "With -r: keep permissions and mtimes, in the root block of each file; restore sets them again. Other permissions or times make another CID.",
            "-p",
            "--preserve");

    public static final List<Option> OPTIONS = List.of(EXCLUDE, MIRROR, YES, DRY_RUN, PRESERVE);

    private static final int MOST_THREADS = 8;

    /** Permissions, set-user-id, set-group-id and sticky. */
    private static final int MODE_BITS = 07777;

    private final Call call;
    private final Repository repository;
    private final String prefix;
    private final AtomicLong bytesRead = new AtomicLong();

    /** Files of several blocks are written one at a time: each is hashed by several threads, and needs memory for that. */
    private final Object large = new Object();

    private final GatheredBlocks blocks;

    /**
     * What is to be done.
     *
     * @param puts the values that keys do not have yet
     * @param removed the keys that a mirror removes
     * @param added how many of the puts are of keys that have no value yet
     */
    private record Changes(Map<String, Cid> puts, Set<String> removed, long added, long unchanged) {
        long changed() {
            return puts.size() - added;
        }

        Pail appliedTo(Pail pail) {
            LongBatch batch = new LongBatch(pail);
            removed.forEach(key -> batch.change(changes -> changes.delete(key)));
            puts.forEach((key, value) -> batch.change(changes -> changes.put(key, value)));
            return batch.commit();
        }
    }

    private FolderPut(Call call, Repository repository, String prefix) {
        this.call = call;
        this.repository = repository;
        this.prefix = prefix;
        this.blocks = new GatheredBlocks(call.get(DRY_RUN) ? new NoBlocks() : repository.blocks());
    }

    /** The prefix of keys that are to be below a folder: it ends in a slash. */
    public static String folderPrefix(String given) {
        return given.isEmpty() || given.endsWith("/") ? given : given + '/';
    }

    public static int run(Call call, Repository repository, String folder, String given) {
        String prefix = folderPrefix(given);
        if (call.get(MIRROR) && prefix.isEmpty()) {
            throw Failure.usage(MIRROR + " removes all keys that start with PREFIX and have no file: give a PREFIX");
        }
        return new FolderPut(call, repository, prefix).run(real(call.terminal().path(folder)));
    }

    private static Path real(Path folder) {
        try {
            Path real = folder.toRealPath();
            if (!Files.isDirectory(real)) {
                throw new Failure.Found(
                        Exit.FAILED, "io", "a file, not a folder: " + folder, "put it with: pail put KEY --file PATH");
            }
            return real;
        } catch (IOException e) {
            throw Inputs.failure(folder.toString(), e);
        }
    }

    private int run(Path folder) {
        Instant begun = Instant.now();
        String branch = call.branch(repository);
        FolderScan scan = FolderScan.of(folder, IgnoreRules.of(call.get(EXCLUDE)), call.path());
        Pail before = repository.pail(branch);
        Map<String, FolderScan.Found> files = files(scan, before);
        FileCache cache = FileCache.of(repository, folder, call.get(PRESERVE));
        SortedMap<String, Cid> values = values(files, before, cache);
        if (call.get(DRY_RUN)) {
            print(scan, before.root(), changes(before, values));
            return Exit.DONE;
        }
        AtomicReference<@Nullable Changes> made = new AtomicReference<>();
        Updated updated = repository.update(
                branch, "put -r: " + values.size() + (values.size() == 1 ? " file" : " files"), pail -> {
                    Changes changes = changes(pail, values);
                    made.set(changes);
                    return changes.appliedTo(pail);
                });
        cache.save(files, values, begun);
        print(scan, updated.root(), Objects.requireNonNull(made.get()));
        return Exit.DONE;
    }

    /** The files by their keys. Refuses names that cannot be keys, all of them at once, before anything is read. */
    private Map<String, FolderScan.Found> files(FolderScan scan, Pail pail) {
        Map<String, FolderScan.Found> files = new LinkedHashMap<>();
        Map<String, String> refused = new LinkedHashMap<>();
        scan.notUnicode().forEach(name -> refused.put(name, "the name is not Unicode"));
        ShardFormat format = pail.format();
        boolean hasTables = Tables.mayBeIn(pail);
        for (FolderScan.Found found : scan.files()) {
            String key = call.key(pail, prefix + found.name());
            files.put(key, found);
            try {
                format.checkKey(key);
                if (hasTables && Tables.isReserved(key)) {
                    refused.put(key, "keys that begin with T, P, F or R belong to the tables of this pail");
                }
            } catch (KeyNotAllowedException e) {
                refused.put(key, e.rule());
            }
        }
        if (refused.isEmpty()) {
            return files;
        }
        refused.forEach((name, rule) -> call.terminal().tell("refused", name, rule));
        throw new Failure.Found(
                Exit.FAILED,
                "key-not-allowed",
                refused.size() + (refused.size() == 1 ? " name cannot be a key" : " names cannot be keys")
                        + ", and nothing was changed; the first is "
                        + Escapes.brief(refused.keySet().iterator().next()),
                hint(refused.values()));
    }

    private static String hint(Collection<String> rules) {
        boolean isEncoding = rules.stream().anyMatch(rule -> rule.endsWith("not Unicode"));
        return isEncoding
                ? "rename the files, or leave them out with --exclude; if the names are right, the locale may be wrong: LC_ALL=C.UTF-8 pail ..."
                : "rename the files, leave them out with --exclude, or give another PREFIX; the format v0 takes all names that are Unicode";
    }

    /** The values of all keys, of files that were read now or are as they were. */
    private SortedMap<String, Cid> values(Map<String, FolderScan.Found> files, Pail before, FileCache cache) {
        long size =
                files.values().stream().mapToLong(found -> found.state().size()).sum();
        SortedMap<String, Cid> values = new TreeMap<>();
        Map<String, Future<Cid>> due = new LinkedHashMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(MOST_THREADS, TaskThread.threads()));
        try (Progress progress = call.progress("files", bytesRead::get, size)) {
            files.forEach((key, found) -> {
                Cid known = cache.cid(found);
                if (known != null && before.get(key).filter(known::equals).isPresent()) {
                    values.put(key, known);
                    bytesRead.addAndGet(found.state().size());
                    progress.step();
                } else {
                    due.put(key, threads.submit(() -> read(found)));
                }
            });
            due.forEach((key, read) -> {
                values.put(key, result(read));
                progress.step();
            });
            blocks.flush();
            return values;
        } finally {
            threads.shutdownNow();
        }
    }

    private static Cid result(Future<Cid> read) {
        try {
            return read.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure.Found(Exit.FAILED, "io", "interrupted", null);
        }
    }

    private Cid read(FolderScan.Found found) {
        String name = found.path().toString();
        try (InputStream in = new Counted(Files.newInputStream(found.path(), LinkOption.NOFOLLOW_LINKS), bytesRead)) {
            Cid cid = found.state().size() <= NewValue.MAX_BLOCK ? write(in, found) : writeLarge(in, found);
            if (!FolderScan.State.of(found.path()).equals(found.state())) {
                throw new Failure.Found(
                        Exit.FAILED,
                        "io",
                        "a file was changed while it was read, and no key was changed: " + name,
                        "try again when no program writes to it, or leave it out with --exclude");
            }
            return cid;
        } catch (IOException e) {
            throw Inputs.failure(name, e);
        }
    }

    private Cid writeLarge(InputStream in, FolderScan.Found found) throws IOException {
        synchronized (large) {
            return write(in, found);
        }
    }

    private Cid write(InputStream in, FolderScan.Found found) throws IOException {
        return call.get(PRESERVE)
                ? UnixFs.write(
                        blocks,
                        in,
                        FileLayout.V1_2025,
                        mode(found.path()),
                        Optional.of(found.state().mtime().toInstant()))
                : UnixFs.write(blocks, in);
    }

    /** The permissions of a file; none where the system has no such. */
    private static OptionalInt mode(Path file) throws IOException {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix")
                ? OptionalInt.of((int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & MODE_BITS)
                : OptionalInt.empty();
    }

    private Changes changes(Pail pail, SortedMap<String, Cid> values) {
        Map<String, Cid> puts = new LinkedHashMap<>();
        long added = 0;
        for (Map.Entry<String, Cid> each : values.entrySet()) {
            Optional<Cid> now = pail.get(each.getKey());
            if (!now.equals(Optional.of(each.getValue()))) {
                puts.put(each.getKey(), each.getValue());
                added += now.isEmpty() ? 1 : 0;
            }
        }
        return new Changes(puts, removed(pail, values), added, values.size() - puts.size());
    }

    /** The keys that a mirror removes. */
    private Set<String> removed(Pail pail, Map<String, Cid> values) {
        if (!call.get(MIRROR)) {
            return Set.of();
        }
        Set<String> removed = new HashSet<>();
        long stay = 0;
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(call.key(pail, prefix)))) {
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                String key = each.next().key();
                if (values.containsKey(key)) {
                    stay++;
                } else {
                    removed.add(key);
                }
            }
        }
        if (removed.size() > stay && !call.get(YES) && !call.get(DRY_RUN)) {
            throw tooMany(removed.size(), removed.size() + stay);
        }
        return removed;
    }

    /** The folder may be the wrong one, such as the empty folder of a disk that is not mounted. */
    private Failure.Found tooMany(long removed, long all) {
        return new Failure.Found(
                Exit.FAILED,
                "mirror-removes-most",
                MIRROR + " would remove " + removed + " of " + all + (all == 1 ? " key" : " keys") + " that start with "
                        + Escapes.brief(prefix) + ", which have no file in the folder; nothing was changed",
                "if a disk is not mounted, mount it; if the files are gone on purpose, add " + YES + "; see which with "
                        + DRY_RUN);
    }

    private void print(FolderScan scan, Cid root, Changes changes) {
        Terminal terminal = call.terminal();
        ChangeCommand.changed(call, root);
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("root", root.toString());
                json.writeNumberField("new", changes.added());
                json.writeNumberField("changed", changes.changed());
                json.writeNumberField("unchanged", changes.unchanged());
                json.writeNumberField("removed", changes.removed().size());
                json.writeNumberField("links", scan.links());
                json.writeNumberField("others", scan.others());
            });
            return;
        }
        if (!terminal.quiet) {
            long files = scan.files().size();
            terminal.note(files + (files == 1 ? " file: " : " files: ") + changes.added() + " new, " + changes.changed()
                    + " changed, " + changes.unchanged() + " unchanged"
                    + (changes.removed().isEmpty()
                            ? ""
                            : "; removed " + changes.removed().size()
                                    + (changes.removed().size() == 1 ? " key" : " keys"))
                    + (scan.skipped().isEmpty() ? "" : "; skipped " + scan.skipped()));
        }
        if (!call.get(DRY_RUN)) {
            ChangeCommand.printRoot(call, root);
        }
    }

    /** Counts the bytes of a stream. */
    private static final class Counted extends FilterInputStream {
        private final AtomicLong bytes;

        Counted(InputStream in, AtomicLong bytes) {
            super(in);
            this.bytes = bytes;
        }

        @Override
        public int read() throws IOException {
            int b = super.read();
            bytes.addAndGet(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] out, int from, int length) throws IOException {
            int count = super.read(out, from, length);
            bytes.addAndGet(Math.max(0, count));
            return count;
        }
    }

    /** Stores nothing: only CIDs are wanted. */
    private static final class NoBlocks implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.empty();
        }

        @Override
        public void putAll(Collection<Block> all) {}

        @Override
        public boolean has(Cid cid) {
            return false;
        }

        @Override
        public void close() {}
    }
}
