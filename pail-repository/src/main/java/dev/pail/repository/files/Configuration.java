package dev.pail.repository.files;

import dev.pail.ShardFormat;
import dev.pail.bytes.Utf8;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Part;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code config}: what the repository is (Rule REP3). Lines of {@code name = value}; lines that start with {@code #} and empty
 * ones say nothing. Layout 3 has slashes in names, authors and messages in logs, and packed deltas (REP25); the files of layout 2 are the
 * same otherwise. Rule REP35: layout 4 is layout 3, and names what its readers must understand.
 *
 * @param layout 2, 3 or 4
 * @param needs none before layout 4
 * @param format the format of pails that are made here
 * @param storage how new blocks are kept
 * @param part what a part has
 */
record Configuration(int layout, Set<Need> needs, ShardFormat format, BlockStorage storage, Optional<Part> part) {
    private static final int OLDEST = 2;
    private static final int EXTENDED = 3;
    private static final int NEWEST = 4;
    private static final String LAYOUT = "layout";

    /** The name of the setting that tells the repository from others. */
    static final String ID = "id";

    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** The name of the setting that says whose changes are made here. */
    static final String AUTHOR = "author";

    /** The name of the setting that says how keys of namespaces are written. */
    static final String NAMESPACE_CODEC = "namespace-codec";

    /** The name of the setting that says what readers must understand. */
    static final String NEEDS = "needs";

    /** That of a new repository. With segments it has layout 3 at least, since these are smaller there. */
    static Configuration of(InitOptions options) {
        boolean isExtended = options.storage() == BlockStorage.SEGMENTS;
        return new Configuration(
                options.isDescribed() ? NEWEST : isExtended ? EXTENDED : OLDEST,
                options.isDescribed() ? Set.of(Need.EVENTS) : Set.of(),
                options.format(),
                options.storage(),
                Optional.empty());
    }

    /** Whether deltas in segments may be packed. */
    boolean packs() {
        return layout >= EXTENDED;
    }

    byte[] toBytes() {
        StringBuilder text = new StringBuilder("# A Pail repository.\n");
        text.append("layout = ").append(layout).append('\n');
        if (!needs.isEmpty()) {
            text.append(NEEDS).append(" = ").append(Need.words(needs)).append('\n');
        }
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
        Map<String, String> settings = settings(bytes);
        int layout = number(settings, LAYOUT);
        if (layout < OLDEST || layout > NEWEST) {
            throw new IllegalArgumentException("layout " + layout + " is "
                    + (layout < OLDEST
                            ? "older than layout " + OLDEST + ", the oldest"
                            : "newer than layout " + NEWEST + ", the newest")
                    + " that is known here");
        }
        String name = settings.getOrDefault("format", "");
        Map<String, Integer> configuration =
                new LinkedHashMap<>(ShardFormat.named(name).configuration());
        configuration.replaceAll((setting, standard) -> number(settings, setting));
        Set<Need> needs = layout == NEWEST ? Need.parse(settings.getOrDefault(NEEDS, "")) : Set.of();
        return new Configuration(
                layout,
                needs,
                ShardFormat.of(name, configuration),
                storage(settings.getOrDefault("blocks", name(BlockStorage.FILES))),
                needs.contains(Need.PROMISED) ? Optional.of(Part.of(settings)) : Optional.empty());
    }

    /** Whether a setting is an id of a repository. */
    static boolean isId(String id) {
        return UUID_TEXT.matcher(id).matches();
    }

    /** A configuration with an id: its own, or a new one if it has none. */
    static byte[] identified(byte[] bytes) {
        return isId(settings(bytes).getOrDefault(ID, ""))
                ? bytes
                : with(bytes, ID, UUID.randomUUID().toString());
    }

    /** All settings by their names. */
    static SortedMap<String, String> settings(byte[] bytes) {
        SortedMap<String, String> settings = new TreeMap<>();
        for (String line : text(bytes).split("\n", -1)) {
            int equals = line.indexOf('=');
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (equals < 0) {
                throw new IllegalArgumentException("a line without '='");
            }
            String value = line.substring(equals + 1).strip();
            settings.put(line.substring(0, equals).strip(), utf8(value.getBytes(StandardCharsets.ISO_8859_1)));
        }
        return settings;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Text in UTF-8, with a sign in the place of what is none: only settings for people may have more than ASCII. */
    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A configuration of layout 3 at least. */
    static byte[] extended(byte[] bytes) {
        return number(settings(bytes), LAYOUT) >= EXTENDED ? bytes : with(bytes, LAYOUT, Integer.toString(EXTENDED));
    }

    /** A configuration with one more need, and so of layout 4. */
    static byte[] needing(byte[] bytes, Need need) {
        Set<Need> needs = EnumSet.of(need);
        needs.addAll(parse(bytes).needs);
        return with(with(bytes, LAYOUT, Integer.toString(NEWEST)), NEEDS, Need.words(needs));
    }

    /** The configuration of a part. Rule REP39. */
    static byte[] promised(byte[] bytes, Part part) {
        byte[] next = bytes;
        for (Map.Entry<String, String> setting : part.settings().entrySet()) {
            next = with(next, setting.getKey(), setting.getValue());
        }
        return needing(next, Need.PROMISED);
    }

    /** A configuration of what is no part any more. */
    static byte[] whole(byte[] bytes) {
        Set<Need> needs = EnumSet.noneOf(Need.class);
        needs.addAll(parse(bytes).needs);
        needs.remove(Need.PROMISED);
        byte[] next = with(bytes, NEEDS, needs.isEmpty() ? null : Need.words(needs));
        for (String name : Part.names()) {
            next = with(next, name, null);
        }
        return next;
    }

    /**
     * A configuration with a setting, whose other lines stay as they are.
     *
     * @param given null if it shall not have the setting
     */
    static byte[] with(byte[] bytes, String name, @Nullable String given) {
        String value = given == null ? null : new String(Utf8.encode(given), StandardCharsets.ISO_8859_1);
        StringBuilder text = new StringBuilder();
        boolean isSet = value == null;
        for (String line : text(bytes).lines().toList()) {
            boolean isIt = !line.startsWith("#")
                    && line.replaceFirst("=.*", "").strip().equals(name);
            if (!isIt) {
                text.append(line).append('\n');
            } else if (!isSet) {
                text.append(name).append(" = ").append(value).append('\n');
                isSet = true;
            }
        }
        return (isSet ? text : text.append(name).append(" = ").append(value).append('\n'))
                .toString()
                .getBytes(StandardCharsets.ISO_8859_1);
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
