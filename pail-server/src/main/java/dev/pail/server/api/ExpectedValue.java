package dev.pail.server.api;

import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import java.util.Optional;

/**
 * What a write expects of the key that it changes: the parameter {@code if}, which is a CID, or {@code absent} for no value.
 *
 * @param isAsked whether the request has the parameter
 */
record ExpectedValue(boolean isAsked, Optional<Cid> value) {
    static final String PARAMETER = "if";

    static ExpectedValue of(Parameters parameters) {
        Optional<String> text = parameters.find(PARAMETER);
        Optional<Cid> value = text.flatMap(RequestedVersions::parse);
        if (text.isPresent() && value.isEmpty() && !text.get().equals("absent")) {
            throw Refusal.malformed("if is a CID or absent, not " + Escapes.brief(text.get()));
        }
        return new ExpectedValue(text.isPresent(), value);
    }

    /** Whether the parameter lets a write follow what was found. */
    boolean allows(Optional<Cid> found) {
        return !isAsked || found.equals(value);
    }

    /** The changes, which are refused if the key has another value. */
    Batch in(Batch batch, String key) {
        return isAsked ? batch.expect(key, value) : batch;
    }
}
