package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarReader;
import dev.pail.car.CarRoots;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.text.Codecs;
import dev.pail.cli.text.Values;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.CarVersions;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The versions in a CAR file, or one behind a gateway, as a command reads them. */
public final class CarFile implements Versions {
    private final String place;
    private final BlockStore stored;
    private final List<Cid> roots;
    private final CarVersions versions;
    private final @Nullable String at;

    private CarFile(String place, BlockStore stored, List<Cid> roots, CarVersions versions, @Nullable String at) {
        this.place = place;
        this.stored = stored;
        this.roots = roots;
        this.versions = versions;
        this.at = at;
    }

    static CarFile open(Path file, @Nullable String at) {
        reader(file).close();
        CarBlockStore car = CarBlockStore.open(file);
        return new CarFile(file.toString(), car, car.roots(), CarVersions.of(car), at);
    }

    /** Opens the version of a root. */
    static CarFile open(String place, BlockStore blocks, Cid root, @Nullable String at) {
        List<Cid> roots = List.of(root);
        return new CarFile(place, blocks, roots, CarVersions.of(blocks, roots, place), at);
    }

    /** Opens a file to read it as a CAR: with an error of its own, if it does not even begin as one. */
    public static CarReader reader(Path file) {
        try {
            return Inputs.car(file);
        } catch (MalformedDataException e) {
            throw noCar(e);
        }
    }

    /** What to say of something that does not begin as a CAR. */
    public static Failure.Found noCar(MalformedDataException error) {
        return new Failure.Found(
                Exit.FAILED,
                "car-file",
                "no CAR: " + error.source().orElse("") + ": " + error.rule() + " (at offset " + error.offset() + ")",
                "give a CAR of version 1 or 2, as pail export and ipfs dag export write it");
    }

    @Override
    public BlockStore blocks() {
        return versions.blocks();
    }

    @Override
    public Cid root() {
        return pail().root();
    }

    @Override
    public Pail pail() {
        return revision().pail();
    }

    @Override
    public Revision revision() {
        return at == null ? explained(versions::current) : find(at);
    }

    @Override
    public Optional<Head> head() {
        return at == null ? explained(versions::head) : find(at).head();
    }

    /** The versions, as the library reads them. */
    CarVersions versions() {
        return versions;
    }

    /** Checks the versions in the file. */
    public VerifyReport verify(VerifyOptions options) {
        return explained(() -> versions.verify(options));
    }

    /** What an action gives; if the roots name no version, the failure says what to do. */
    private <T> T explained(Supplier<T> action) {
        try {
            return action.get();
        } catch (RepositoryException e) {
            String message = Failure.message(e);
            String hint = "name a root or an event with --at";
            if (!roots.isEmpty()) {
                CarRoots named = CarRoots.of(blocks(), roots);
                boolean hasPails = !named.pails().isEmpty();
                message += hasPails ? "" : ": " + described(named.values());
                hint = hasPails
                        ? "name one of them with --at: " + named.pails().get(0)
                        : "take its blocks into a repository with: pail import FILE";
            }
            throw new Failure.Found(Exit.FAILED, e.code(), message, hint);
        }
    }

    /** What roots are that are values. */
    public static String described(List<Cid> values) {
        Cid first = values.get(0);
        String codec = Codecs.described(first);
        return "its root " + first + " is " + codec
                + (first.isShardLink() ? ", and neither a shard nor an event" : "")
                + (values.size() == 1 ? "" : ", and " + (values.size() - 1) + " more are values, too");
    }

    @Override
    public Revision find(String text) {
        Revision found = named(text, versions::resolve);
        return new Revision(text, found.head(), found.pail());
    }

    @Override
    public Optional<Head> headOf(String text) {
        return named(text, versions::resolveHead);
    }

    @Override
    public OptionalLong openConflicts() {
        return OptionalLong.empty();
    }

    @Override
    public Pail pailAt(Head head) {
        return versions.pailAt(head);
    }

    @Override
    public Stream<HistoryEntry> history(Head head, @Nullable Predicate<String> keys) {
        return keys == null ? versions.history(head) : versions.history(head, keys);
    }

    private <T> T named(String text, Function<String, T> find) {
        String name = Values.alone(text);
        Cid cid = Values.cid(name);
        try {
            return find.apply(name);
        } catch (RepositoryException e) {
            if (e.reason() == RepositoryException.Reason.AMBIGUOUS) {
                throw e;
            }
            if (e.reason() == RepositoryException.Reason.NAME) {
                String hint = Values.hint(text);
                String message = Failure.message(e) + ": " + place;
                throw hint == null ? absent(message) : new Failure.Found(Exit.USAGE, "no-such-version", message, hint);
            }
            if (cid != null && stored.has(cid) && e.getCause() == null) {
                throw absent("neither an event nor a root of a pail: " + cid + " is " + Codecs.described(cid) + ": "
                        + place);
            }
            throw absent(Failure.message(e));
        }
    }

    private static Failure.Found absent(String message) {
        return new Failure.Found(
                Exit.FAILED,
                "no-such-version",
                message,
                "a version here is HEAD, the CID of a root or an event, or REVISION~N");
    }

    @Override
    public void close() {
        stored.close();
    }
}
