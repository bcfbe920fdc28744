package dev.pail.bench;

import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One change of a map, which makes a version.
 *
 * @param value the new value of the key; null, if the key is removed
 */
record Step(String key, @Nullable Cid value) {
    private static final long SEED = 20240702;

    /** Which changes are made. All keys are of {@link KeySet#W1}, and the value of each change is that of its number. */
    enum Load {
        PUTS("puts") {
            @Override
            List<Step> steps(List<String> keys) {
                List<Step> steps = new ArrayList<>();
                keys.forEach(key -> steps.add(new Step(key, Entries.value(steps.size()))));
                return steps;
            }
        },

        /** Of ten changes some five put a key that is not there, three give another value to one that is, and two remove one. */
        MIXED("mixed") {
            @Override
            List<Step> steps(List<String> keys) {
                Random random = new Random(SEED);
                List<Step> steps = new ArrayList<>();
                List<String> there = new ArrayList<>();
                for (int next = 0; steps.size() < keys.size(); ) {
                    int kind = there.isEmpty() ? 0 : random.nextInt(10);
                    if (kind < 5) {
                        there.add(keys.get(next++));
                        steps.add(new Step(there.get(there.size() - 1), Entries.value(steps.size())));
                        continue;
                    }
                    int at = random.nextInt(there.size());
                    if (kind < 8) {
                        steps.add(new Step(there.get(at), Entries.value(steps.size())));
                    } else {
                        Collections.swap(there, at, there.size() - 1);
                        steps.add(new Step(there.remove(there.size() - 1), null));
                    }
                }
                return steps;
            }
        };

        private final String title;

        Load(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Makes {@code count} changes, always the same ones. */
        List<Step> steps(int count) {
            return steps(KeySet.W1.keys(count));
        }

        /** As many changes as there are keys. */
        abstract List<Step> steps(List<String> keys);
    }

    /**
     * Compares some versions with a plain map that the same changes made. The versions are evenly spread and include the last one.
     *
     * @param wanted the number of versions
     * @param version lists the version after a number of changes
     * @return the number of versions that were compared
     * @throws IllegalStateException if a version differs
     */
    static int check(List<Step> steps, int wanted, IntFunction<Map<String, Cid>> version) {
        Map<String, Cid> model = new TreeMap<>();
        int checked = 0;
        for (int made = 1; made <= steps.size(); made++) {
            Step step = steps.get(made - 1);
            if (step.value() == null) {
                model.remove(step.key());
            } else {
                model.put(step.key(), step.value());
            }
            // Whenever the part of the changes that was made passes the next part of the checks.
            if ((long) made * wanted / steps.size() > checked) {
                if (!model.equals(version.apply(made))) {
                    throw new IllegalStateException("the version after " + made + " changes has other entries");
                }
                checked++;
            }
        }
        return checked;
    }
}
