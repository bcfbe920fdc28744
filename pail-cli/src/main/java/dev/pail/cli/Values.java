package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.Arrays;
import java.util.Optional;

/** Values as users write them. */
final class Values {
    private Values() {}

    /** The bytes that a CID has itself, in the place of their hash: no store has a block of them. */
    static Optional<byte[]> inlined(Cid cid) {
        if (cid.hashFunction() != Cid.IDENTITY) {
            return Optional.empty();
        }
        byte[] multihash = cid.multihash();
        int length = 1;
        // Behind the function, which is one byte, the length is a varint: its last byte is the first without the
        // highest bit.
        while (multihash[length] < 0) {
            length++;
        }
        return Optional.of(Arrays.copyOfRange(multihash, length + 1, multihash.length));
    }

    static Cid parse(String text) {
        try {
            return Cid.parse(text);
        } catch (MalformedDataException e) {
            throw new Failure.Found(
                    Exit.FAILED, "value", "not a CID: " + Escapes.brief(text) + ": " + e.getMessage(), null);
        }
    }
}
