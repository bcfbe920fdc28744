package dev.pail.clock;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.bytes.Utf8;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * The description of a change: who made it, why and when. It is part of the {@linkplain Event event}, so each copy of the history has it,
 * and the CID of the event covers it. Spec rules DE1 to DE12 define it.
 *
 * <p>Immutable, equal by content.
 *
 * <pre>{@code
 * Description why = Description.of("Ann <ann@example.org>", "the title of the second edition", Instant.now());
 * ReplicatedPail next = ReplicatedPail.create(blocks, ShardFormat.v1()).described(why).put("title", value);
 * Event event = next.clock().event(next.head().events().get(0));
 * Optional<String> author = event.description().flatMap(Description::author); // Optional[Ann <ann@example.org>]
 * }</pre>
 *
 * @param author the name of a person or a program, 1 to {@value #MAX_AUTHOR} bytes of UTF-8. Read from an event, it may have any characters
 * @param message text for people, 1 to {@value #MAX_MESSAGE} bytes of UTF-8
 * @param time the time of the change by the clock of the writer, in whole milliseconds; from 1970 on
 * @param part the number of the event, if the change has several
 * @param tree the tree over the events before this one, as the writer of the event claims it
 */
public record Description(
        Optional<String> author,
        Optional<String> message,
        Optional<Instant> time,
        Optional<Part> part,
        Optional<Tree> tree) {
    /** The maximum length of an author, in bytes of UTF-8. Rule DE4. */
    public static final int MAX_AUTHOR = 600;

    /** The maximum length of a message, in bytes of UTF-8. */
    public static final int MAX_MESSAGE = 30_000;

    /** The latest time, in milliseconds since 1970: the largest integer that a JavaScript number has exactly. Rule DE5. */
    static final long MAX_TIME = (1L << 53) - 1;

    /** @throws IllegalArgumentException if a text is empty, too long or has a lone surrogate, or the time is out of range */
    public Description {
        author.ifPresent(text -> check("an author", text, MAX_AUTHOR));
        message.ifPresent(text -> check("a message", text, MAX_MESSAGE));
        time = time.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
        time.ifPresent(Description::check);
        Objects.requireNonNull(part, "part");
        Objects.requireNonNull(tree, "tree");
    }

    /**
     * Makes a description without a part and a tree.
     *
     * @throws IllegalArgumentException if a text is empty, too long or has a lone surrogate, or the time is out of range
     */
    public Description(Optional<String> author, Optional<String> message, Optional<Instant> time) {
        this(author, message, time, Optional.empty(), Optional.empty());
    }

    /**
     * Makes a description.
     *
     * @param author the name of a person or a program, {@code Name <address>} by custom; blank for none. Spaces around it are removed
     * @param message the same
     * @param time truncated to milliseconds
     * @throws IllegalArgumentException if a text is too long, has a lone surrogate, or the author has a control character
     */
    public static Description of(String author, String message, Instant time) {
        Objects.requireNonNull(message, "message");
        Objects.requireNonNull(time, "time");
        if (author.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("an author is one line, without control characters");
        }
        return new Description(text(author), text(message), Optional.of(time));
    }

    private static Optional<String> text(String text) {
        return Optional.of(text.strip()).filter(each -> !each.isEmpty());
    }

    private static void check(String what, String text, int most) {
        if (Utf8.loneSurrogate(text) >= 0) {
            throw new IllegalArgumentException(what + " is Unicode text, without lone surrogates");
        }
        int length = Utf8.encode(text).length;
        if (length < 1 || length > most) {
            throw new IllegalArgumentException(what + " has 1 to " + most + " bytes, not " + length + " (DE4)");
        }
    }

    private static void check(Instant time) {
        if (time.isBefore(Instant.EPOCH) || time.isAfter(Instant.ofEpochMilli(MAX_TIME))) {
            throw new IllegalArgumentException("a time is in the years 1970 to 287396, not " + time + " (DE5)");
        }
    }

    /**
     * Returns this description for one event of a change. The only event of a change has no part: then this one.
     *
     * @throws IllegalArgumentException as {@link Part}
     */
    @CheckReturnValue
    public Description part(int number, boolean isLast) {
        return isLast && number == 1
                ? this
                : new Description(author, message, time, Optional.of(new Part(number, isLast)), tree);
    }

    /** Returns this description with the tree over the events before. A reader cannot check it without them. */
    @CheckReturnValue
    public Description with(HistoryTree events) {
        return new Description(author, message, time, part, Optional.of(Tree.of(events)));
    }

    /**
     * The place of an event in a change of several events (spec rule DE6).
     *
     * @param number from 1
     * @param isLast whether it is the last event of the change
     */
    public record Part(int number, boolean isLast) {
        /** @throws IllegalArgumentException if the number is not positive, or the last is the first */
        public Part {
            if (number < 1 || (isLast && number < 2)) {
                throw new IllegalArgumentException("a part has a number from 1, and the last from 2, not " + number);
            }
        }
    }

    /**
     * The tree over the events before an event (spec rule DE10): the first parent, the first parent of that, and so on. Equal by content.
     */
    public static final class Tree {
        private final long size;
        private final byte[] root;

        /**
         * Makes a claim.
         *
         * @param size the number of these events, from 0 to 2^53 - 1
         * @param root the root of {@link HistoryTree}
         * @throws IllegalArgumentException if the size is out of range, or the root is no hash
         */
        public Tree(long size, byte[] root) {
            if (size < 0 || size > MAX_TIME || root.length != HistoryTree.HASH) {
                throw new IllegalArgumentException("a tree has a size from 0 to 2^53 - 1, and a root of "
                        + HistoryTree.HASH + " bytes (DE10): " + size + ", " + root.length);
            }
            this.size = size;
            this.root = root.clone();
        }

        /** The claim of a tree. */
        public static Tree of(HistoryTree events) {
            return new Tree(events.size(), events.root());
        }

        /** The number of events. */
        public long size() {
            return size;
        }

        /** The root: a new array. */
        public byte[] root() {
            return root.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Tree tree && size == tree.size && Arrays.equals(root, tree.root);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(root);
        }

        /** The size and the root. */
        @Override
        public String toString() {
            return size + " " + HexFormat.of().formatHex(root);
        }
    }
}
