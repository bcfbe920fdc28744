package dev.pail.repository.model;

import dev.pail.bytes.Utf8;
import dev.pail.clock.Description;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The author and the message of a ref update. They are in the log, which stays with the repository (Rule REP26). A change also has them in
 * the {@linkplain dev.pail.clock.Description description} of its event, which each copy of the history has, unless the repository is also for
 * readers that do not understand descriptions (spec rule DE11).
 *
 * <pre>{@code
 * Repository noting = repository.withNote(Note.of("Ann", "The title of the second edition"));
 * Updated next = noting.update("main", before -> before.put("title", value));
 * Optional<String> author = noting.refs().log(noting.refs().branch("main")).next().note().author(); // Optional[Ann]
 * }</pre>
 *
 * @param author a name for people: one line of at most {@value #MAX_AUTHOR} characters
 * @param message at most {@value #MAX_MESSAGE} characters, of one line or several
 */
public record Note(Optional<String> author, Optional<String> message) {
    /** The maximum length of an author, in UTF-16 units. */
    public static final int MAX_AUTHOR = 200;

    /** The maximum length of a message, in UTF-16 units. */
    public static final int MAX_MESSAGE = 10_000;

    /** No author and no message. */
    public static final Note NONE = new Note(Optional.empty(), Optional.empty());

    /** @throws IllegalArgumentException if a text is blank or too long, or the author has more than one line or a control character */
    public Note {
        author.ifPresent(text -> check("an author", text, MAX_AUTHOR));
        message.ifPresent(text -> check("a message", text, MAX_MESSAGE));
        if (author.isPresent() && author.get().chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("an author is one line, without control characters");
        }
    }

    /**
     * Makes a note.
     *
     * @param author null or blank for none; spaces around it are removed
     * @param message the same
     */
    public static Note of(@Nullable String author, @Nullable String message) {
        return new Note(text(author), text(message));
    }

    /**
     * Returns the author and the message of a description. Control characters in the author become spaces, and text beyond the bounds
     * is cut: other programs may write them.
     */
    public static Note of(Description description) {
        return of(
                description
                        .author()
                        .map(text -> cut(text.replaceAll("\\p{Cntrl}", " "), MAX_AUTHOR))
                        .orElse(null),
                description.message().map(text -> cut(text, MAX_MESSAGE)).orElse(null));
    }

    private static String cut(String text, int most) {
        int end = Math.min(text.length(), most);
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
    }

    private static Optional<String> text(@Nullable String text) {
        return Optional.ofNullable(text).map(String::strip).filter(each -> !each.isEmpty());
    }

    private static void check(String what, String text, int most) {
        if (text.length() > most) {
            throw new IllegalArgumentException(what + " has at most " + most + " characters, not " + text.length());
        }
        if (text.isEmpty() || !text.equals(text.strip())) {
            throw new IllegalArgumentException(what + " is not blank, and has no spaces around it");
        }
        if (Utf8.loneSurrogate(text) >= 0) {
            throw new IllegalArgumentException(what + " is Unicode text, without lone surrogates");
        }
    }

    /** Whether there is neither an author nor a message. */
    public boolean isEmpty() {
        return author.isEmpty() && message.isEmpty();
    }
}
