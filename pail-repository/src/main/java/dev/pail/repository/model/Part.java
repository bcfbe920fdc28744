package dev.pail.repository.model;

import dev.pail.bytes.Utf8;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a part of a repository has, as it was cloned: a repository in a folder whose other blocks a remote promises. Spec rules REP39 and REP40. Immutable.
 *
 * <pre>{@code
 * Part part = new Part("origin", "photos/2024/", true); // of each newest version the keys with this prefix, with their values
 * }</pre>
 *
 * @param remote the name of the remote that promises the rest
 * @param prefix the keys whose entries a clone and a fetch bring; empty for all
 * @param hasValues whether they bring the values, too
 */
public record Part(String remote, String prefix, boolean hasValues) {
    private static final String REMOTE = "part.remote";
    private static final String PREFIX = "part.prefix";
    private static final String VALUES = "part.values";

    /** @throws IllegalArgumentException if no remote can have the name, or the prefix has a surrogate without its pair */
    public Part {
        Objects.requireNonNull(prefix, "prefix");
        if (!Tracking.isRemoteName(Objects.requireNonNull(remote, "remote"))) {
            throw new IllegalArgumentException("not the name of a remote: " + remote);
        }
        byte[] unused = Utf8.encode(prefix);
    }

    /** Whether a remote-tracking ref is one of the remote that promises the rest. */
    public boolean promises(String ref) {
        return Objects.requireNonNull(ref, "ref").startsWith(remote + "/");
    }

    /** Returns the settings that say this in a configuration, by their names. */
    public SortedMap<String, String> settings() {
        return new TreeMap<>(Map.of(REMOTE, remote, PREFIX, encoded(prefix), VALUES, hasValues ? "yes" : "no"));
    }

    /** Returns the names of the settings. */
    public static Iterable<String> names() {
        return new Part("origin", "", true).settings().keySet();
    }

    /**
     * Reads the settings of a configuration.
     *
     * @throws IllegalArgumentException if one is absent, or is not as {@link #settings} writes it
     */
    public static Part of(Map<String, String> settings) {
        String prefix = settings.getOrDefault(PREFIX, "");
        Part part = new Part(
                settings.getOrDefault(REMOTE, ""),
                URLDecoder.decode(prefix, StandardCharsets.UTF_8),
                !Optional.ofNullable(settings.get(VALUES)).equals(Optional.of("no")));
        part.settings().forEach((name, value) -> {
            if (!value.equals(settings.get(name))) {
                throw new IllegalArgumentException("it is a part, and " + name + " is not right");
            }
        });
        return part;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
