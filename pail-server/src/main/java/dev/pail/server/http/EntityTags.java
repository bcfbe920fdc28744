package dev.pail.server.http;

import dev.pail.repository.model.RefToken;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** Tags in {@code ETag}, {@code If-Match} and {@code If-None-Match}. */
public final class EntityTags {
    /** A tag in {@code If-None-Match}. A weak one is as good: equal requests have equal answers. */
    private static final Pattern TAG = Pattern.compile("\\*|(?:W/)?(\"[^\"]*\")");

    private EntityTags() {}

    /** The token of a branch as the value of {@code ETag}. */
    public static String of(RefToken state) {
        return "\"" + state + "\"";
    }

    /** Reads what {@link #of} makes; also a generation alone, which a client of version 0.2.0 sends. */
    public static Optional<RefToken> read(String tag) {
        boolean isQuoted = tag.length() > 1 && tag.startsWith("\"") && tag.endsWith("\"");
        return isQuoted ? RefToken.parse(tag.substring(1, tag.length() - 1)) : Optional.empty();
    }

    /** Whether the sender of a request has what a tag stands for. */
    public static boolean isKnown(Request request, String etag) {
        return request.getHeaders().getFields(HttpHeader.IF_NONE_MATCH).stream()
                .flatMap(field -> TAG.matcher(String.valueOf(field.getValue())).results())
                .anyMatch(tag -> tag.group().equals("*") || etag.equals(tag.group(1)));
    }
}
