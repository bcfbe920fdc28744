package dev.pail.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.shard.KeyBytes;
import dev.pail.shard.ShardValue;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Changes in order, and the places of keys among them, against a sorted set of texts. */
class SortedChangesTest {
    private static final String LETTERS = "\0ab0\u00e9\uffff\ud83d\ude00";

    private final Random random = new Random(Randomness.seed("SortedChangesTest"));
    private final int[] letters = LETTERS.codePoints().toArray();

    @Test
    void findsWhatASortedSetHas() {
        for (int n = 0; n < Randomness.times(60, 6000); n++) {
            SortedChanges changes = new SortedChanges() {};
            NavigableSet<String> model = new TreeSet<>();
            List<String> parts = parts();
            for (int i = random.nextInt(1200); i >= 0; i--) {
                String key = key(parts);
                if (model.add(key)) {
                    KeyBytes sought = KeyBytes.of(key);
                    int at = -1 - changes.placeOf(sought);
                    Change change = random.nextBoolean() ? change(key) : change(sought);
                    assertThat(changes.change(changes.insertChange(at, change))).isSameAs(change);
                }
                if (random.nextInt(20) == 0) {
                    removeSome(changes, model);
                }
                if (random.nextInt(200) == 0) {
                    replaceAll(changes, model);
                }
                check(changes, model, key(parts));
            }
            assertThat(keys(changes)).containsExactlyElementsOf(model);
            for (String key : model) {
                check(changes, model, key);
                check(
                        changes,
                        model,
                        key.substring(0, key.offsetByCodePoints(0, key.codePointCount(0, key.length()) / 2)));
                check(changes, model, key + text(4));
            }
        }
    }

    /** What keys are made of: texts that all of them have, and "?" for those that differ. */
    private List<String> parts() {
        List<String> parts = new ArrayList<>();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            parts.add(random.nextBoolean() ? "?" : text(9));
        }
        return parts;
    }

    /** Most keys are whole, some end early, and some have something else in a place that all others have in common. */
    private String key(List<String> parts) {
        StringBuilder key = new StringBuilder();
        int end = random.nextInt(8) == 0 ? random.nextInt(parts.size()) : parts.size();
        int other = random.nextInt(200) == 0 ? random.nextInt(parts.size()) : parts.size();
        for (int i = 0; i < end; i++) {
            key.append(i == other || parts.get(i).equals("?") ? text(3) : parts.get(i));
        }
        return key.append(random.nextInt(4) == 0 ? "" : text(2)).toString();
    }

    private String text(int longest) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(longest + 1); length > 0; length--) {
            text.appendCodePoint(letters[random.nextInt(letters.length)]);
        }
        return text.toString();
    }

    /** Mostly few, at times all up to any or from any. */
    private void removeSome(SortedChanges changes, NavigableSet<String> model) {
        int most = random.nextInt(20) == 0 ? model.size() : Math.min(4, model.size());
        int count = random.nextInt(most + 1);
        int from = random.nextInt(20) == 0 ? 0 : random.nextInt(model.size() - count + 1);
        List<String> removed = keys(changes).subList(from, from + count);
        changes.removeChanges(places(changes).get(from), count);
        removed.forEach(model::remove);
        if (count > 0) {
            String before = model.lower(removed.get(0));
            check(changes, model, before == null ? removed.get(0) : before);
        }
    }

    private static void replaceAll(SortedChanges changes, NavigableSet<String> model) {
        Change[] all = model.stream().map(SortedChangesTest::change).toArray(Change[]::new);
        changes.replaceChanges(all, all.length);
    }

    private static void check(SortedChanges changes, NavigableSet<String> model, String key) {
        int lesser = model.headSet(key).size();
        assertThat(index(changes, key)).as(key).isEqualTo(model.contains(key) ? lesser : -1 - lesser);
    }

    /** How many changes have lesser keys, as {@link SortedChanges#placeOf} gives the place. */
    private static int index(SortedChanges changes, String key) {
        List<Integer> places = places(changes);
        int found = changes.placeOf(KeyBytes.of(key));
        int place = found >= 0 ? found : -1 - found;
        int index = places.indexOf(changes.changeFrom(place));
        assertThat(changes.changeBefore(place)).isEqualTo(index == 0 ? -1 : places.get(index - 1));
        return found >= 0 ? index : -1 - index;
    }

    /** Those of all changes, and the one behind. */
    private static List<Integer> places(SortedChanges changes) {
        List<Integer> places = new ArrayList<>();
        for (int place = 0; place < changes.changesEnd(); place = changes.nextChange(place)) {
            places.add(place);
        }
        places.add(changes.changesEnd());
        return places;
    }

    private static Change change(String key) {
        return change(KeyBytes.of(key));
    }

    private static Change change(KeyBytes key) {
        return new Change(key, ShardValue.NOTHING, -1);
    }

    private static List<String> keys(SortedChanges changes) {
        List<String> keys = new ArrayList<>();
        for (int place = 0; place < changes.changesEnd(); place = changes.nextChange(place)) {
            keys.add(changes.change(place).key.toString());
        }
        assertThat(keys).hasSize(changes.changed());
        return keys;
    }
}
