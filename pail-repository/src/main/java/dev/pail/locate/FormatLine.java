package dev.pail.locate;

import dev.pail.ShardFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** A shard format as one line, as stores keep it that are no folders: its name, and each setting as {@code NAME=NUMBER}. */
public final class FormatLine {
    private FormatLine() {}

    /** The line of a format. */
    public static String of(ShardFormat format) {
        return format.name()
                + format.configuration().entrySet().stream()
                        .map(each -> " " + each.getKey() + "=" + each.getValue())
                        .collect(Collectors.joining());
    }

    /**
     * The format of a line.
     *
     * @throws IllegalArgumentException if it is none that is known here
     */
    public static ShardFormat read(String line) {
        String[] words = line.split(" ", -1);
        Map<String, Integer> settings = new LinkedHashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException("a setting is NAME=NUMBER");
            }
            settings.put(words[i].substring(0, equals), Integer.parseInt(words[i].substring(equals + 1)));
        }
        return ShardFormat.of(words[0], settings);
    }
}
