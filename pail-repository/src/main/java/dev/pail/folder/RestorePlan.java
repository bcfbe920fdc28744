package dev.pail.folder;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The files, folders and links that a restore writes: all names are found and checked before the first file is written. */
final class RestorePlan {
    /** The most problems of one folder: a walk that has reached a limit reports each entry behind it. */
    private static final int MOST_PROBLEMS = 1000;

    private static final String OTHER_BYTES = "a file with other bytes is there";
    private static final String OTHER_TARGET = "a link with another target is there";

    private final TargetFolder target;
    private final BlockStore blocks;
    private final RestoreOptions options;

    /** The names of files, and their values. */
    private final Map<String, Cid> names = new LinkedHashMap<>();

    /** The folders and links among values, and below them. */
    private final Map<String, UnixFsNode> folders = new LinkedHashMap<>();

    private final Map<String, String> links = new LinkedHashMap<>();
    private final Map<String, BlockException> unreadable = new LinkedHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();

    /** Those whose file has these bytes already. */
    private final Set<String> same = new HashSet<>();

    RestorePlan(TargetFolder target, BlockStore blocks, RestoreOptions options) {
        this.target = target;
        this.blocks = blocks;
        this.options = options;
    }

    void add(String name, Cid value) {
        names.put(name, value);
    }

    void refuse(String name, String rule) {
        refused.put(name, rule);
    }

    boolean isEmpty() {
        return names.isEmpty() && refused.isEmpty();
    }

    TargetFolder target() {
        return target;
    }

    BlockStore blocks() {
        return blocks;
    }

    RestoreOptions options() {
        return options;
    }

    Map<String, Cid> names() {
        return names;
    }

    Map<String, UnixFsNode> folders() {
        return folders;
    }

    Map<String, String> links() {
        return links;
    }

    Map<String, BlockException> unreadable() {
        return unreadable;
    }

    Set<String> same() {
        return same;
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
        boolean isThere =
                refused.values().stream().anyMatch(rule -> rule.equals(OTHER_BYTES) || rule.equals(OTHER_TARGET));
        throw new FolderException(
                isThere ? FolderException.Reason.OCCUPIED : FolderException.Reason.KEYS,
                refused.size() + (refused.size() == 1 ? " key cannot be a file" : " keys cannot be files")
                        + ", and nothing was written; the first is "
                        + Escapes.brief(refused.keySet().iterator().next()),
                refused,
                null);
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
                return options.overwrite() || target.hasTarget(name, links.getOrDefault(name, ""))
                        ? Optional.empty()
                        : Optional.of(OTHER_TARGET);
            }
            return found == TargetFolder.Found.FILE && value != null
                    ? options.overwrite() || !hasOtherBytes(name, value) ? Optional.empty() : Optional.of(OTHER_BYTES)
                    : Optional.of("a link, a folder or another that is no file is in its place, or on the way");
        } catch (IOException e) {
            throw FolderException.write(target.path(name), e);
        }
    }

    private boolean hasOtherBytes(String name, Cid value) throws IOException {
        try (ValueBytes bytes = ValueBytes.open(blocks, value).orElse(null)) {
            return bytes != null && !hasBytes(name, bytes);
        } catch (BlockException | UnsupportedHashException | ValueBytes.NoFileException e) {
            // The file stays. The write of the other files reports what cannot be read.
            return false;
        }
    }

    /** Whether the file has these bytes, which is noted: it is not to be compared again. */
    boolean hasBytes(String name, ValueBytes bytes) throws IOException {
        return target.has(name, bytes.size(), bytes.all()) && same.add(name);
    }
}
