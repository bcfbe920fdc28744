package dev.pail.server.gateway;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;

/**
 * The part of a raw block that a request asks for with {@code Range}. Rule GW28.
 *
 * @param first the first byte
 * @param end behind the last byte; not behind {@code first} if the block has no such byte
 */
record ByteRange(int first, int end) {
    private static final Pattern FORM = Pattern.compile("bytes=([0-9]{0,9})-([0-9]{0,9})");

    /** Returns nothing if the whole block is to be sent. */
    static Optional<ByteRange> of(Request request, String etag, int size) {
        List<String> ranges = request.getHeaders().getValuesList(HttpHeader.RANGE);
        String condition = request.getHeaders().get(HttpHeader.IF_RANGE);
        Matcher form = FORM.matcher(ranges.size() == 1 ? ranges.get(0).strip() : "");
        boolean isCurrent = condition == null || condition.equals(etag);
        if (!HttpMethod.GET.is(request.getMethod()) || !isCurrent || !form.matches()) {
            return Optional.empty();
        }
        String from = form.group(1);
        String to = form.group(2);
        if (from.isEmpty()) {
            return to.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new ByteRange(Math.max(0, size - Integer.parseInt(to)), size));
        }
        int first = Integer.parseInt(from);
        int last = to.isEmpty() ? size - 1 : Integer.parseInt(to);
        return last < first && !to.isEmpty()
                ? Optional.empty()
                : Optional.of(new ByteRange(first, Math.min(last, size - 1) + 1));
    }

    /** Whether the block has a byte of the range. */
    boolean isSatisfiable() {
        return first < end;
    }
}
