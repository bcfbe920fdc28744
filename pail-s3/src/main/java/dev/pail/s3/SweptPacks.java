package dev.pail.s3;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import dev.pail.trace.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The packs as the collector sees them, each a portion. A condemned pack stays condemned: its needed blocks are copied into a new one.
 * Objects that no commit names are the last portions. Rule OS9.
 *
 * @param reading gives a block without the cache
 * @param forget empties the cache
 */
record SweptPacks(Ledger ledger, Packs packs, Function<Cid, Optional<Block>> reading, Runnable forget)
        implements SweptBlocks {
    private static final int PAGE = 1000;

    /** How many leftover objects are one portion. */
    private static final int LEFTOVERS = 256;

    @Override
    public Optional<Block> look(Cid cid) {
        return reading.apply(Objects.requireNonNull(cid, "cid"));
    }

    @Override
    public Instant clock() {
        return ledger.now();
    }

    @Override
    public Iterator<SweptBlocks.Portion> portions() {
        Homes homes = S3Blocks.found(ledger, packs, ledger.current(), state -> new Homes(state, packs));
        Stream<SweptBlocks.Portion> all = Stream.concat(homes.state.live().stream(), homes.state.trash().stream())
                .map(pack -> new PackPortion(this, homes, pack));
        return Stream.concat(all, Stream.of(homes.state).flatMap(this::leftovers))
                .iterator();
    }

    /** The newest live pack of each block, as it was when the packs were listed. */
    private static final class Homes {
        private final State state;
        private final Packs packs;
        private final Map<Cid, String> newest = new HashMap<>();

        Homes(State state, Packs packs) {
            this.state = state;
            this.packs = packs;
            for (Pack pack : state.live()) {
                packs.index(pack).inOrder().forEach(each -> newest.putIfAbsent(each.raw(), pack.name()));
            }
        }

        /** Packs that became live since. */
        List<PackIndex> since(State now) {
            return now.live().stream()
                    .filter(pack -> !state.packs().containsKey(pack.name()))
                    .map(packs::index)
                    .toList();
        }
    }

    /** What is to be done with a pack. */
    private static final class Plan {
        private Swept swept = Swept.NOTHING;
        private final List<PackIndex.Entry> copied = new ArrayList<>();

        /** Live packs in which blocks are that this one need not keep. */
        private final Set<String> relied = new HashSet<>();

        private boolean isGone;

        void add(Swept some) {
            swept = swept.plus(some);
        }
    }

    /**
     * A pack.
     *
     * @param homes of all that were listed together
     */
    private record PackPortion(SweptPacks all, Homes homes, Pack pack) implements Portion {
        @Override
        public Swept preview(SweepRule rule) {
            return S3Blocks.found(all.ledger, all.packs, homes.state, state -> preview(state, rule));
        }

        @Override
        public Swept sweep(SweepRule rule) {
            return S3Blocks.changed(all.ledger, all.packs, own -> sweep(rule, own));
        }

        private Swept preview(State state, SweepRule rule) {
            Pack now = unchanged(state);
            return now == null ? Swept.NOTHING : plan(state, now, rule).swept;
        }

        /** The pack in a newer state; null, if another collection or a merge was faster. */
        private @Nullable Pack unchanged(State state) {
            Pack now = state.packs().get(pack.name());
            return now != null && now.isLive() == pack.isLive() ? now : null;
        }

        private Swept sweep(SweepRule rule, Transaction own) {
            Pack now = unchanged(own.base());
            if (now == null) {
                return Swept.NOTHING;
            }
            Plan plan = plan(own.base(), now, rule);
            if (!plan.copied.isEmpty()) {
                copy(plan.copied, now, own);
            }
            plan.relied.forEach(own::rely);
            if (plan.isGone && now.isLive()) {
                own.condemn(now.name());
            } else if (plan.isGone) {
                own.delete(now.name());
                own.afterwards(() -> delete(all.ledger.bucket(), Keys.pack(now.name())));
            }
            own.rely(now.name());
            own.afterwards(all.forget);
            return plan.swept;
        }

        /** Copies blocks to a new pack. Those of a live pack keep their stamp; others come back from the trash now. */
        private void copy(List<PackIndex.Entry> entries, Pack from, Transaction own) {
            List<Block> blocks =
                    List.copyOf(all.packs.read(all.packs.index(from), entries).values());
            Instant stamp = from.isLive() ? from.stamp() : all.ledger.now();
            all.ledger.upload(own, PackFile.make(PackFile.newName(own.base().number() + 1), blocks, stamp));
        }

        private Plan plan(State state, Pack now, SweepRule rule) {
            Plan plan = new Plan();
            PackIndex index = all.packs.index(now);
            List<PackIndex> since = homes.since(state);
            List<PackIndex.Entry> alone = new ArrayList<>();
            for (PackIndex.Entry each : index.inOrder()) {
                String home = homes.newest.get(each.raw());
                if (home != null && !home.equals(now.name())) {
                    if (isLive(state, home)) {
                        // Counted there.
                        plan.relied.add(home);
                        continue;
                    }
                    if (!now.isLive() && !rule.isNeeded().test(each.raw())) {
                        // It went to the trash there, and is counted so.
                        continue;
                    }
                }
                String later = later(since, each);
                if (later == null) {
                    alone.add(each);
                } else {
                    plan.relied.add(later);
                    plan.add(Swept.kept(size(index, each)));
                }
            }
            if (now.isLive()) {
                planLive(plan, now, index, alone, rule);
            } else {
                planTrash(plan, now, index, alone, rule);
            }
            return plan;
        }

        private static boolean isLive(State state, String name) {
            Pack found = state.packs().get(name);
            return found != null && found.isLive();
        }

        private static @Nullable String later(List<PackIndex> since, PackIndex.Entry entry) {
            return since.stream()
                    .filter(index -> index.find(entry.raw()) != null)
                    .map(index -> index.pack().name())
                    .findFirst()
                    .orElse(null);
        }

        private static long size(PackIndex index, PackIndex.Entry entry) {
            long section = index.length(entry);
            // The length of a section is a varint, which its size does not count.
            long varint = 1;
            while (section - varint >= 1L << (7 * varint)) {
                varint++;
            }
            return section - varint - entry.raw().byteLength();
        }

        private static void planLive(
                Plan plan, Pack now, PackIndex index, List<PackIndex.Entry> alone, SweepRule rule) {
            long needed = 0;
            boolean isDue = false;
            for (PackIndex.Entry each : alone) {
                if (rule.isDue(each.raw(), now.stamp())) {
                    isDue = true;
                } else {
                    needed += index.length(each);
                }
            }
            // A pack that is mostly needed waits until more of it is not.
            plan.isGone = isDue && needed <= now.index() / 2;
            for (PackIndex.Entry each : alone) {
                boolean isKept = !rule.isDue(each.raw(), now.stamp());
                if (plan.isGone && isKept) {
                    plan.copied.add(each);
                }
                plan.add(plan.isGone && !isKept ? Swept.moved(size(index, each)) : Swept.kept(size(index, each)));
            }
        }

        private static void planTrash(
                Plan plan, Pack now, PackIndex index, List<PackIndex.Entry> alone, SweepRule rule) {
            plan.isGone = now.since().isBefore(rule.before());
            for (PackIndex.Entry each : alone) {
                long size = size(index, each);
                if (rule.isNeeded().test(each.raw())) {
                    plan.copied.add(each);
                    plan.add(Swept.restored(size));
                } else {
                    plan.add(plan.isGone ? Swept.deleted(size) : Swept.waiting(size));
                }
            }
            if (plan.isGone && !plan.swept.isChange()) {
                // All of it is elsewhere, too: at least one block is deleted here.
                plan.add(Swept.deleted(0));
            }
        }
    }

    private static void delete(Bucket bucket, String key) {
        try {
            bucket.delete(key);
        } catch (StoreIOException e) {
            // No commit names it, so the next collection deletes it.
            Trace.swallowed("an object is not deleted: " + key, e);
        }
    }

    /** The packs that no commit names: of writers that stopped, and those that were merged. */
    private Stream<SweptBlocks.Portion> leftovers(State state) {
        List<SweptBlocks.Portion> portions = new ArrayList<>();
        List<Bucket.Listed> some = new ArrayList<>();
        String last = Keys.PACKS;
        while (true) {
            List<Bucket.Listed> page = ledger.bucket().list(Keys.PACKS, last, PAGE);
            for (Bucket.Listed each : page) {
                String name = Keys.packName(each.key());
                if (name != null && !state.packs().containsKey(name)) {
                    some.add(each);
                }
                last = each.key();
                if (some.size() == LEFTOVERS) {
                    portions.add(new Leftovers(this, List.copyOf(some)));
                    some.clear();
                }
            }
            if (page.size() < PAGE) {
                if (!some.isEmpty()) {
                    portions.add(new Leftovers(this, List.copyOf(some)));
                }
                return portions.stream();
            }
        }
    }

    /** Objects that no commit named when they were listed. Each counts as a block. */
    private record Leftovers(SweptPacks all, List<Bucket.Listed> objects) implements Portion {
        @Override
        public Swept preview(SweepRule rule) {
            return objects.stream()
                    .map(each -> each.modified().isBefore(rule.before()) ? Swept.deleted(each.size()) : Swept.NOTHING)
                    .reduce(Swept.NOTHING, Swept::plus);
        }

        /** Takes them away by a commit first, so that no writer that has slept names one of them any more. */
        @Override
        public Swept sweep(SweepRule rule) {
            return S3Blocks.changed(all.ledger, all.packs, own -> {
                Swept sum = Swept.NOTHING;
                for (Bucket.Listed each : objects) {
                    String name = Objects.requireNonNull(Keys.packName(each.key()));
                    if (each.modified().isBefore(rule.before())
                            && !own.base().packs().containsKey(name)) {
                        own.forget(name);
                        own.afterwards(() -> delete(all.ledger.bucket(), each.key()));
                        sum = sum.plus(Swept.deleted(each.size()));
                    }
                }
                return sum;
            });
        }
    }
}
