package dev.pail.cli;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.Optional;

/** Values as users write them. */
final class Values {
    private Values() {}

    /** The bytes that a CID has itself, in the place of their hash: no store has a block of them. */
    static Optional<byte[]> inlined(Cid cid) {
        return cid.hashFunction() == Cid.IDENTITY ? Optional.of(cid.digest()) : Optional.empty();
    }

    static Cid parse(String text) {
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "value",
                    Failure.message(e),
                    "a value is a CID; to keep bytes: pail put KEY --file FILE, or --file - for standard input");
        }
    }
}
