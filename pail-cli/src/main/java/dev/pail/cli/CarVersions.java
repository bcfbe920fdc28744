package dev.pail.cli;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MalformedShardException;
import dev.pail.Pail;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarReader;
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

/** The versions in a CAR file. The current one is its first root, or, if that is an event, what follows from all its events. */
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
        return new Failure.Found(Exit.FAILED, "car", "no CAR: " + error.getMessage(), null);
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
        List<Cid> roots = car.roots();
        if (roots.isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED, "revision", "the CAR names no root: " + file, "name a root or an event with --at");
        }
        Cid first = roots.get(0);
        Optional<Head> head = head();
        Pail pail = head.isPresent() && Roots.isEvent(blocks, first) ? pail(head.get()) : Pail.open(blocks, first);
        return new Revision(file.toString(), head, pail);
    }

    private Pail pail(Head head) {
        return ReplicatedPail.open(MerkleClock.open(blocks), head, UnrelatedHistories.MERGE_FROM_EMPTY)
                .pail();
    }

    @Override
    public Revision find(String text) {
        Cid cid = cid(text);
        if (Roots.isEvent(blocks, cid)) {
            return new Revision(text, Optional.of(Head.of(cid)), pail(Head.of(cid)));
        }
        try {
            return new Revision(text, Optional.empty(), Pail.open(blocks, cid));
        } catch (MalformedShardException e) {
            throw absent("neither an event nor a root: " + cid);
        }
    }

    @Override
    public Optional<Head> head() {
        if (at != null) {
            return find(at).head();
        }
        List<Cid> events = Roots.of(blocks, car.roots()).events();
        return events.isEmpty()
                ? Optional.empty()
                : Optional.of(MerkleClock.open(blocks).merge(Head.empty(), Head.of(events)));
    }

    private Cid cid(String revision) {
        Cid cid;
        try {
            cid = Cid.parse(revision);
        } catch (MalformedDataException e) {
            throw absent("names no version: " + Escapes.brief(revision));
        }
        if (!car.has(cid)) {
            throw absent("not in the CAR: " + cid);
        }
        return cid;
    }

    private Failure.Found absent(String message) {
        return new Failure.Found(
                Exit.FAILED,
                "revision",
                message + ": " + file,
                "in a CAR file, a version is named by the CID of its root or event");
    }

    @Override
    public void close() {
        car.close();
    }
}
