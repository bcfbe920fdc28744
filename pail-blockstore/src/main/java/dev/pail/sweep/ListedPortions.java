package dev.pail.sweep;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.CollectableBlocks.Listed;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** A list of blocks, cut into portions. */
record ListedPortions(CollectableBlocks blocks) implements SweptBlocks {
    private static final int PORTION = 256;

    @Override
    public Optional<Block> look(Cid cid) {
        return blocks.look(Objects.requireNonNull(cid, "cid"));
    }

    @Override
    public Instant clock() {
        return blocks.clock();
    }

    @Override
    public Iterator<SweptBlocks.Portion> portions() {
        List<Listed> all = blocks.list();
        return IntStream.range(0, (all.size() + PORTION - 1) / PORTION)
                .mapToObj(i -> all.subList(i * PORTION, Math.min(all.size(), (i + 1) * PORTION)))
                .map(part -> (SweptBlocks.Portion) new Portion(blocks, part))
                .iterator();
    }

    private enum Mode {
        PREVIEW,
        SWEEP
    }

    private record Portion(CollectableBlocks blocks, List<Listed> part) implements SweptBlocks.Portion {
        @Override
        public Swept preview(SweepRule rule) {
            return swept(Objects.requireNonNull(rule, "rule"), Mode.PREVIEW);
        }

        @Override
        public Swept sweep(SweepRule rule) {
            return swept(Objects.requireNonNull(rule, "rule"), Mode.SWEEP);
        }

        private Swept swept(SweepRule rule, Mode mode) {
            return part.stream()
                    .map(each -> each.isCondemned() ? condemned(each, rule, mode) : kept(each, rule, mode))
                    .reduce(Swept.NOTHING, Swept::plus);
        }

        private Swept kept(Listed block, SweepRule rule, Mode mode) {
            boolean isDue = rule.isDue(block.cid(), block.time());
            return isDue && (mode == Mode.PREVIEW || blocks.condemn(block))
                    ? Swept.moved(block.size())
                    : Swept.kept(block.size());
        }

        private Swept condemned(Listed block, SweepRule rule, Mode mode) {
            if (rule.isNeeded().test(block.cid())) {
                boolean isRestored = mode == Mode.PREVIEW || blocks.restore(block);
                return isRestored ? Swept.restored(block.size()) : Swept.kept(block.size());
            }
            boolean isOld = block.time().isBefore(rule.before());
            return isOld && (mode == Mode.PREVIEW || blocks.remove(block))
                    ? Swept.deleted(block.size())
                    : Swept.waiting(block.size());
        }
    }
}
