package dev.pail.repository.exchange;

import dev.pail.Pail;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarRoots;
import dev.pail.car.Completeness;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.merge.Merges;
import dev.pail.repository.model.ImportException;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.ImportResult;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.update.OpenStores;
import dev.pail.repository.update.RepositoryCore;
import dev.pail.repository.update.VersionUpdates;
import java.util.List;
import java.util.Optional;

/** Takes CARs into a repository. Safe for use by several threads. */
public final class Imports {
    private final OpenStores stores;
    private final VersionUpdates versions;
    private final Merges merges;

    public Imports(RepositoryCore core) {
        this.stores = core.stores();
        this.versions = core.versions();
        this.merges = new Merges(core);
    }

    /** The branch that an import updates, and the reason for its log. */
    private record Target(String branch, boolean isPresent, String reason) {}

    /** As {@link dev.pail.repository.Repository#take}. */
    public ImportResult take(String branch, CarReader car, ImportOptions options) {
        boolean isPresent = stores.refs().has(branch);
        String name = options.name().orElseGet(car::source);
        CarImport blocks = CarImport.of(car, new ArrivingBlocks(stores.blocks()), options.progress());
        options.blocks().accept(blocks);
        if (blocks.damaged() > 0) {
            throw new ImportException(
                    ImportException.Reason.DAMAGED,
                    "blocks of the CAR are damaged, and no branch was moved: " + name + ": " + blocks.refused()
                            + " refused",
                    blocks,
                    List.of());
        }
        return new ImportResult(blocks, merged(new Target(branch, isPresent, "import " + name), blocks, options));
    }

    /** Returns nothing if the CAR names no version: then only its blocks are imported. */
    private Optional<MergeResult> merged(Target target, CarImport blocks, ImportOptions options) {
        CarRoots roots = CarRoots.of(stores.blocks(), blocks.header().roots());
        if (!roots.events().isEmpty()) {
            Head head = MerkleClock.open(stores.blocks()).merge(Head.empty(), Head.of(roots.events()));
            MergeOptions merge =
                    MergeOptions.DEFAULT.withUnrelated(options.unrelated()).withProgress(options.progress());
            return Optional.of(merges.merge(target.branch, target.reason, head, merge));
        }
        if (!roots.pails().isEmpty()) {
            return Optional.of(version(target, blocks, roots.pails()));
        }
        if (target.isPresent) {
            return Optional.empty();
        }
        throw new ImportException(
                ImportException.Reason.NO_VERSION,
                "the CAR names no version, so no branch was made: " + target.branch,
                blocks,
                List.of());
    }

    /** Sets a branch without events to a version without events, or creates a branch with it. */
    private MergeResult version(Target target, CarImport blocks, List<Cid> roots) {
        String branch = target.branch;
        if (roots.size() != 1) {
            throw new ImportException(
                    ImportException.Reason.SEVERAL_VERSIONS,
                    "the CAR names " + roots.size() + " versions without a history, and no branch was moved",
                    blocks,
                    roots);
        }
        Completeness.require(stores.blocks(), roots);
        Pail pail = Pail.open(stores.blocks(), roots.get(0));
        if (!target.isPresent) {
            return Merges.unmerged(versions.create(branch, pail).pail());
        }
        if (stores.refs().branch(branch).head().isEmpty()) {
            return Merges.unmerged(
                    versions.replace(branch, target.reason, empty -> pail).pail());
        }
        if (stores.snapshots().root(branch).equals(pail.root())) {
            return Merges.unmerged(pail);
        }
        throw new ImportException(
                ImportException.Reason.NO_HISTORY,
                "the CAR has a version without a history, and " + branch + " has one: " + pail.root(),
                blocks,
                roots);
    }
}
