package dev.pail.server.gateway;

import dev.pail.server.http.Refusal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameter {@code entity-bytes}: the first and the last byte of a range of a file. A negative number counts from the end of the
 * file. Rule GW6.
 *
 * @param from the first byte
 * @param to the last byte; null for the end of the file
 */
record EntityBytes(long from, @Nullable Long to) {
    private static final Pattern FORM = Pattern.compile("(-?[0-9]{1,18}):(-?[0-9]{1,18}|\\*)");

    /** A range within a file. */
    record Span(long offset, long length) {}

    static EntityBytes parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw Refusal.malformed("entity-bytes is FROM:TO, two numbers of at most 18 digits, or FROM:*");
        }
        String to = form.group(2);
        return new EntityBytes(Long.parseLong(form.group(1)), to.equals("*") ? null : Long.valueOf(to));
    }

    /** The part of the range that is within a file of a size; of length 0 if the range ends before it begins. */
    Span in(long size) {
        if (from >= size && size > 0) {
            throw Refusal.malformed("entity-bytes begins behind the end of the file, which has " + size + " bytes");
        }
        long first = from < 0 ? Math.max(0, size + from) : from;
        long last = to == null ? size - 1 : to < 0 ? size + to : Math.min(to, size - 1);
        return last < first ? new Span(0, 0) : new Span(first, last - first + 1);
    }

    /** As in a request. */
    @Override
    public String toString() {
        return from + ":" + (to == null ? "*" : to.toString());
    }
}
