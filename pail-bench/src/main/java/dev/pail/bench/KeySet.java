package dev.pail.bench;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/** Distinct keys of one kind, the same ones on every machine. All are printable ASCII, of at most 64 characters. */
public enum KeySet {
    /** 1 to 64 letters and digits at random. */
    W1("random") {
        @Override
        void forEach(int count, Consumer<String> action) {
            Random random = new Random(SEED);
            Set<String> seen = new HashSet<>();
            for (int made = 0; made < count; ) {
                String key = text(random, 1 + random.nextInt(64));
                // Longer keys are not remembered: among 50 million, two are equal with a probability of 1 in 40,000.
                if (key.length() > LONGEST_REMEMBERED || seen.add(key)) {
                    action.accept(key);
                    made++;
                }
            }
        }
    },

    /** Paths of photographs of three hundred users, in no order. */
    W2("paths") {
        @Override
        void forEach(int count, Consumer<String> action) {
            Random random = new Random(SEED);
            // User and month of each photograph, and the order of the photographs: 6 bytes a key.
            short[] drawn = new short[count];
            int[] order = new int[count];
            for (int i = 0; i < count; i++) {
                drawn[i] = (short) (random.nextInt(300) * 12 + random.nextInt(12));
                order[i] = i;
            }
            for (int i = count; i > 1; i--) {
                int other = random.nextInt(i);
                int last = order[i - 1];
                order[i - 1] = order[other];
                order[other] = last;
            }
            for (int i : order) {
                action.accept("users/u" + digits(drawn[i] / 12, 6)
                        + "/photos/" + (2024 - i / 1_000_000)
                        + "/" + digits(1 + drawn[i] % 12, 2)
                        + "/img_" + digits(i % 1_000_000, 6) + ".jpg");
            }
        }
    },

    /** Moments with a running number, as they come: up to ten seconds apart. */
    W3("times") {
        @Override
        void forEach(int count, Consumer<String> action) {
            Random random = new Random(SEED);
            long now = Instant.parse("2024-07-01T00:00:00Z").toEpochMilli();
            for (int i = 0; i < count; i++) {
                action.accept(MILLISECONDS.format(Instant.ofEpochMilli(now)) + "/" + digits(i % 1_000_000, 6));
                now += random.nextInt(10_000);
            }
        }
    };

    private static final long SEED = 20240701;
    private static final int LONGEST_REMEMBERED = 8;
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
        List<String> keys = new ArrayList<>(count);
        forEach(count, keys::add);
        return keys;
    }

    /** Makes the same keys one by one, without a list of them. */
    abstract void forEach(int count, Consumer<String> action);

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
