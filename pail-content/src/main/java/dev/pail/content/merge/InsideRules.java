package dev.pail.content.merge;

import dev.pail.Conflict;
import dev.pail.MergeRules;
import dev.pail.Pail;
import java.util.List;

/** Rules that leave all but the values of conflicts to other rules. */
abstract class InsideRules implements MergeRules {
    InsideRules() {}

    /** The rules for some versions. */
    abstract MergeRules below(Pail... versions);

    @Override
    public Outcome repair(Pail merged, Pail before) {
        return below(merged).repair(merged, before);
    }

    @Override
    public Pail withoutStrays(Pail replayed) {
        return below(replayed).withoutStrays(replayed);
    }

    @Override
    public List<? extends Conflict> describe(Pail pail, List<? extends Conflict> conflicts) {
        return below(pail).describe(pail, conflicts);
    }
}
