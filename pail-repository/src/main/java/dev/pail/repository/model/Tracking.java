package dev.pail.repository.model;

import dev.pail.Escapes;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A remote-tracking ref: the head of a remote branch at the last exchange (Rule REP31). The garbage collector keeps its events and
 * their versions.
 *
 * <pre>{@code
 * Tracking seen = new Tracking(12, true, repository.head("main")); // as the ref origin/main
 * boolean isName = Tracking.isName("origin/main"); // true: of the remote origin, its branch main
 * }</pre>
 *
 * @param generation the number of the remote ref update that led to the head, 0 or more
 * @param hasValues whether the exchange included the values of its versions
 * @param head its events
 */
public record Tracking(long generation, boolean hasValues, Head head) {
    private static final Pattern FIRST_LINE = Pattern.compile("generation (0|[1-9][0-9]{0,18}) values (yes|no)");
    private static final int MAX_EVENTS = Event.MAX_PARENTS;

    /** @throws IllegalArgumentException if the generation is negative */
    public Tracking {
        Objects.requireNonNull(head, "head");
        if (generation < 0) {
            throw new IllegalArgumentException("a generation is 0 or more, not " + generation);
        }
    }

    /** Whether a remote can have this name: a name for a branch, without slashes. */
    public static boolean isRemoteName(String remote) {
        return RefName.isValid(remote) && remote.indexOf('/') < 0;
    }

    /** Whether a remote-tracking ref can have this name: that of a remote, a slash, and that of a branch. */
    public static boolean isName(String name) {
        int slash = name.indexOf('/');
        return slash > 0 && isRemoteName(name.substring(0, slash)) && RefName.isValid(name.substring(slash + 1));
    }

    /**
     * Checks that a remote-tracking ref can have this name.
     *
     * @throws RepositoryException if not
     */
    public static void checkName(String name) {
        if (!isName(Objects.requireNonNull(name, "name"))) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not the name of a branch of a remote: " + Escapes.brief(name),
                    "the name of a remote, which has no slash, then a slash and the name of a branch there",
                    null);
        }
    }

    /** The bytes of its file. */
    public byte[] toBytes() {
        String events = head.events().stream().map(event -> event + "\n").collect(Collectors.joining());
        return ("generation " + generation + " values " + (hasValues ? "yes" : "no") + '\n' + events)
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads the bytes of its file.
     *
     * @throws MalformedDataException if {@link #toBytes} never returns such bytes
     */
    public static Tracking parse(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<String> lines = text.lines().limit(MAX_EVENTS + 2L).toList();
        Matcher first = FIRST_LINE.matcher(lines.isEmpty() ? "" : lines.get(0));
        if (!first.matches() || lines.size() > MAX_EVENTS + 1) {
            throw new MalformedDataException(0, "a line with the generation, and at most " + MAX_EVENTS + " events");
        }
        try {
            Head head = Head.of(lines.stream().skip(1).map(Cid::parse).toList());
            Tracking read =
                    new Tracking(Long.parseLong(first.group(1)), first.group(2).equals("yes"), head);
            if (new String(read.toBytes(), StandardCharsets.US_ASCII).equals(text)) {
                return read;
            }
        } catch (IllegalArgumentException e) {
            throw new MalformedDataException(0, String.valueOf(e.getMessage()));
        }
        throw new MalformedDataException(0, "events in order, each once, and each line with its line feed");
    }
}
