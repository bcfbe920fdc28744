package dev.pail.ipld;

import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.HexFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks that something is refused, and refused with an offset that makes sense. */
final class Refusals {
    private Refusals() {}

    /** Returns the refusal of an input of {@code length} bytes or characters. */
    static MalformedDataException refusal(String what, int length, ThrowingCallable reading) {
        Throwable thrown = catchThrowable(reading);
        if (!(thrown instanceof MalformedDataException refusal)) {
            throw new AssertionError(thrown == null ? "accepted: " + what : what, thrown);
        }
        if (refusal.offset() < 0 || refusal.offset() > length) {
            throw new AssertionError("offset outside of " + length + ": " + what, refusal);
        }
        return refusal;
    }

    static MalformedDataException ofCid(byte[] bytes) {
        return refusal(HexFormat.of().formatHex(bytes), bytes.length, () -> Cid.fromBytes(bytes));
    }

    static MalformedDataException ofCid(String text) {
        return refusal(text, text.length(), () -> Cid.parse(text));
    }

    /** The refusal of dag-cbor, which is the same when it is checked and when it is copied. */
    static MalformedDataException ofDagCbor(byte[] bytes) {
        String what = HexFormat.of().formatHex(bytes);
        MalformedDataException copying = refusal(what, bytes.length, () -> Transcoder.transcode(bytes));
        MalformedDataException checking = refusal(what, bytes.length, () -> Transcoder.check(bytes));
        if (checking.offset() != copying.offset() || !checking.rule().equals(copying.rule())) {
            throw new AssertionError(what + ": " + checking.getMessage() + ", but " + copying.getMessage());
        }
        return checking;
    }
}
