package dev.pail.keys;

import dev.pail.bytes.Utf8;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Paths and keys made to be mixed up: empty, binary, laden with what codecs put between names, and now and then very long. */
final class RandomNames {
    private static final String TEXTS = "a0f/.!:~\u0000\u00ff\u00e9\ue000\uffff";

    private final Random random;
    private final String troublesome;

    /** @param separators what a codec puts between names */
    RandomNames(Random random, String separators) {
        this.random = random;
        this.troublesome = separators + TEXTS;
    }

    NamespacedKey next() {
        List<Name> path = new ArrayList<>();
        int levels = random.nextInt(1_000) == 0 ? 200 : 1 + random.nextInt(5);
        for (int i = 0; i < levels; i++) {
            path.add(name());
        }
        return new NamespacedKey(path, name());
    }

    Name name() {
        byte[] bytes = bytes();
        if (bytes.length > 0 && random.nextInt(1_000) == 0) {
            int length = bytes.length;
            bytes = Arrays.copyOf(bytes, 5_000 + random.nextInt(10_000));
            for (int i = length; i < bytes.length; i++) {
                bytes[i] = bytes[i - length];
            }
        }
        return Name.of(bytes);
    }

    private byte[] bytes() {
        return switch (random.nextInt(6)) {
            case 0 -> new byte[0];
            case 1 -> KeyTextTest.random(random, 8);
            case 2, 3 -> Utf8.encode(text(3));
            case 4 -> Utf8.encode(text(1) + text(1) + "00000001" + text(2));
            default -> Utf8.encode(Character.toString(0x10000 + random.nextInt(0x100000)) + text(2));
        };
    }

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(troublesome.charAt(random.nextInt(troublesome.length())));
        }
        return text.toString();
    }

    /** Another that is easily taken for this one. */
    NamespacedKey near(NamespacedKey key) {
        List<Name> names = new ArrayList<>(key.path());
        names.add(key.key());
        int at = random.nextInt(names.size());
        switch (random.nextInt(7)) {
            case 0 -> names.set(names.size() - 1, near(key.key()));
            case 1 -> names.set(at, near(names.get(at)));
            case 2 -> names.add(at, name());
            case 3 -> names.remove(at);
            case 4 -> split(names, at);
            case 5 -> move(names, at);
            default -> {
                return next();
            }
        }
        while (names.size() < 2) {
            names.add(name());
        }
        return new NamespacedKey(names.subList(0, names.size() - 1), names.get(names.size() - 1));
    }

    private Name near(Name name) {
        byte[] bytes = name.bytes();
        if (bytes.length > 0 && random.nextBoolean()) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            return Name.of(bytes);
        }
        return random.nextBoolean() ? joined(name, name()) : Name.of(Arrays.copyOf(bytes, bytes.length / 2));
    }

    private void split(List<Name> names, int at) {
        byte[] bytes = names.get(at).bytes();
        int cut = random.nextInt(bytes.length + 1);
        names.set(at, Name.of(Arrays.copyOf(bytes, cut)));
        names.add(at + 1, Name.of(Arrays.copyOfRange(bytes, cut, bytes.length)));
    }

    /** The same bytes, but some of them in the next name. */
    private void move(List<Name> names, int at) {
        if (at + 1 < names.size()) {
            Name both = joined(names.get(at), names.remove(at + 1));
            names.set(at, both);
        }
        split(names, at);
    }

    static Name joined(Name a, Name b) {
        byte[] both = Arrays.copyOf(a.bytes(), a.length() + b.length());
        System.arraycopy(b.bytes(), 0, both, a.length(), b.length());
        return Name.of(both);
    }
}
