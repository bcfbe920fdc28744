package dev.pail.repository.model;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * What a reader of a repository must understand. A repository names its needs in its configuration, and a program that does not know one
 * refuses the repository (spec rule DE12).
 *
 * <pre>{@code
 * boolean isDescribed = repository.refs().needs().contains(Need.EVENTS);
 * }</pre>
 */
public enum Need {
    /** Described events: {@link dev.pail.clock.Description}. */
    EVENTS,

    /** A {@link Part}: blocks that are absent are promised by a remote. Only a repository in a folder has this. */
    PROMISED;

    /** Returns the word for it in a configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads needs from words with commas between them. Rule DE12.
     *
     * @throws IllegalArgumentException if a word is unknown
     */
    public static Set<Need> parse(String words) {
        Objects.requireNonNull(words, "words");
        Set<Need> needs = EnumSet.noneOf(Need.class);
        for (String word : words.split(",", -1)) {
            if (!word.isBlank()) {
                needs.add(of(word.strip()));
            }
        }
        return Set.copyOf(needs);
    }

    private static Need of(String word) {
        for (Need need : values()) {
            if (need.word().equals(word)) {
                return need;
            }
        }
        throw new IllegalArgumentException(
                "needs \"" + word + "\", which this version does not know; it knows " + words(Set.of(values())));
    }

    /** Returns those of what is sent: all that a peer gets is whole. */
    public static Set<Need> ofEvents(Set<Need> needs) {
        return needs.contains(EVENTS) ? Set.of(EVENTS) : Set.of();
    }

    /** Returns the words of needs, with commas between them. */
    public static String words(Set<Need> needs) {
        return String.join(", ", list(needs));
    }

    /** Returns the words of needs. */
    public static List<String> list(Set<Need> needs) {
        Objects.requireNonNull(needs, "needs");
        return Arrays.stream(values()).filter(needs::contains).map(Need::word).toList();
    }
}
