package dev.pail.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.ipld.MalformedDataException;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each codec promises, and that it promises no more than it keeps. */
class KeyCodecTest {
    private static final int TIMES = Randomness.times(8_000, 1_000_000);

    /** Two million keys do not fit into the heap of a test. Two keys with one text that are further apart fail when they are decoded. */
    private static final int MOST_SEEN = 200_000;

    static List<PlainCodec> codecs() {
        return PlainCodec.ALL;
    }

    private static NamespacedKey key(String... names) {
        List<Name> all = new ArrayList<>();
        for (String name : names) {
            all.add(Name.of(name));
        }
        return new NamespacedKey(all.subList(0, all.size() - 1), all.get(all.size() - 1));
    }

    private static String encode(KeyCodec codec, String... names) {
        return codec.encode(key(names).path(), key(names).key());
    }

    private static boolean within(List<Name> path, List<Name> outer) {
        return path.size() >= outer.size() && path.subList(0, outer.size()).equals(outer);
    }

    private static void claim(boolean kept, KeyProperty property, NamespacedKey... keys) {
        if (!kept) {
            throw new AssertionError(property + ": " + List.of(keys));
        }
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void keepsWhatItPromises_N11_N12_N13(PlainCodec plain) {
        RandomNames names =
                new RandomNames(new Random(Randomness.seed("KeyCodecTest.keepsWhatItPromises")), plain.separators());
        Map<String, NamespacedKey> seen = new HashMap<>();
        int refused = 0;
        int within = 0;
        int between = 0;
        for (int n = 0; n < TIMES; ) {
            NamespacedKey a = names.next();
            NamespacedKey b = names.near(a);
            if (!plain.takes(a) || !plain.takes(b)) {
                checkRefused(plain, plain.takes(a) ? b : a);
                refused++;
                continue;
            }
            n++;
            if (seen.size() >= MOST_SEEN) {
                seen.clear();
            }
            String aKey = checkWritten(plain, a, seen);
            String bKey = checkWritten(plain, b, seen);
            int order = Integer.signum(aKey.compareTo(bKey));
            claim((order == 0) == a.equals(b), KeyProperty.COLLISION_FREE, a, b);
            checkLevels(plain.codec(), a, bKey, b);
            checkPrefix(plain, a.key(), b.key());
            if (a.path().equals(b.path())) {
                claim(order == plainOrder(plain, a.key(), b.key()), KeyProperty.KEY_ORDER, a, b);
                within++;
            } else if (!within(a.path(), b.path()) && !within(b.path(), a.path())) {
                int i = 0;
                while (a.path().get(i).equals(b.path().get(i))) {
                    i++;
                }
                claim(
                        !plain.codec().properties().contains(KeyProperty.NAMESPACE_ORDER)
                                || order
                                        == plainOrder(
                                                plain, a.path().get(i), b.path().get(i)),
                        KeyProperty.NAMESPACE_ORDER,
                        a,
                        b);
                between++;
            }
        }
        assertThat(refused > 0).isEqualTo(!plain.codec().properties().contains(KeyProperty.ANY_BYTES));
        assertThat(within).isGreaterThan(TIMES / 50);
        assertThat(between).isGreaterThan(TIMES / 5);
    }

    private static int plainOrder(PlainCodec plain, Name a, Name b) {
        return Integer.signum(plain.order().compare(a, b));
    }

    private static void checkRefused(PlainCodec plain, NamespacedKey key) {
        try {
            String written = plain.codec().encode(key.path(), key.key());
            throw new AssertionError(plain + " takes " + key + ": " + written);
        } catch (KeyNotAllowedException e) {
            claim(
                    e.rule().contains("the delimiter") || e.rule().contains("not UTF-8"),
                    KeyProperty.COLLISION_FREE,
                    key);
        }
    }

    private static String checkWritten(PlainCodec plain, NamespacedKey key, Map<String, NamespacedKey> seen) {
        String written = plain.codec().encode(key.path(), key.key());
        claim(written.equals(plain.encode(key)), KeyProperty.ANY_BYTES, key);
        claim(plain.codec().decode(written).equals(key), KeyProperty.ANY_BYTES, key);
        NamespacedKey other = seen.put(written, key);
        claim(other == null || other.equals(key), KeyProperty.COLLISION_FREE, key);
        return written;
    }

    /** Whether a key starts with what the keys of a namespace do says whether it is one of them. */
    private static void checkLevels(KeyCodec codec, NamespacedKey a, String bKey, NamespacedKey b) {
        for (int depth = Math.min(3, a.path().size()); depth > 0; depth--) {
            List<Name> path = a.path().subList(0, depth);
            boolean inside = within(b.path(), path);
            boolean own = b.path().equals(path);
            claim(bKey.startsWith(codec.all(path)) == inside, KeyProperty.LEVELS, a, b);
            claim(bKey.startsWith(codec.nested(path)) == (inside && !own), KeyProperty.LEVELS, a, b);
            boolean startsLikeOwn = bKey.startsWith(codec.keys(path));
            claim((startsLikeOwn && !bKey.startsWith(codec.nested(path))) == own, KeyProperty.LEVELS, a, b);
        }
    }

    /** Keys with a prefix are those between its text and the last. */
    private static void checkPrefix(PlainCodec plain, Name key, Name other) {
        Name prefix = Name.of(Arrays.copyOf(other.bytes(), Math.min(2, other.length())));
        if (plain.takes(prefix)) {
            String text = plain.codec().text(key);
            String last = plain.codec().last(prefix);
            boolean between = text.compareTo(plain.codec().text(prefix)) >= 0
                    && (text.compareTo(last) < 0 || text.startsWith(last));
            boolean starts =
                    Arrays.equals(Arrays.copyOf(key.bytes(), Math.min(key.length(), prefix.length())), prefix.bytes());
            claim(between == starts, KeyProperty.KEY_ORDER, new NamespacedKey(List.of(prefix), key));
        }
    }

    /** All paths of up to three levels and keys over short names of what is likely to be mixed up. */
    @ParameterizedTest
    @MethodSource("codecs")
    void noTwoOfASmallWorldAreOne_N3(PlainCodec plain) {
        List<Name> names = new ArrayList<>(List.of(Name.of("")));
        for (String a : new String[] {"", "a", "/", ".", plain.separators().substring(0, 1)}) {
            for (String b : new String[] {"a", "0", plain.separators().substring(0, 1)}) {
                names.add(Name.of(a + b));
            }
        }
        names.removeIf(name -> !plain.takes(name));
        names = List.copyOf(new HashSet<>(names));
        Set<String> keys = new HashSet<>();
        int written = 0;
        for (Name key : names) {
            for (Name a : names) {
                written += write(plain, keys, key, a);
                for (Name b : names) {
                    written += write(plain, keys, key, a, b);
                    for (Name c : names) {
                        written += write(plain, keys, key, a, b, c);
                    }
                }
            }
        }
        assertThat(keys).hasSize(written);
    }

    private static int write(PlainCodec plain, Set<String> keys, Name key, Name... path) {
        String written = plain.codec().encode(List.of(path), key);
        keys.add(written);
        claim(
                plain.codec().decode(written).equals(new NamespacedKey(List.of(path), key)),
                KeyProperty.COLLISION_FREE,
                new NamespacedKey(List.of(path), key));
        return 1;
    }

    /** What is promised is listed, and for what is not there is a case where it does not hold. */
    @Test
    void promisesNoLessAndNoMore() {
        for (PlainCodec plain : codecs()) {
            KeyCodec codec = plain.codec();
            Set<KeyProperty> missing = new HashSet<>(Set.of(KeyProperty.values()));
            missing.removeAll(codec.properties());
            Set<KeyProperty> broken = new HashSet<>();
            if (plain.takesText()) {
                assertThatThrownBy(() -> codec.text(Name.of(new byte[] {(byte) 0xff})))
                        .isInstanceOf(KeyNotAllowedException.class)
                        .hasMessageContaining("\\\\xff")
                        .hasMessageContaining("not UTF-8");
                broken.add(KeyProperty.ANY_BYTES);
            }
            String[][] namespaces = {{"a", "aa"}, {"a", "a "}, {"aa", "b"}};
            for (String[] pair : namespaces) {
                if (encode(codec, pair[0], "k").compareTo(encode(codec, pair[1], "k")) > 0) {
                    broken.add(KeyProperty.NAMESPACE_ORDER);
                }
            }
            assertThat(missing).as("%s", codec).isEqualTo(broken);
        }
    }

    /** A text over what codecs write is refused by name, or is what would be written. */
    @ParameterizedTest
    @MethodSource("codecs")
    void foreignKeysAreNamed_N3(PlainCodec plain) {
        Random random = new Random(Randomness.seed("KeyCodecTest.foreignKeysAreNamed"));
        RandomNames names = new RandomNames(random, plain.separators());
        String characters = plain.separators() + plain.separators() + "/.0aAfgv\u0000\u00e9\ud83d\ude00";
        int read = 0;
        for (int n = 0; n < TIMES; n++) {
            StringBuilder foreign = new StringBuilder();
            if (n % 2 == 0) {
                NamespacedKey key = names.next();
                foreign.append(plain.takes(key) ? plain.encode(key) : "");
            }
            int at = random.nextInt(foreign.length() + 1);
            int to = Math.min(foreign.length(), at + random.nextInt(3));
            StringBuilder changed = new StringBuilder();
            for (int i = random.nextInt(n % 2 == 0 ? 3 : 12); i > 0; i--) {
                changed.append(characters.charAt(random.nextInt(characters.length())));
            }
            String text = foreign.replace(at, to, changed.toString()).toString();
            try {
                NamespacedKey key = plain.codec().decode(text);
                claim(plain.codec().encode(key.path(), key.key()).equals(text), KeyProperty.COLLISION_FREE, key);
                read++;
            } catch (MalformedDataException e) {
                boolean named = e.code().equals("malformed-key")
                        && e.source().equals(Optional.of(text))
                        && e.offset() >= 0
                        && e.offset() <= text.length()
                        && String.valueOf(e.getMessage()).endsWith(": " + e.rule() + " (at offset " + e.offset() + ")");
                if (!named) {
                    throw new AssertionError(Escapes.quote(text), e);
                }
            }
        }
        assertThat(read).isBetween(1, TIMES - 1);
    }
}
