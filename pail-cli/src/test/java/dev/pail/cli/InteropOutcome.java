package dev.pail.cli;

import dev.pail.KeyNotAllowedException;
import dev.pail.LimitException;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import java.util.Optional;

/**
 * What came of a change.
 *
 * @param root the new root, if the change was made
 * @param refusal why it was not; empty, if it was
 */
record InteropOutcome(Optional<Cid> root, String refusal) {
    static final InteropOutcome LIMIT = failure("limit");
    static final InteropOutcome KEY = failure("key");

    static InteropOutcome root(Cid root) {
        return new InteropOutcome(Optional.of(root), "");
    }

    static InteropOutcome failure(String refusal) {
        return new InteropOutcome(Optional.empty(), refusal);
    }

    /** What we make of a change. */
    static InteropOutcome of(Pail pail, InteropHistory.Change change) {
        try {
            return root(change.applyTo(pail).root());
        } catch (LimitException e) {
            return LIMIT;
        } catch (KeyNotAllowedException e) {
            return KEY;
        }
    }

    @Override
    public String toString() {
        return root.map(Cid::toString).orElse("refused: " + refusal);
    }
}
