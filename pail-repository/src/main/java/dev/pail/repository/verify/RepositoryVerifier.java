package dev.pail.repository.verify;

import dev.pail.clock.Head;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.model.VerifyReport.Name;
import dev.pail.repository.model.VerifyReport.Subject;
import dev.pail.repository.model.VerifyReport.WayBack;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.repository.update.OpenStores;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A check of the branches, logs and tags of a repository. For one use by one thread. */
public final class RepositoryVerifier extends Verifier {
    private final OpenStores stores;
    private final RefStore store;
    private final Refs refs;
    private final RepositoryBlocks stored;

    /** For each branch the heads that its log leads back to and that must be there. */
    private final Map<String, Set<Head>> earlier = new LinkedHashMap<>();

    private final Set<String> branches = new LinkedHashSet<>();

    public RepositoryVerifier(OpenStores stores, VerifyOptions options) {
        super(
                stores.blocks(),
                stores.store().location(),
                options,
                stores.promised().orElse(null));
        this.stores = stores;
        this.store = stores.store();
        this.refs = stores.refs();
        this.stored = stores.stored();
    }

    public VerifyReport run() {
        Optional<String> only = options.branch();
        if (only.isPresent()) {
            readFile(Subject.HEAD, only.get(), () -> checkBranch(refs.branch(only.get())));
        } else {
            checkAll();
        }
        earlier.forEach((branch, heads) -> heads.forEach(head -> follow(head, branch)));
        Found found = checkVersions();
        if (only.isEmpty() && options.allVersions()) {
            stored.check(this::addStored, options.progress());
        } else {
            addUnknownPlace();
        }
        askRemote();
        return report(found, isVersionLost() ? waysBack() : List.of());
    }

    private void checkAll() {
        readFile(Subject.COLLECTION, "", store::wholeEpoch);
        readFile(Subject.LOG, "", store::checkWhole);
        store.probe();
        readFile(Subject.CURRENT, "", store::current);
        readFile(Subject.ERASED, "", stored.erasures()::all);
        unremoved = stored.erasures().left().size();
        readFile(Subject.LOST, "", () -> lost.addAll(stored.lost()));
        Set<String> listed = new TreeSet<>(store.branches());
        listed.add(RefName.MAIN);
        for (String name : List.copyOf(listed)) {
            readFile(Subject.HEAD, name, () -> {
                Optional<BranchState> state = refs.listed(name);
                state.ifPresentOrElse(this::checkBranch, () -> listed.remove(name));
            });
        }
        for (String name : store.logs()) {
            if (!listed.contains(name)) {
                readFile(Subject.LOG, name, () -> refs.ifKnown(name).ifPresent(this::readLog));
            }
        }
        for (String name : store.tags()) {
            readFile(Subject.TAG, name, () -> store.tag(name).ifPresent(head -> check(Name.TAG, name, head)));
        }
    }

    private void checkBranch(BranchState state) {
        String name = state.name();
        branches.add(name);
        readFile(Subject.LOG, name, () -> readLog(state));
        check(Name.BRANCH, name, state.head());
    }

    private void check(Name kind, String name, Head head) {
        checkHead(kind, name, head, () -> stores.snapshots().made(head).root());
    }

    /** Reads a log to its beginning. */
    private void readLog(BranchState state) {
        Instant since = options.allVersions() ? keptSince() : Instant.MAX;
        try (RefLog log = store.log(state)) {
            for (LogEntry entry = log.next(); entry != null; entry = log.next()) {
                if (!entry.time().isBefore(since)) {
                    earlier.computeIfAbsent(state.name(), name -> new LinkedHashSet<>())
                            .add(entry.from());
                }
            }
        }
    }

    /** From when on all that logs lead to must be there; if that is unknown, it need not. */
    private Instant keptSince() {
        try {
            return store.wholeEpoch().logsKeptSince();
        } catch (RepositoryException e) {
            return Instant.MAX;
        }
    }

    private List<WayBack> waysBack() {
        WholeVersions versions = new WholeVersions(stores);
        return branches.stream().map(versions::of).flatMap(Optional::stream).toList();
    }
}
