package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;

/** Values as users write them. */
final class Values {
    private Values() {}

    static Cid parse(String text) {
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            throw new Failure.Found(
                    Exit.FAILED, "value", "not a CID: " + Escapes.brief(text) + ": " + e.getMessage(), null);
        }
    }
}
