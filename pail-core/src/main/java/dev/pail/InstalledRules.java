package dev.pail;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The rules of all modules that are on the class path or module path. The first of them, by
 * class name, that concern a version merge it. If none do,
 * each key is merged alone, unless a version has tables.
 */
final class InstalledRules implements MergeRules {
    static final InstalledRules RULES =
            new InstalledRules(ServiceLoader.load(MergeRules.class, MergeRules.class.getClassLoader()).stream()
                    .sorted(Comparator.comparing(each -> each.type().getName()))
                    .map(ServiceLoader.Provider::get)
                    .toList());

    private final List<MergeRules> all;

    InstalledRules(List<MergeRules> all) {
        this.all = List.copyOf(all);
    }

    /**
     * The rules for some versions.
     *
     * @throws NoMergeRulesException if one has tables that no rules concern
     */
    private MergeRules of(Pail... versions) {
        for (MergeRules each : all) {
            for (Pail version : versions) {
                if (each.concern(version)) {
                    return each;
                }
            }
        }
        for (Pail version : versions) {
            Optional<String> table = TableKeys.declaration(version);
            if (table.isPresent()) {
                throw NoMergeRulesException.ofTable(table.get());
            }
        }
        return KeyRules.RULES;
    }

    /** A version with tables counts, so that a merge of it is refused if no rules concern it. */
    @Override
    public boolean concern(Pail pail) {
        Objects.requireNonNull(pail, "pail");
        return all.stream().anyMatch(each -> each.concern(pail))
                || TableKeys.declaration(pail).isPresent();
    }

    @Override
    public boolean concern(String key) {
        Objects.requireNonNull(key, "key");
        return all.stream().anyMatch(each -> each.concern(key)) || TableKeys.mayHave(key);
    }

    @Override
    public Comparison compare(Pail base, Side ours, Side theirs) {
        Objects.requireNonNull(base, "base");
        return of(base, ours.pail(), theirs.pail()).compare(base, ours, theirs);
    }

    /** A version that is not the merge of two others needs no rules, so tables without rules are no reason to refuse it. */
    @Override
    public Outcome repair(Pail merged, Pail before) {
        Objects.requireNonNull(merged, "merged");
        Objects.requireNonNull(before, "before");
        return concerned(merged).repair(merged, before);
    }

    @Override
    public Pail withoutStrays(Pail replayed) {
        Objects.requireNonNull(replayed, "replayed");
        return concerned(replayed).withoutStrays(replayed);
    }

    @Override
    public List<? extends Conflict> describe(Pail pail, List<? extends Conflict> conflicts) {
        return concerned(pail).describe(pail, conflicts);
    }

    private MergeRules concerned(Pail version) {
        return all.stream().filter(each -> each.concern(version)).findFirst().orElse(KeyRules.RULES);
    }
}
