package dev.pail.repository;

import dev.pail.Pail;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarRoots;
import dev.pail.car.Completeness;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Optional;

/** Takes CARs into a repository. Safe for use by several threads. */
final class Imports {
    private final Repository repository;
    private final Merges merges;

    Imports(Repository repository, Merges merges) {
        this.repository = repository;
        this.merges = merges;
    }

    /** As {@link Repository#take}. */
    ImportResult take(String branch, CarReader car, ImportOptions options) {
        boolean isPresent = repository.isBranch(branch);
        String name = options.name().orElseGet(car::source);
        CarImport blocks = CarImport.of(car, repository.blocks(), options.progress());
        options.blocks().accept(blocks);
        if (blocks.damaged() > 0) {
            throw new ImportException(
                    ImportException.Reason.DAMAGED,
                    "blocks of the CAR are damaged, and no branch was moved: " + name + ": " + blocks.refused()
                            + " refused",
                    blocks,
                    List.of());
        }
        return new ImportResult(blocks, merged(branch, isPresent, "import " + name, blocks, options));
    }

    /** Returns nothing if the CAR names no version: then its blocks are all that there is to take in. */
    private Optional<MergeResult> merged(
            String branch, boolean isPresent, String reason, CarImport blocks, ImportOptions options) {
        CarRoots roots = CarRoots.of(repository.blocks(), blocks.header().roots());
        if (!roots.events().isEmpty()) {
            Head head = MerkleClock.open(repository.blocks()).merge(Head.empty(), Head.of(roots.events()));
            MergeOptions merge =
                    MergeOptions.DEFAULT.withUnrelated(options.unrelated()).withProgress(options.progress());
            return Optional.of(merges.merge(branch, reason, head, merge));
        }
        if (!roots.pails().isEmpty()) {
            return Optional.of(version(branch, isPresent, reason, blocks, roots.pails()));
        }
        if (isPresent) {
            return Optional.empty();
        }
        throw new ImportException(
                ImportException.Reason.NO_VERSION,
                "the CAR names no version, so no branch was made: " + branch,
                blocks,
                List.of());
    }

    /** Moves a branch without events to a version without them, or makes a branch of it. */
    private MergeResult version(String branch, boolean isPresent, String reason, CarImport blocks, List<Cid> versions) {
        if (versions.size() != 1) {
            throw new ImportException(
                    ImportException.Reason.SEVERAL_VERSIONS,
                    "the CAR names " + versions.size() + " versions without a history, and no branch was moved",
                    blocks,
                    versions);
        }
        Completeness.require(repository.blocks(), versions);
        Pail pail = Pail.open(repository.blocks(), versions.get(0));
        if (!isPresent) {
            return MergeResult.of(repository.createBranch(branch, pail).pail());
        }
        if (repository.head(branch).isEmpty()) {
            return MergeResult.of(repository.replace(branch, reason, empty -> pail));
        }
        if (repository.root(branch).equals(pail.root())) {
            return MergeResult.of(pail);
        }
        throw new ImportException(
                ImportException.Reason.NO_HISTORY,
                "the CAR has a version without a history, and " + branch + " has one: " + pail.root(),
                blocks,
                versions);
    }
}
