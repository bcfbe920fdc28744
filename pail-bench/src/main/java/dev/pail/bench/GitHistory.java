package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.TreeFormatter;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * A bare repository of git, with a commit for each change. A key is a file of that name with the text of the CID, in one of 256
 * folders, which is named by the first byte of the key's SHA-256.
 */
final class GitHistory implements History {
    private static final String BRANCH = Constants.R_HEADS + Constants.MASTER;

    private final Path folder;
    private final SortedMap<String, SortedMap<String, ObjectId>> folders = new TreeMap<>();
    private final SortedMap<String, ObjectId> trees = new TreeMap<>();
    private final List<ObjectId> commits = new ArrayList<>();
    private FileRepository repository;

    GitHistory(Path folder) {
        this.folder = folder;
        try {
            this.repository = new FileRepository(folder.toFile());
            repository.create(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void apply(Step step) {
        byte[] hash = Hashing.sha256().digest(step.key().getBytes(StandardCharsets.UTF_8));
        String name = HexFormat.of().toHexDigits(hash[0]);
        SortedMap<String, ObjectId> files = folders.computeIfAbsent(name, any -> new TreeMap<>());
        try (ObjectInserter inserter = repository.newObjectInserter()) {
            if (step.value() == null) {
                files.remove(step.key());
            } else {
                byte[] text = step.value().toString().getBytes(StandardCharsets.US_ASCII);
                files.put(step.key(), inserter.insert(Constants.OBJ_BLOB, text));
            }
            if (files.isEmpty()) {
                trees.remove(name);
            } else {
                trees.put(name, inserter.insert(tree(files, FileMode.REGULAR_FILE)));
            }
            commits.add(inserter.insert(commit(inserter.insert(tree(trees, FileMode.TREE)))));
            inserter.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void fill(List<Step> puts) {
        throw new UnsupportedOperationException("only what it takes on disk is measured");
    }

    private static TreeFormatter tree(SortedMap<String, ObjectId> names, FileMode mode) {
        TreeFormatter tree = new TreeFormatter();
        names.forEach((name, id) -> tree.append(name, mode, id));
        return tree;
    }

    private CommitBuilder commit(ObjectId tree) {
        PersonIdent author =
                new PersonIdent("pail", "pail@example.org", Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);
        CommitBuilder commit = new CommitBuilder();
        commit.setTreeId(tree);
        commit.setAuthor(author);
        commit.setCommitter(author);
        commit.setMessage("put");
        if (!commits.isEmpty()) {
            commit.setParentId(commits.get(commits.size() - 1));
        }
        return commit;
    }

    /** Makes one pack of all objects, as {@code git gc} does, and removes the loose ones. */
    void pack() {
        try (Git git = Git.wrap(repository)) {
            RefUpdate branch = repository.updateRef(BRANCH);
            branch.setNewObjectId(commits.get(commits.size() - 1));
            branch.update();
            git.gc().setExpire(Instant.now()).call();
        } catch (IOException | GitAPIException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void reopen() {
        repository.close();
        try {
            repository = new FileRepository(folder.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, Cid> version(int changes) {
        Map<String, Cid> all = new HashMap<>();
        try (RevWalk commit = new RevWalk(repository);
                TreeWalk file = new TreeWalk(repository)) {
            file.addTree(commit.parseCommit(commits.get(changes - 1)).getTree());
            file.setRecursive(true);
            while (file.next()) {
                byte[] text = repository.open(file.getObjectId(0)).getBytes();
                all.put(file.getNameString(), Cid.parse(new String(text, StandardCharsets.US_ASCII)));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The commits that the branch leads to. */
    @Override
    public int versions() {
        int there = 0;
        try (RevWalk walk = new RevWalk(repository)) {
            walk.markStart(walk.parseCommit(repository.resolve(BRANCH)));
            for (RevCommit commit : walk) {
                there += commit.getTree() == null ? 0 : 1;
            }
            return there;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        repository.close();
    }
}
