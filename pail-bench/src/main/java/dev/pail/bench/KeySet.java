package dev.pail.bench;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;

/** Distinct keys of one kind, the same ones on every machine. All are printable ASCII, of at most 64 characters. */
public enum KeySet {
    /** 1 to 64 letters and digits at random. */
    W1("random") {
        @Override
        List<String> generate(int count) {
            Random random = new Random(SEED);
            Set<String> seen = new HashSet<>(count * 2);
            List<String> keys = new ArrayList<>(count);
            while (keys.size() < count) {
                String key = text(random, 1 + random.nextInt(64));
                if (seen.add(key)) {
                    keys.add(key);
                }
            }
            return keys;
        }
    },

    /** Paths of photographs of three hundred users, in no order. */
    W2("paths") {
        @Override
        List<String> generate(int count) {
            Random random = new Random(SEED);
            List<String> keys = counted(
                    count,
                    i -> "users/u" + digits(random.nextInt(300), 6)
                            + "/photos/" + (2024 - i / 1_000_000)
                            + "/" + digits(1 + random.nextInt(12), 2)
                            + "/img_" + digits(i % 1_000_000, 6) + ".jpg");
            Collections.shuffle(keys, random);
            return keys;
        }
    },

    /** Moments with a running number, as they come: up to ten seconds apart. */
    W3("times") {
        @Override
        List<String> generate(int count) {
            Random random = new Random(SEED);
            long[] now = {Instant.parse("2024-07-01T00:00:00Z").toEpochMilli()};
            return counted(count, i -> {
                String key = MILLISECONDS.format(Instant.ofEpochMilli(now[0])) + "/" + digits(i % 1_000_000, 6);
                now[0] += random.nextInt(10_000);
                return key;
            });
        }
    };

    private static final long SEED = 20240701;
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final DateTimeFormatter MILLISECONDS = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final String title;

    KeySet(String title) {
        this.title = title;
    }

    /** What the keys are, in a word. */
    public String title() {
        return title;
    }

    /** Makes {@code count} keys, in the order in which they are put. */
    public List<String> keys(int count) {
        return generate(count);
    }

    abstract List<String> generate(int count);

    private static List<String> counted(int count, IntFunction<String> key) {
        List<String> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(key.apply(i));
        }
        return keys;
    }

    private static String text(Random random, int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
        }
        return new String(text);
    }

    private static String digits(int number, int width) {
        String text = Integer.toString(number);
        return "0".repeat(width - text.length()) + text;
    }
}
