package dev.pail.s3;

import dev.pail.trace.Trace;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The number of the newest commit as other objects than the log know it: the hint, and the names of packs. A log that ends before it has
 * lost commits. Rule OS11. Safe for use by several threads.
 *
 * @param bucket the objects of the repository
 */
record Mark(Bucket bucket) {
    static final int PAGE = 1000;

    /**
     * What the hint says.
     *
     * @param number the number in it, 0 or more; -1, if there is none
     * @param isMalformed whether its content is no number
     */
    record Hint(long number, boolean isMalformed) {
        private static final Hint ABSENT = new Hint(-1, false);
        private static final Hint MALFORMED = new Hint(-1, true);

        boolean isAbsent() {
            return number < 0;
        }
    }

    /** Reads the hint. To compare the log with it, the caller must read the log after it. */
    Hint hint() {
        return bucket.get(Keys.HINT)
                .map(bytes -> Keys.number("", new String(bytes, StandardCharsets.US_ASCII)))
                .map(number -> number < 0 ? Hint.MALFORMED : new Hint(number, false))
                .orElse(Hint.ABSENT);
    }

    /** Makes a hint if there is none. */
    void ensure(long number) {
        boolean unused = bucket.create(Keys.HINT, content(number));
    }

    /** Writes the hint after a commit. A writer that stops before it leaves a smaller number, which is as true. */
    void advance(long number) {
        try {
            write(number);
        } catch (RuntimeException e) {
            // The change is made, so it must not fail here.
            Trace.swallowed("the hint is not written", e);
        }
    }

    void write(long number) {
        bucket.put(Keys.HINT, content(number));
    }

    private static byte[] content(long number) {
        return Keys.digits(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** The number of a commit that was there when a pack was made, if that is behind a given one. */
    OptionalLong packAfter(long number) {
        // The next commit may have packs already.
        String key = packAfter(Keys.PACKS + Keys.digits(number + 2));
        return key == null ? OptionalLong.empty() : OptionalLong.of(Keys.packNumber(key) - 1);
    }

    private @Nullable String packAfter(String start) {
        String last = start;
        while (true) {
            var page = bucket.list(Keys.PACKS, last, PAGE);
            for (Bucket.Listed each : page) {
                String name = Keys.packName(each.key());
                if (name != null) {
                    return name;
                }
                last = each.key();
            }
            if (page.size() < PAGE) {
                return null;
            }
        }
    }
}
