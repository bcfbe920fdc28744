package dev.pail.cli.command.map;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.ErasedBlockException;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.NamespaceEntry;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.KeyBytes;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.folder.FolderPut;
import dev.pail.cli.command.folder.TargetFolder;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unixfs.FolderEntry;
import dev.pail.unixfs.FolderWalk;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsNode;
import dev.pail.values.ValueBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Writes the values of keys to files: finds all names, checks them, and then writes. */
final class Restore {
    static final Option.Flag OVERWRITE = Option.flag("Replace files that have other bytes.", "--overwrite");

    static final Option.Flag DRY_RUN = Option.flag("Say what would be written, and write nothing.", "--dry-run");

    /** The most problems of one folder: a walk that has reached a limit reports each entry behind it. */
    private static final int MOST_PROBLEMS = 1000;

    private static final String OTHER_BYTES = "a file with other bytes is there";
    private static final String OTHER_TARGET = "a link with another target is there";

    private final Call call;
    private final BlockStore blocks;
    private final TargetFolder target;

    /** The names of files, and their values. */
    private final Map<String, Cid> names = new LinkedHashMap<>();

    /** The folders and links among values, and below them. */
    private final Map<String, UnixFsNode> folders = new LinkedHashMap<>();

    private final Map<String, String> links = new LinkedHashMap<>();
    private final Map<String, BlockException> unreadable = new LinkedHashMap<>();
    private long leftOut;

    private final Map<String, String> refused = new LinkedHashMap<>();
    private long written;

    /** Those whose file has these bytes already. */
    private final Set<String> same = new HashSet<>();

    private long damaged;
    private long erased;

    Restore(Call call, BlockStore blocks, TargetFolder target) {
        this.call = call;
        this.blocks = blocks;
        this.target = target;
    }

    void find(Pail pail) {
        String given = call.optionalParameter(0);
        String prefix = FolderPut.folderPrefix(given == null ? "" : given);
        try (Stream<NamespaceEntry> entries = LsCommand.entries(call, pail, KeyRange.prefix(prefix))) {
            entries.forEach(entry -> entry.key()
                    .text()
                    .ifPresentOrElse(
                            key -> names.put(key.substring(prefix.length()), entry.value()),
                            () -> refused.put(entry.key().toString(), "the key is no text")));
        }
        if (names.isEmpty() && refused.isEmpty() && given != null) {
            Cid value = pail.get(call.key(pail, given)).orElseThrow(() -> GetCommand.absent(List.of(given)));
            names.put(given.substring(given.lastIndexOf('/') + 1), value);
        }
    }

    /** Puts what is below folders among values in their place. Keys alone are checked before that. */
    private void open() {
        for (Map.Entry<String, Cid> each : new ArrayList<>(names.entrySet())) {
            String name = each.getKey();
            conflict(name).ifPresent(rule -> refused.put(name, rule));
            if (each.getValue().codec() == Cid.DAG_PB) {
                open(name, each.getValue());
            }
        }
    }

    private void open(String name, Cid value) {
        try {
            UnixFsNode node = UnixFs.value(blocks, value);
            if (node.kind() == NodeKind.LINK) {
                names.remove(name);
                links.put(name, node.target());
            } else if (node.kind() == NodeKind.FOLDER) {
                names.remove(name);
                openFolder(name, value, node);
            }
        } catch (BlockException | UnsupportedHashException e) {
            // The write reports what cannot be read.
            return;
        }
    }

    private void openFolder(String name, Cid value, UnixFsNode node) {
        try {
            FolderWalk walk = UnixFs.walk(blocks, value);
            folders.put(name, node);
            open(name, walk);
        } catch (BlockException e) {
            unreadable.put(name, e);
        }
    }

    private void open(String folder, FolderWalk walk) {
        for (int problems = 0; problems < MOST_PROBLEMS; ) {
            try {
                if (!walk.hasNext()) {
                    return;
                }
                FolderEntry entry = walk.next();
                String name = folder + '/' + entry.path();
                switch (entry.node().kind()) {
                    case FILE -> names.put(name, entry.cid());
                    case FOLDER -> folders.put(name, entry.node());
                    case LINK -> links.put(name, entry.node().target());
                }
            } catch (BlockException e) {
                problems++;
                unreadable.put(folder + ": " + e.cid(), e);
            }
        }
    }

    /** Refuses names that cannot be files, all of them at once, before anything is written. */
    void check() {
        open();
        boolean foldsCase = target.foldsCase();
        Map<String, String> folded = new LinkedHashMap<>();
        for (String name : Stream.of(names.keySet(), folders.keySet(), links.keySet())
                .flatMap(Set::stream)
                .toList()) {
            Optional<String> why = TargetFolder.refusal(name);
            if (why.isEmpty() && foldsCase) {
                String other = folded.put(name.toLowerCase(Locale.ROOT), name);
                why = Optional.ofNullable(other)
                        .map(first -> "the file system does not tell it from " + Escapes.brief(first));
            }
            if (why.isEmpty()) {
                why = atTarget(name);
            }
            why.ifPresent(rule -> refused.put(name, rule));
        }
        if (refused.isEmpty()) {
            return;
        }
        refused.forEach((name, rule) -> call.terminal().tell("refused", name, rule));
        boolean isThere =
                refused.values().stream().anyMatch(rule -> rule.equals(OTHER_BYTES) || rule.equals(OTHER_TARGET));
        throw new Failure.Found(
                Exit.FAILED,
                "not-restored",
                refused.size() + (refused.size() == 1 ? " key cannot be a file" : " keys cannot be files")
                        + ", and nothing was written; the first is "
                        + Escapes.brief(refused.keySet().iterator().next()),
                isThere
                        ? "replace files that have other bytes with --overwrite, or name another folder"
                        : "restore the others with a longer PREFIX, or print one with: pail cat KEY");
    }

    private Optional<String> conflict(String name) {
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            String above = name.substring(0, slash);
            if (names.containsKey(above)) {
                refused.put(above, "it would be a file and a folder: " + Escapes.brief(name) + " is a key, too");
                return Optional.of(Escapes.brief(above) + " is a key, too, and would be a file and a folder");
            }
        }
        return Optional.empty();
    }

    private Optional<String> atTarget(String name) {
        Cid value = names.get(name);
        try {
            TargetFolder.Found found = target.found(name);
            if (found == TargetFolder.Found.NOTHING
                    || (found == TargetFolder.Found.FOLDER && folders.containsKey(name))) {
                return Optional.empty();
            }
            if (found == TargetFolder.Found.LINK && links.containsKey(name)) {
                return call.get(OVERWRITE) || target.hasTarget(name, links.getOrDefault(name, ""))
                        ? Optional.empty()
                        : Optional.of(OTHER_TARGET);
            }
            return found == TargetFolder.Found.FILE && value != null
                    ? call.get(OVERWRITE) || !hasOtherBytes(name, value) ? Optional.empty() : Optional.of(OTHER_BYTES)
                    : Optional.of("a link, a folder or another that is no file is in its place, or on the way");
        } catch (IOException e) {
            throw TargetFolder.failure(target.path(name), e);
        }
    }

    private boolean hasOtherBytes(String name, Cid value) throws IOException {
        try (ValueBytes bytes = KeyBytes.open(call, blocks, name, value)) {
            return !hasBytes(name, bytes);
        } catch (BlockException | UnsupportedHashException | Failure.Found e) {
            // The file stays. The write of the other files reports what cannot be read.
            return false;
        }
    }

    /** Whether the file has these bytes, which is noted: it is not to be compared again. */
    private boolean hasBytes(String name, ValueBytes bytes) throws IOException {
        return target.has(name, bytes.size(), bytes.all()) && same.add(name);
    }

    void write() {
        if (!call.get(DRY_RUN)) {
            target.clear();
        }
        try (Progress progress = call.progress("files")) {
            unreadable.forEach((name, e) -> {
                damaged++;
                call.terminal().tell("damaged", name, Failure.message(e));
            });
            makeFolders();
            names.forEach((name, value) -> {
                try {
                    writeOne(name, value);
                } catch (ErasedBlockException e) {
                    erased++;
                    progress.hide();
                    call.terminal().tell("erased", name, Failure.message(e));
                } catch (BlockException | UnsupportedHashException e) {
                    damaged++;
                    progress.hide();
                    call.terminal().tell("damaged", name, Failure.message(e));
                }
                progress.step();
            });
            links.forEach(this::link);
            describeFolders();
        }
    }

    private void makeFolders() {
        for (String name : call.get(DRY_RUN) ? Set.<String>of() : folders.keySet()) {
            try {
                target.makeFolder(name);
            } catch (IOException e) {
                throw TargetFolder.failure(target.path(name), e);
            }
        }
    }

    /** The innermost first: what is written into a folder changes its time, and its permissions may forbid that. */
    private void describeFolders() {
        List<String> inner = new ArrayList<>(call.get(DRY_RUN) ? Set.of() : folders.keySet());
        Collections.reverse(inner);
        for (String name : inner) {
            UnixFsNode node = Objects.requireNonNull(folders.get(name));
            try {
                target.describe(name, node.mode(), node.mtime());
            } catch (IOException e) {
                throw TargetFolder.failure(target.path(name), e);
            }
        }
    }

    /** Links are made when all files are there, so nothing is written by way of one. */
    private void link(String name, String text) {
        try {
            if (!TargetFolder.leadsInside(name, text)) {
                leftOut++;
                call.terminal().tell("left out", name, "the link may lead out of the folder: " + Escapes.brief(text));
            } else if (target.found(name) == TargetFolder.Found.LINK && target.hasTarget(name, text)) {
                same.add(name);
            } else {
                if (!call.get(DRY_RUN)) {
                    target.link(name, text);
                }
                written++;
            }
        } catch (IOException e) {
            throw TargetFolder.failure(target.path(name), e);
        }
    }

    private void writeOne(String name, Cid value) {
        try {
            if (same.contains(name)) {
                return;
            }
            if (target.found(name) == TargetFolder.Found.FILE) {
                try (ValueBytes bytes = open(value)) {
                    if (hasBytes(name, bytes)) {
                        return;
                    }
                }
            }
            try (ValueBytes bytes = open(value)) {
                if (!call.get(DRY_RUN)) {
                    target.write(name, bytes);
                }
                written++;
            }
        } catch (IOException e) {
            throw TargetFolder.failure(target.path(name), e);
        }
    }

    private ValueBytes open(Cid value) {
        return ValueBytes.open(blocks, value)
                .orElseThrow(() ->
                        blocks.isErased(value) ? new ErasedBlockException(value) : new MissingBlockException(value));
    }

    void print() {
        Terminal terminal = call.terminal();
        if (!call.get(DRY_RUN)) {
            terminal.changed = "wrote " + written + " files";
        }
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeNumberField("written", written);
                json.writeNumberField("unchanged", same.size());
                json.writeNumberField("damaged", damaged);
                json.writeNumberField("erased", erased);
                json.writeNumberField("leftOut", leftOut);
            });
        } else if (!terminal.quiet) {
            long files = (long) names.size() + links.size();
            terminal.note(files + (files == 1 ? " file: " : " files: ") + written
                    + (call.get(DRY_RUN) ? " to write, " : " written, ") + same.size() + " unchanged"
                    + (erased == 0 ? "" : ", " + erased + " not written, as the values were erased")
                    + (leftOut == 0 ? "" : ", " + leftOut + " left out"));
        }
        if (damaged > 0) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "damaged-file",
                    "values that cannot be read: " + damaged + "; their files were not written, all others were",
                    "see which blocks are missing, and which cannot be read, with: pail verify --values");
        }
        if (leftOut > 0) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "not-restored",
                    "links that may lead out of the folder: " + leftOut + "; they were not made, all else was written",
                    "make them by hand if you trust them");
        }
    }
}
