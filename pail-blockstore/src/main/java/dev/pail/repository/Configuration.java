package dev.pail.repository;

import dev.pail.ShardFormat;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The file {@code config}: what the repository is (spec rule REP3). Lines of {@code name = value}; lines that start with {@code #} and empty
 * ones say nothing.
 *
 * @param format the format of pails that are made here
 * @param storage how new blocks are kept
 */
record Configuration(ShardFormat format, BlockStorage storage) {
    private static final int LAYOUT = 2;

    byte[] toBytes() {
        StringBuilder text = new StringBuilder("# A Pail repository.\n");
        text.append("layout = ").append(LAYOUT).append('\n');
        text.append("format = ").append(format.name()).append('\n');
        format.configuration()
                .forEach((name, value) ->
                        text.append(name).append(" = ").append(value).append('\n'));
        if (storage != BlockStorage.FILES) {
            text.append("blocks = ").append(name(storage)).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** @throws IllegalArgumentException if the text is no configuration that is known here */
    static Configuration parse(byte[] bytes) {
        Map<String, String> settings = new TreeMap<>();
        for (String line : new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            int equals = line.indexOf('=');
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (equals < 0) {
                throw new IllegalArgumentException("a line without '='");
            }
            settings.put(
                    line.substring(0, equals).strip(),
                    line.substring(equals + 1).strip());
        }
        int layout = number(settings, "layout");
        if (layout != LAYOUT) {
            throw new IllegalArgumentException("layout " + layout + " is " + (layout < LAYOUT ? "older" : "newer")
                    + " than layout " + LAYOUT + ", the one that is known here");
        }
        String name = settings.getOrDefault("format", "");
        Map<String, Integer> configuration =
                new LinkedHashMap<>(ShardFormat.named(name).configuration());
        configuration.replaceAll((setting, standard) -> number(settings, setting));
        return new Configuration(
                ShardFormat.of(name, configuration),
                storage(settings.getOrDefault("blocks", name(BlockStorage.FILES))));
    }

    private static String name(BlockStorage storage) {
        return storage.name().toLowerCase(Locale.ROOT);
    }

    private static BlockStorage storage(String name) {
        for (BlockStorage storage : BlockStorage.values()) {
            if (name(storage).equals(name)) {
                return storage;
            }
        }
        throw new IllegalArgumentException("blocks \"" + name + "\" is not known");
    }

    private static int number(Map<String, String> settings, String name) {
        String value = settings.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name);
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is no number", e);
        }
    }
}
