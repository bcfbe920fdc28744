package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarRoots;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.dag.Overlay;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.history.EventOrigins;
import dev.pail.repository.history.EventWalk;
import dev.pail.repository.history.StepsBack;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.verify.Verifier;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The versions in a CAR file, or in any block store with roots. The current version is the pail among the roots, if there is one; else the
 * version of all events among them. The order of the roots makes no difference. Shards that are computed from several events stay in memory.
 *
 * <pre>{@code
 * try (CarBlockStore car = CarBlockStore.open(Path.of("backup.car"))) {
 *     Pail pail = CarVersions.of(car).current().pail();
 *     Optional<Cid> value = pail.get("photos/1.jpg");
 * }
 * }</pre>
 *
 * <p>All methods may also throw what reading a {@link Pail} throws. Safe for use by several threads.
 */
public final class CarVersions {
    private static final String HOW =
            "a version is HEAD, the CID of a root or an event, or REV~N, which is N changes before REV";

    private final BlockStore stored;
    private final List<Cid> roots;
    private final String location;

    /** Where the blocks are, in the words of a message. */
    private final String what;

    private final Overlay blocks;

    private CarVersions(BlockStore stored, List<Cid> roots, String location, String what) {
        this.what = what;
        this.stored = stored;
        this.roots = List.copyOf(roots);
        this.location = location;
        this.blocks = new Overlay(stored);
    }

    /** Opens the versions in a file, which the caller closes. */
    public static CarVersions of(CarBlockStore car) {
        return new CarVersions(Objects.requireNonNull(car, "car"), car.roots(), car.location(), "the CAR");
    }

    /**
     * Opens the versions of some roots in a block store, which the caller closes.
     *
     * @param location where the blocks are, for messages
     */
    public static CarVersions of(BlockStore blocks, List<Cid> roots, String location) {
        return new CarVersions(
                Objects.requireNonNull(blocks, "blocks"),
                roots,
                Objects.requireNonNull(location, "location"),
                "the store");
    }

    /** Returns the blocks of all versions. Puts into this store stay in memory. */
    public BlockStore blocks() {
        return blocks;
    }

    /**
     * Returns the current version.
     *
     * @throws RepositoryException if the roots name no version, or several without a history
     */
    public Revision current() {
        CarRoots found = versionRoots();
        Optional<Head> head = head(found);
        List<Cid> pails = found.pails();
        if (pails.size() == 1) {
            return new Revision(location, head, Pail.open(blocks, pails.get(0)));
        }
        return new Revision(
                location,
                head,
                pailAt(head.orElseThrow(() -> absent(
                        what + " names " + pails.size() + " versions without a history",
                        "name one of them: " + pails.get(0)))));
    }

    /**
     * Returns the newest events of the current version, if it has any. Reads no shards.
     *
     * @throws RepositoryException if the roots name no version
     */
    public Optional<Head> head() {
        return head(versionRoots());
    }

    /** The roots, among which there is an event or a pail. */
    private CarRoots versionRoots() {
        if (roots.isEmpty()) {
            throw absent(what + " names no root", "name a root or an event");
        }
        CarRoots found = CarRoots.of(blocks, roots);
        if (found.events().isEmpty() && found.pails().isEmpty()) {
            throw absent(what + " holds no pail", "take its blocks into a repository");
        }
        return found;
    }

    private Optional<Head> head(CarRoots named) {
        return named.events().isEmpty()
                ? Optional.empty()
                : Optional.of(MerkleClock.open(blocks).merge(Head.empty(), Head.of(named.events())));
    }

    /**
     * Computes the version of a head from its events. That of an empty head is the empty pail of the format of the current version.
     *
     * @throws MissingBlockException if an event or a shard is not in the file
     */
    public Pail pailAt(Head head) {
        if (head.isEmpty()) {
            return Pail.create(blocks, current().pail().format());
        }
        return ReplicatedPail.open(MerkleClock.open(blocks), head, UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
    }

    /**
     * Finds the version that a text names: the CID of an event or of a root shard, {@code HEAD} for the current version, or {@code REV~N} for
     * the version N changes before the version REV, as {@link Repository#resolve} reads it.
     *
     * @throws RepositoryException if it names no version in the file, or REV, or a change before it, has several parents: the message lists them
     */
    public Revision resolve(String text) {
        Found found = find(Objects.requireNonNull(text, "text"));
        return new Revision(text, found.head, found.pail.get());
    }

    /** A version whose shards may not be read yet. */
    private record Found(Optional<Head> head, Supplier<Pail> pail) {}

    private Found find(String text) {
        StepsBack steps = StepsBack.of(text).orElse(null);
        if (steps != null) {
            Head later = find(steps.revision())
                    .head
                    .orElseThrow(() -> absent("a root without a history: " + steps.revision(), HOW));
            Head head = steps.from(later, MerkleClock.open(blocks));
            return new Found(Optional.of(head), () -> pailAt(head));
        }
        if (text.equals("HEAD")) {
            return new Found(head(), () -> current().pail());
        }
        Cid cid = cid(text);
        if (!stored.has(cid)) {
            throw absent("not in " + what + ": " + cid, HOW);
        }
        CarRoots.Kind kind;
        try {
            kind = CarRoots.kind(blocks, cid);
        } catch (MalformedBlockException e) {
            if (e.subject() != MalformedBlockException.Subject.SHARD) {
                throw e;
            }
            throw new RepositoryException(
                    RepositoryException.Reason.NO_VERSION,
                    "no root of a pail: " + e.getMessage() + ": " + location,
                    HOW,
                    e);
        }
        return switch (kind) {
            case EVENT -> new Found(Optional.of(Head.of(cid)), () -> pailAt(Head.of(cid)));
            case PAIL -> new Found(Optional.empty(), () -> Pail.open(blocks, cid));
            case VALUE -> throw absent("neither an event nor a root of a pail: " + cid, HOW);
        };
    }

    private static Cid cid(String text) {
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME, "names no version: " + Escapes.brief(text), HOW, e);
        }
    }

    /**
     * Returns the events of a head and all that they follow, as {@link VersionHistory#of(Head)} does. A CAR has no logs, so the entries
     * have no time, author or message.
     */
    public Stream<HistoryEntry> history(Head head) {
        return history(head, EventWalk.ALL);
    }

    /** As {@link #history(Head)}, but only events that change a matching key, with only these changes. */
    public Stream<HistoryEntry> history(Head head, Predicate<String> keys) {
        Objects.requireNonNull(head, "head");
        Objects.requireNonNull(keys, "keys");
        return new EventWalk(MerkleClock.open(blocks), head).entries(new EventOrigins(null), keys);
    }

    /**
     * Finds the head of the version that a text names; a root has none. Reads no shard of the version.
     *
     * @throws RepositoryException if it names no version in the file
     */
    public Optional<Head> resolveHead(String text) {
        return find(Objects.requireNonNull(text, "text")).head;
    }

    /**
     * Checks the versions in the file as {@link Repository#verify} checks those of a repository. The branch of the options is ignored.
     *
     * @throws RepositoryException if the roots name no version
     */
    public VerifyReport verify(VerifyOptions options) {
        Verifier check = new Verifier(blocks, location, Objects.requireNonNull(options, "options"));
        check.checkCar(roots, () -> current().pail().root());
        return check.finish();
    }

    private RepositoryException absent(String message, String hint) {
        return new RepositoryException(RepositoryException.Reason.NO_VERSION, message + ": " + location, hint, null);
    }
}
