package dev.pail.server;

import dev.pail.repository.Snapshot;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * What a write follows: {@code If-Match: "7"}, the generation 7 of its branch; {@code If-Match: *}, whichever the branch has;
 * {@code If-None-Match: *}, no branch of this name. A request without these headers is as one with {@code If-Match: *}, where tokens say who
 * sends it. A page of another origin cannot send these headers, so a server without tokens demands one.
 */
final class Precondition {
    private static final Pattern GENERATION = Pattern.compile("\"([0-9]{1,18})\"");

    private static final long ANY = -1;
    private static final long ABSENT = -2;

    private final long generation;

    private Precondition(long generation) {
        this.generation = generation;
    }

    /** @throws Refusal if the headers are something else, or there is none and must be */
    static Precondition of(Request request) {
        List<String> match = request.getHeaders().getValuesList(HttpHeader.IF_MATCH);
        List<String> noneMatch = request.getHeaders().getValuesList(HttpHeader.IF_NONE_MATCH);
        if (match.isEmpty() && noneMatch.isEmpty()) {
            if (Caller.of(request).equals(Caller.LOCAL)) {
                throw Refusal.preconditionRequired(
                        "a server without tokens takes a write with If-Match: \"GENERATION\","
                                + " If-Match: * or If-None-Match: * only");
            }
            return new Precondition(ANY);
        }
        if (match.isEmpty() && noneMatch.equals(List.of("*"))) {
            return new Precondition(ABSENT);
        }
        if (noneMatch.isEmpty() && match.size() == 1) {
            Matcher matcher = GENERATION.matcher(match.get(0));
            if (matcher.matches()) {
                return new Precondition(Long.parseLong(matcher.group(1)));
            }
            if (match.get(0).equals("*")) {
                return new Precondition(ANY);
            }
        }
        throw Refusal.malformed(
                "a write has one of If-Match: \"GENERATION\", where the generation is a number, If-Match: * and If-None-Match: *");
    }

    /** Whether the branch must be absent. */
    boolean isAbsent() {
        return generation == ABSENT;
    }

    /** @throws Refusal if a branch that is there is not what the write follows */
    void check(Snapshot branch) {
        if (generation >= 0 && generation != branch.generation()) {
            throw Refusal.preconditionFailed(
                    "ref-moved",
                    "the branch " + branch.branch() + " is at generation " + branch.generation() + ", not "
                            + generation);
        }
    }

    /** The branch is there and must not be. */
    static Refusal present(String branch) {
        return Refusal.preconditionFailed("already-exists", "there is a branch or a tag " + branch + " already");
    }
}
