package dev.pail.cli;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MalformedShardException;
import dev.pail.Pail;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarReader;
import dev.pail.car.CarRoots;
import dev.pail.car.MalformedCarException;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.Revision;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions in a CAR file. The current one is the pail among its roots, if there is one; else what follows from all events among
 * them. The order of the roots says nothing.
 */
final class CarVersions implements Versions {
    private final Path file;
    private final CarBlockStore car;
    private final Overlay blocks;
    private final @Nullable String at;

    private CarVersions(Path file, CarBlockStore car, @Nullable String at) {
        this.file = file;
        this.car = car;
        this.blocks = new Overlay(car);
        this.at = at;
    }

    static CarVersions open(Path file, @Nullable String at) {
        reader(file).close();
        return new CarVersions(file, CarBlockStore.open(file), at);
    }

    /** Opens a file to read it as a CAR: with an error of its own, if it does not even begin as one. */
    static CarReader reader(Path file) {
        try {
            return Inputs.car(file);
        } catch (MalformedCarException e) {
            throw noCar(e);
        }
    }

    /** What to say of something that does not begin as a CAR. */
    static Failure.Found noCar(MalformedCarException error) {
        return new Failure.Found(
                Exit.FAILED,
                "car-file",
                "no CAR: " + error.getMessage(),
                "give a CAR of version 1 or 2, as pail export and ipfs dag export write it");
    }

    /** What the file names as its roots. */
    List<Cid> roots() {
        return car.roots();
    }

    @Override
    public BlockStore blocks() {
        return blocks;
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
        if (at != null) {
            return find(at);
        }
        CarRoots roots = versionRoots();
        Optional<Head> head = head(roots);
        List<Cid> pails = roots.pails();
        if (pails.size() == 1) {
            return new Revision(file.toString(), head, Pail.open(blocks, pails.get(0)));
        }
        return new Revision(
                file.toString(),
                head,
                pail(head.orElseThrow(() -> new Failure.Found(
                        Exit.FAILED,
                        "no-such-version",
                        "the CAR names " + pails.size() + " versions without a history: " + file,
                        "name one of them with --at: " + pails.get(0)))));
    }

    /** The roots, among which there is an event or a pail. */
    private CarRoots versionRoots() {
        if (car.roots().isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-version",
                    "the CAR names no root: " + file,
                    "name a root or an event with --at");
        }
        CarRoots roots = CarRoots.of(blocks, car.roots());
        if (roots.events().isEmpty() && roots.pails().isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-version",
                    "the CAR holds no pail: " + file + ": " + described(roots.values()),
                    "take its blocks into a repository with: pail import FILE");
        }
        return roots;
    }

    /** What roots are that are values. */
    static String described(List<Cid> values) {
        Cid first = values.get(0);
        String codec = Codecs.described(first);
        return "its root " + first + " is " + codec
                + (first.isShardLink() ? ", and neither a shard nor an event" : "")
                + (values.size() == 1 ? "" : ", and " + (values.size() - 1) + " more are values, too");
    }

    private Pail pail(Head head) {
        return ReplicatedPail.open(MerkleClock.open(blocks), head, UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
    }

    @Override
    public Revision find(String text) {
        Cid cid = cid(text);
        CarRoots.Kind kind;
        try {
            kind = CarRoots.kind(blocks, cid);
        } catch (MalformedShardException e) {
            throw absent("no root of a pail: " + Failure.message(e));
        }
        return switch (kind) {
            case EVENT -> new Revision(text, Optional.of(Head.of(cid)), pail(Head.of(cid)));
            case PAIL -> new Revision(text, Optional.empty(), Pail.open(blocks, cid));
            case VALUE ->
                throw absent("neither an event nor a root of a pail: " + cid + " is " + Codecs.described(cid));
        };
    }

    @Override
    public Optional<Head> head() {
        if (at != null) {
            return find(at).head();
        }
        return head(versionRoots());
    }

    private Optional<Head> head(CarRoots roots) {
        return roots.events().isEmpty()
                ? Optional.empty()
                : Optional.of(MerkleClock.open(blocks).merge(Head.empty(), Head.of(roots.events())));
    }

    private Cid cid(String revision) {
        Cid cid;
        try {
            cid = Cid.parse(Values.alone(revision));
        } catch (MalformedDataException e) {
            String message = "names no version: " + Escapes.brief(revision);
            String hint = Values.hint(revision);
            throw hint == null
                    ? absent(message)
                    : new Failure.Found(Exit.USAGE, "no-such-version", message + ": " + file, hint);
        }
        if (!car.has(cid)) {
            throw absent("not in the CAR: " + cid);
        }
        return cid;
    }

    private Failure.Found absent(String message) {
        return new Failure.Found(
                Exit.FAILED,
                "no-such-version",
                message + ": " + file,
                "in a CAR file, a version is named by the CID of its root or event");
    }

    @Override
    public void close() {
        car.close();
    }
}
