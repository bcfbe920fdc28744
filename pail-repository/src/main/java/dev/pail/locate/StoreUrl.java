package dev.pail.locate;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The URL of a store.
 *
 * @param uri all of it
 * @param parameters behind the question mark, decoded, by name. A locator may take out those that it knows
 */
public record StoreUrl(URI uri, Map<String, String> parameters) {
    /**
     * Reads a URL.
     *
     * @throws IllegalArgumentException if it is none. The message never has what may be a password
     */
    public static StoreUrl of(String url) {
        URI uri = uri(url);
        return new StoreUrl(uri, parameters(uri.getRawQuery()));
    }

    /** As {@link URI#URI(String)}, with an exception as {@link #of} has it. */
    public static URI uri(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            // Without the URL, which may have a password in it.
            throw new IllegalArgumentException("not a URL: " + e.getReason() + " at character " + (e.getIndex() + 1));
        }
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new TreeMap<>();
        if (query != null) {
            for (String each : query.split("&", -1)) {
                int equals = each.indexOf('=');
                if (equals < 0
                        || parameters.put(each.substring(0, equals), decoded(each.substring(equals + 1))) != null) {
                    throw new IllegalArgumentException("a parameter of a URL is NAME=VALUE, each name once");
                }
            }
        }
        return parameters;
    }

    /** Decodes a part of a URL. A plus stands for itself. */
    public static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
