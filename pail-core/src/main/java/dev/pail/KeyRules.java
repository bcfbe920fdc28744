package dev.pail;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The rules of a map whose keys do not depend on each other. */
final class KeyRules implements MergeRules {
    static final KeyRules RULES = new KeyRules();

    private KeyRules() {}

    record Version(Pail pail, Supplier<Stream<Step>> supplier) implements Side {
        Version {
            Objects.requireNonNull(pail, "pail");
            Objects.requireNonNull(supplier, "steps");
        }

        @Override
        public Stream<Step> steps() {
            return supplier.get();
        }
    }

    private record Unchanged(Pail pail) implements Outcome {
        Unchanged {
            Objects.requireNonNull(pail, "merged");
        }

        @Override
        public List<String> notes() {
            return List.of();
        }
    }

    private record Keys(Pail base, Pail ours, Pail theirs) implements Comparison {
        Keys {
            Objects.requireNonNull(base, "base");
        }

        @Override
        public List<Conflict> conflicts() {
            return base.conflicts(ours, theirs);
        }

        @Override
        public Outcome by(MergePolicy policy) {
            return new Unchanged(Pail.merge(base, ours, theirs, policy));
        }

        @Override
        public Outcome onto(Pail merged) {
            return new Unchanged(merged);
        }
    }

    @Override
    public boolean concern(Pail pail) {
        Objects.requireNonNull(pail, "pail");
        return false;
    }

    @Override
    public boolean concern(String key) {
        Objects.requireNonNull(key, "key");
        return false;
    }

    @Override
    public Comparison compare(Pail base, Side ours, Side theirs) {
        Objects.requireNonNull(ours, "ours");
        Objects.requireNonNull(theirs, "theirs");
        return new Keys(base, ours.pail(), theirs.pail());
    }

    @Override
    public Outcome repair(Pail merged, Pail before) {
        Objects.requireNonNull(before, "before");
        return new Unchanged(merged);
    }

    @Override
    public Pail withoutStrays(Pail replayed) {
        return Objects.requireNonNull(replayed, "replayed");
    }
}
