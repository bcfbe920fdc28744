package dev.pail.content.merge;

import dev.pail.Batch;
import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.OperationInterruptedException;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.table.TableConflict;
import dev.pail.table.TableException;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** Two sides of a merge whose conflicts are merged inside, as far as that can be done. The rules below do all else. */
final class InsideMerge implements MergeRules.Comparison {
    /** The most bytes of values that one merge makes, because it holds them. Conflicts behind stay open. Rule VM2. */
    private static final long MOST_MADE = 64 << 20;

    private final MergeRules.Comparison below;
    private final BlockStore blocks;
    private final List<Conflict> open = new ArrayList<>();
    private final SortedMap<String, Block> merged = new TreeMap<>();

    /** @param kinds returns what may be merged inside the value of a conflict */
    InsideMerge(
            MergeRules.Comparison below,
            Pail base,
            Pail ours,
            Pail theirs,
            Function<? super Conflict, Set<ValueKind>> kinds) {
        this.below = below;
        this.blocks = ours.blocks();
        long made = 0;
        for (Conflict conflict : below.conflicts()) {
            OperationInterruptedException.check("a merge of values");
            Optional<Block> block =
                    made > MOST_MADE ? Optional.empty() : merged(kinds.apply(conflict), conflict, base, ours, theirs);
            made += block.map(Block::size).orElse(0);
            block.ifPresentOrElse(value -> merged.put(conflict.key(), value), () -> open.add(conflict));
        }
    }

    private static Optional<Block> merged(Set<ValueKind> kinds, Conflict conflict, Pail base, Pail ours, Pail theirs) {
        if (kinds.isEmpty() || conflict.ours().isEmpty() || conflict.theirs().isEmpty()) {
            return Optional.empty();
        }
        if (conflict instanceof TableConflict found && found.table().isPresent()) {
            return kinds.contains(ValueKind.ROWS) ? row(found, base, ours, theirs) : Optional.empty();
        }
        return merged(kinds, conflict, base.blocks(), ours.blocks(), theirs.blocks());
    }

    /** The value of a key that is not of a table. */
    static Optional<Block> merged(
            Set<ValueKind> kinds, Conflict conflict, BlockStore base, BlockStore ours, BlockStore theirs) {
        if (conflict.ours().isEmpty() || conflict.theirs().isEmpty()) {
            return Optional.empty();
        }
        if (Tables.mayHave(conflict.key()) && conflict.ours().get().codec() == Cid.DAG_CBOR) {
            // It may declare a table, or be a row of one that this program cannot read.
            return Optional.empty();
        }
        Optional<ReadValue> before = conflict.base().flatMap(value -> ReadValue.of(base, value));
        Optional<ReadValue> left = ReadValue.of(ours, conflict.ours().get());
        Optional<ReadValue> right = ReadValue.of(theirs, conflict.theirs().get());
        if (before.isPresent() != conflict.base().isPresent() || left.isEmpty() || right.isEmpty()) {
            return Optional.empty();
        }
        // All replicas merge in one order, so that they make the same value.
        boolean isOursFirst = conflict.ours().get().compareTo(conflict.theirs().get()) < 0;
        return MergedValue.of(kinds, before, (isOursFirst ? left : right).get(), (isOursFirst ? right : left).get());
    }

    /** Rule VM6. */
    private static Optional<Block> row(TableConflict conflict, Pail base, Pail ours, Pail theirs) {
        String table = conflict.table().orElseThrow();
        String id = conflict.row().orElse(null);
        try {
            if (id == null || !isRow(ours, table, id, conflict.key()) || !isRow(theirs, table, id, conflict.key())) {
                return Optional.empty();
            }
            Optional<Document> before = conflict.base().map(value -> Document.read(base.blocks(), value));
            Document left = Document.read(ours.blocks(), conflict.ours().orElseThrow());
            Document right = Document.read(theirs.blocks(), conflict.theirs().orElseThrow());
            return Document.merge(before, left, right).map(Document::block);
        } catch (BlockException | TableException e) {
            // As with rule R11: the row is a conflict.
            return Optional.empty();
        }
    }

    /** A number can have one table in ours and another one in theirs: their rows are not of one table. */
    private static boolean isRow(Pail side, String table, String id, String key) {
        return Tables.of(side)
                .find(table)
                .filter(found -> found.key(id).equals(key))
                .isPresent();
    }

    @Override
    public List<Conflict> conflicts() {
        return List.copyOf(open);
    }

    @Override
    public MergeRules.Outcome by(MergePolicy policy) {
        if (policy.isFailing() && !open.isEmpty()) {
            throw new MergeConflictException(open);
        }
        // Before the rules below, which may read them.
        blocks.putAll(List.copyOf(merged.values()));
        return decided(below.by(MergePolicy.resolve(conflict -> value(policy, conflict))));
    }

    private Optional<Cid> value(MergePolicy policy, Conflict conflict) {
        Block made = merged.get(conflict.key());
        if (made != null) {
            return Optional.of(made.cid());
        }
        // A key that is no conflict of the rules below, which decide it later.
        return policy.isFailing() ? conflict.ours() : policy.value(conflict);
    }

    @Override
    public MergeRules.Outcome onto(Pail replayed) {
        Objects.requireNonNull(replayed, "merged");
        if (merged.isEmpty()) {
            return below.onto(replayed);
        }
        replayed.blocks().putAll(List.copyOf(merged.values()));
        Batch batch = replayed.batch();
        merged.forEach((key, block) -> batch.put(key, block.cid()));
        return decided(below.onto(batch.commit()));
    }

    private MergeRules.Outcome decided(MergeRules.Outcome made) {
        if (merged.isEmpty()) {
            return made;
        }
        List<String> all = new ArrayList<>(made.decided());
        all.addAll(merged.keySet());
        return new MergedValues(made, all);
    }
}
