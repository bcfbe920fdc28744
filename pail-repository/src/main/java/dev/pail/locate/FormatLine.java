package dev.pail.locate;

import dev.pail.ShardFormat;
import dev.pail.repository.model.Need;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What stores that are no folders keep of a repository in one line: its shard format, with each setting as {@code NAME=NUMBER}, and then
 * {@code needs=WORD,WORD} if its readers must understand something. Version 0.2.0 takes the needs for a setting without a number, and refuses
 * them. Immutable.
 *
 * @param format of new pails
 * @param needs what readers must understand
 */
public record FormatLine(ShardFormat format, Set<Need> needs) {
    private static final String NEEDS = "needs";

    public FormatLine {
        Objects.requireNonNull(format, "format");
        needs = Set.copyOf(needs);
    }

    /** Returns the line. */
    public String text() {
        return format.name()
                + format.configuration().entrySet().stream()
                        .map(each -> " " + each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining())
                + (needs.isEmpty() ? "" : " " + NEEDS + "=" + Need.words(needs).replace(" ", ""));
    }

    /**
     * Reads a line. Rule PG17.
     *
     * @throws IllegalArgumentException if it has a format or a need that is not known here
     */
    public static FormatLine read(String line) {
        String[] words = line.split(" ", -1);
        Map<String, Integer> settings = new LinkedHashMap<>();
        Set<Need> needs = Set.of();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("a setting is NAME=NUMBER");
            }
            String name = words[i].substring(0, equals);
            String value = words[i].substring(equals + 1);
            if (name.equals(NEEDS)) {
                needs = Need.parse(value);
                if (needs.contains(Need.PROMISED)) {
                    throw new IllegalArgumentException("only a repository in a folder can be a part");
                }
            } else {
                settings.put(name, Integer.parseInt(value));
            }
        }
        return new FormatLine(ShardFormat.of(words[0], settings), needs);
    }
}
