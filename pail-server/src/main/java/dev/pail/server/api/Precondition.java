package dev.pail.server.api;

import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.Snapshot;
import dev.pail.server.http.Caller;
import dev.pail.server.http.EntityTags;
import dev.pail.server.http.Refusal;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a write follows: {@code If-Match} with the {@code ETag} of its branch, or with its generation alone, as in {@code "7"}; {@code If-Match: *},
 * any state of the branch; {@code If-None-Match: *}, no branch of this name. A request without these headers is as one with {@code If-Match: *}, where tokens say who
 * sends it. A page of another origin cannot send these headers, so a server without tokens demands one.
 */
final class Precondition {
    private static final Precondition ANY = new Precondition(null);
    private static final Precondition ABSENT = new Precondition(null);

    private final @Nullable RefToken state;

    private Precondition(@Nullable RefToken state) {
        this.state = state;
    }

    /** @throws Refusal if the headers are something else, or there is none and must be */
    static Precondition of(Request request) {
        List<String> match = request.getHeaders().getValuesList(HttpHeader.IF_MATCH);
        List<String> noneMatch = request.getHeaders().getValuesList(HttpHeader.IF_NONE_MATCH);
        if (match.isEmpty() && noneMatch.isEmpty()) {
            if (Caller.of(request).equals(Caller.LOCAL)) {
                throw Refusal.preconditionRequired(
                        "a server without tokens takes a write with If-Match and the ETag of the branch,"
                                + " If-Match: * or If-None-Match: * only");
            }
            return ANY;
        }
        if (match.isEmpty() && noneMatch.equals(List.of("*"))) {
            return ABSENT;
        }
        if (noneMatch.isEmpty() && match.size() == 1) {
            Optional<RefToken> tag = EntityTags.read(match.get(0));
            if (tag.isPresent()) {
                return new Precondition(tag.get());
            }
            if (match.get(0).equals("*")) {
                return ANY;
            }
        }
        throw Refusal.malformed(
                "a write has one of If-Match with the ETag or the generation of the branch in quotes, If-Match: * and If-None-Match: *");
    }

    /** Whether the write follows any state of the branch. */
    boolean isAny() {
        return this == ANY;
    }

    /** Whether the branch must be absent. */
    boolean isAbsent() {
        return this == ABSENT;
    }

    /** @throws Refusal if a branch that is there is not what the write follows */
    void check(Snapshot branch) {
        if (state == null || state.fits(branch.token())) {
            return;
        }
        boolean isOtherHead = state.generation() == branch.generation();
        throw Refusal.preconditionFailed(
                "ref-moved",
                "the branch " + branch.branch() + " is at generation " + branch.generation()
                        + (isOtherHead ? " with another head than " : ", not ")
                        + (isOtherHead ? state : state.generation()));
    }

    /** The branch is there and must not be. */
    static Refusal present(String branch) {
        return Refusal.preconditionFailed("already-exists", "there is a branch or a tag " + branch + " already");
    }
}
