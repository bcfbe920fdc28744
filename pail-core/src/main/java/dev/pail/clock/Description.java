package dev.pail.clock;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.bytes.Utf8;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
 */
public record Description(
        Optional<String> author, Optional<String> message, Optional<Instant> time, Optional<Part> part) {
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
        return new Description(text(author), text(message), Optional.of(time), Optional.empty());
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
                : new Description(author, message, time, Optional.of(new Part(number, isLast)));
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
}
