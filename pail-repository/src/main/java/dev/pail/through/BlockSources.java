package dev.pail.through;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.ipld.Cid;
import dev.pail.remote.Remote;
import dev.pail.repository.spi.BlockSource;
import dev.pail.repository.update.Arrived;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several places for blocks, such as the remotes of a repository. Each is asked for what those before it do not have, and opened when it is
 * needed first. One that cannot be reached is not asked again. Safe for use by several threads.
 *
 * <pre>{@code
 * Remote remote = HttpRemote.open("https://pail.example.org", Optional.of(token));
 * try (BlockSources places = BlockSources.of(Map.of("origin", () -> RemoteReads.of(remote)), BlockSources.Listener.NONE)) {
 *     VerifyReport report = repository.readingThrough(places).verify(VerifyOptions.DEFAULT.withAllVersions().withValues());
 *     System.out.println(places.fetched() + " blocks were missing or damaged, and are back");
 * }
 * }</pre>
 */
public final class BlockSources implements BlockSource {
    /** After as many values in succession that no place has, single ones are not asked for any more: they were never there. */
    private static final int MOST_IN_VAIN = 64;

    /** Takes notice of what was fetched, in the thread that reads. */
    public interface Listener {
        /** Takes no notice. */
        Listener NONE = new Listener() {};

        /**
         * Some blocks that a reader needed came from a place.
         *
         * @param blocks their number, with those that came ahead
         * @param first the first of them that was asked for
         */
        default void fetched(String place, Cid first, int blocks) {
            Objects.requireNonNull(place, "place");
            Objects.requireNonNull(first, "first");
        }

        /** A place cannot be reached, or refuses. Told once for each. */
        default void unreachable(String place, PailException cause) {
            Objects.requireNonNull(place, "place");
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** Those that were not opened yet, by their names. */
    @GuardedBy("this")
    private final Map<String, Supplier<? extends BlockSource>> closed;

    @GuardedBy("this")
    private final Map<String, BlockSource> open = new LinkedHashMap<>();

    private final Listener listener;

    /** How many blocks were asked for alone, in succession, that no place has. */
    @GuardedBy("this")
    private int inVain;

    @GuardedBy("this")
    private long fetched;

    @GuardedBy("this")
    private @Nullable PailException failure;

    private BlockSources(Map<String, ? extends Supplier<? extends BlockSource>> places, Listener listener) {
        this.closed = new LinkedHashMap<>(places);
        this.listener = listener;
    }

    /**
     * Makes one source of several places.
     *
     * @param places by their names, in the order in which they are asked
     */
    public static BlockSources of(Map<String, ? extends Supplier<? extends BlockSource>> places, Listener listener) {
        return new BlockSources(Objects.requireNonNull(places, "places"), Objects.requireNonNull(listener, "listener"));
    }

    /** Returns those of some blocks that a source has, and keeps none of them. */
    public static Set<Cid> which(BlockSource source, Set<Cid> cids) {
        Objects.requireNonNull(source, "source");
        List<Cid> due = List.copyOf(Objects.requireNonNull(cids, "cids"));
        Set<Cid> found = new HashSet<>();
        for (int at = 0; at < due.size(); at += Remote.MAX_BLOCKS) {
            List<Cid> portion = due.subList(at, Math.min(due.size(), at + Remote.MAX_BLOCKS));
            Arrived arrived = new Arrived(portion, blocks -> {});
            source.fetch(portion, arrived);
            found.addAll(arrived.wanted().keySet());
        }
        return found;
    }

    /** Returns how many blocks came so far. */
    public synchronized long fetched() {
        return fetched;
    }

    /** Returns why a place was not asked any more, the last one if there are several. */
    public synchronized Optional<PailException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void fetch(List<Cid> cids, BlockStore target) {
        Objects.requireNonNull(target, "target");
        List<Cid> missing = List.copyOf(cids);
        if (isInVain(missing)) {
            return;
        }
        int asked = missing.size();
        for (Iterator<String> names = names().iterator(); !missing.isEmpty() && names.hasNext(); ) {
            missing = fetch(names.next(), missing, target);
        }
        if (asked == 1) {
            note(missing.isEmpty());
        }
    }

    private synchronized boolean isInVain(List<Cid> cids) {
        return cids.size() == 1 && inVain >= MOST_IN_VAIN && cids.get(0).codec() == Cid.RAW;
    }

    private synchronized void note(boolean isFound) {
        inVain = isFound ? 0 : inVain + 1;
    }

    private synchronized List<String> names() {
        List<String> names = new ArrayList<>(open.keySet());
        names.addAll(closed.keySet());
        return names;
    }

    /** Fetches from one place, and returns what it does not have. */
    private List<Cid> fetch(String name, List<Cid> missing, BlockStore target) {
        try {
            BlockSource source = source(name);
            if (source == null) {
                return missing;
            }
            Arrived arrived = new Arrived(missing, target::putAll);
            try {
                source.fetch(missing, arrived);
            } finally {
                arrived(name, arrived);
            }
            return arrived.missing();
        } catch (PailException e) {
            forget(name, e);
            listener.unreachable(name, e);
            return missing;
        }
    }

    private synchronized @Nullable BlockSource source(String name) {
        Supplier<? extends BlockSource> place = closed.remove(name);
        if (place != null) {
            open.put(name, place.get());
        }
        return open.get(name);
    }

    private void arrived(String name, Arrived arrived) {
        synchronized (this) {
            fetched += arrived.count();
        }
        arrived.wanted().keySet().stream()
                .findFirst()
                .ifPresent(first -> listener.fetched(name, first, arrived.count()));
    }

    private synchronized void forget(String name, PailException cause) {
        failure = cause;
        BlockSource source = open.remove(name);
        if (source != null) {
            source.close();
        }
    }

    /** Closes the places that were opened. */
    @Override
    public synchronized void close() {
        open.values().forEach(BlockSource::close);
        open.clear();
        closed.clear();
    }
}
