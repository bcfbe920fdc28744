package dev.pail.s3;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.spi.RecordErasures;
import dev.pail.repository.spi.RefRecords;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The erasures of a repository: marks are records in commits. The commit of an erasure puts packs without the blocks in the place of those
 * with them; only then are the objects deleted, and the next commit says so. Rule OS17.
 */
final class S3Erasures extends RecordErasures {
    /** How long a process may answer from its cache without a look for newer commits. */
    private static final long MOST_AGE_NANOS = 5_000_000_000L;

    private static final int PAGE = 1000;

    private final Ledger ledger;
    private final Packs packs;
    private final Runnable forget;

    private volatile Seen seen;

    /**
     * The marks of a state.
     *
     * @param marks the names of their pages, with the commit of each
     * @param at when it was looked for the state, in nanoseconds
     */
    private record Seen(State state, List<String> marks, long at) {}

    /** @param forget empties the cache of blocks */
    S3Erasures(Ledger ledger, Packs packs, Runnable forget) {
        super(new Known(ledger), ledger.location());
        this.ledger = ledger;
        this.packs = packs;
        this.forget = forget;
        this.seen = new Seen(State.EMPTY, List.of(), System.nanoTime());
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // An equal state would do, too, but takes long to compare.
    protected Object version() {
        Transaction own = ledger.transaction();
        if (own != null) {
            return marks(own.base());
        }
        Seen last = seen;
        long now = System.nanoTime();
        boolean isOld = now - last.at > MOST_AGE_NANOS;
        State state = isOld ? ledger.current() : ledger.known();
        if (isOld || last.state != state) {
            last = new Seen(state, marks(state), isOld ? now : last.at);
            seen = last;
        }
        return last.marks;
    }

    private static List<String> marks(State state) {
        return state.records().tailMap(PAGES).entrySet().stream()
                .takeWhile(each -> each.getKey().startsWith(PAGES))
                .map(each -> each.getKey() + " " + each.getValue().commit())
                .toList();
    }

    @Override
    protected boolean isInUpdate() {
        return ledger.transaction() != null;
    }

    @Override
    protected void changed() {
        forget.run();
    }

    @Override
    public List<Erasure> all() {
        look();
        return super.all();
    }

    @Override
    public List<Cid> left() {
        look();
        return super.left();
    }

    /** Makes the newest commits known. In an update, its own state counts. */
    private void look() {
        State unused = state();
    }

    @Override
    public Set<Cid> stored(Set<Cid> cids) {
        return S3Blocks.found(ledger, packs, state(), state -> stored(state, cids));
    }

    private Set<Cid> stored(State state, Set<Cid> cids) {
        Set<Cid> found = new TreeSet<>();
        for (Pack pack : state.inOrder()) {
            packs.index(pack).inOrder().forEach(each -> addIf(cids, each.raw(), found));
        }
        for (Bucket.Listed each : leftovers(state)) {
            indexOf(each).ifPresent(index -> index.inOrder().forEach(entry -> addIf(cids, entry.raw(), found)));
        }
        return found;
    }

    private static void addIf(Set<Cid> cids, Cid cid, Set<Cid> found) {
        if (cids.contains(cid)) {
            found.add(cid);
        }
    }

    private State state() {
        Transaction own = ledger.transaction();
        return own == null ? ledger.current() : own.base();
    }

    @Override
    protected void remove(Set<Cid> marked) {
        boolean unused = S3Blocks.changed(ledger, packs, own -> {
            remove(marked, own);
            return true;
        });
    }

    private void remove(Set<Cid> marked, Transaction own) {
        List<String> gone = new ArrayList<>();
        // Before the new packs are there, which no commit names yet.
        for (Bucket.Listed each : leftovers(own.base())) {
            Optional<PackIndex> index = indexOf(each);
            if (index.isEmpty() || index.get().inOrder().stream().anyMatch(entry -> marked.contains(entry.raw()))) {
                String name = Objects.requireNonNull(Keys.packName(each.key()));
                own.forget(name);
                gone.add(name);
            }
        }
        for (Pack pack : own.base().inOrder()) {
            List<PackIndex.Entry> all = packs.index(pack).inOrder();
            List<PackIndex.Entry> kept =
                    all.stream().filter(each -> !marked.contains(each.raw())).toList();
            if (kept.size() < all.size()) {
                replace(pack, kept, own);
                gone.add(pack.name());
            }
        }
        own.afterwards(() -> {
            gone.forEach(name -> ledger.delete(Keys.pack(name)));
            boolean unused = S3Blocks.changed(ledger, packs, next -> {
                removed(marked);
                return true;
            });
            forget.run();
        });
    }

    /** Puts a pack with some blocks in the place of one. */
    private void replace(Pack pack, List<PackIndex.Entry> kept, Transaction own) {
        own.merge(pack.name());
        if (kept.isEmpty()) {
            return;
        }
        List<Block> blocks = List.copyOf(packs.read(packs.index(pack), kept).values());
        PackFile.Made made = PackFile.make(PackFile.newName(own.base().number() + 1), blocks, pack.stamp());
        Instant condemned = pack.condemned();
        ledger.upload(
                own, condemned == null ? made : new PackFile.Made(made.pack().condemned(condemned), made.bytes()));
    }

    /** The packs that a state does not name. */
    private List<Bucket.Listed> leftovers(State state) {
        List<Bucket.Listed> all = new ArrayList<>();
        String last = Keys.PACKS;
        while (true) {
            List<Bucket.Listed> page = ledger.bucket().list(Keys.PACKS, last, PAGE);
            for (Bucket.Listed each : page) {
                String name = Keys.packName(each.key());
                if (name != null && !state.packs().containsKey(name)) {
                    all.add(each);
                }
                last = each.key();
            }
            if (page.size() < PAGE) {
                return all;
            }
        }
    }

    private Optional<PackIndex> indexOf(Bucket.Listed object) {
        String name = Objects.requireNonNull(Keys.packName(object.key()));
        try {
            return PackFile.look(ledger.bucket(), name, object.modified()).map(packs::index);
        } catch (Packs.MissingPackException e) {
            // A collection has deleted it since.
            return Optional.empty();
        }
    }

    /** The records of the state that is known, without a request. */
    private record Known(Ledger ledger) implements RefRecords {
        @Override
        public Optional<Map.Entry<Long, byte[]>> newest(String name) {
            Transaction own = ledger.transaction();
            Optional<Commit.Written> found = own != null
                    ? own.newest(name)
                    : Optional.ofNullable(ledger.known().records().get(name)).map(State.Newest::record);
            return found.map(record -> Map.entry(record.number(), record.content()));
        }

        @Override
        public Optional<byte[]> read(String name, long number) {
            return newest(name).filter(found -> found.getKey() == number).map(Map.Entry::getValue);
        }

        @Override
        public boolean create(String name, long number, byte[] content) {
            return Objects.requireNonNull(ledger.transaction()).write(name, number, content);
        }

        @Override
        public List<String> names(String prefix) {
            Transaction own = ledger.transaction();
            return own != null
                    ? new ArrayList<>(own.names(prefix))
                    : ledger.known().records().tailMap(prefix).keySet().stream()
                            .takeWhile(name -> name.startsWith(prefix))
                            .toList();
        }
    }
}
