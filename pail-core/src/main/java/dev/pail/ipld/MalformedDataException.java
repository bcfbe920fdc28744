package dev.pail.ipld;

import dev.pail.Escapes;
import dev.pail.PailException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes or text that break a rule of their format: not a CID, not canonical dag-cbor, no CAR file, no proof or no key of a namespace.
 * {@link #subject} says which; a block that should be a shard or an event is a {@link dev.pail.BlockException}.
 *
 * <pre>{@code
 * try {
 *     Cid cid = Cid.parse("bafk!");
 * } catch (MalformedDataException e) {
 *     System.err.println("at character " + e.offset() + ": " + e.rule());
 * }
 * }</pre>
 */
public final class MalformedDataException extends PailException {
    /** What the bytes or the text should be. */
    public enum Subject {
        /** Bytes in an encoding, such as dag-cbor. */
        DATA("malformed-data", Kind.MALFORMED),
        /** The text of a CID. */
        CID("malformed-data", Kind.MALFORMED),
        /** A CAR file: it is none, or it is truncated or damaged. */
        CAR("malformed-car", Kind.DAMAGED),
        /** A proof: it is none, or exceeds the limits of the reader. */
        PROOF("malformed-proof", Kind.MALFORMED),
        /** A key of a namespace, or a part of one. */
        KEY("malformed-key", Kind.MALFORMED);

        private final String code;
        private final Kind kind;

        Subject(String code, Kind kind) {
            this.code = code;
            this.kind = kind;
        }

        private String begin() {
            return switch (this) {
                case DATA -> "";
                case CID -> "not a CID: ";
                case CAR -> "malformed CAR: ";
                case PROOF -> "malformed proof: ";
                case KEY -> "malformed key: ";
            };
        }
    }

    private final Subject subject;
    private final @Nullable String source;
    private final long offset;
    private final String rule;

    /** Malformed {@link Subject#DATA}. */
    public MalformedDataException(long offset, String rule) {
        this(Subject.DATA, null, offset, rule, null);
    }

    private MalformedDataException(
            Subject subject, @Nullable String source, long offset, String rule, @Nullable Throwable cause) {
        super(subject.begin() + shown(subject, source) + rule + " (at offset " + offset + ")", cause);
        this.subject = subject;
        this.source = source;
        this.offset = offset;
        this.rule = rule;
    }

    /** A text that should be a CID. */
    static MalformedDataException ofCid(String text, MalformedDataException wrong) {
        return new MalformedDataException(Subject.CID, text, wrong.offset, wrong.rule, null);
    }

    /**
     * A malformed CAR file.
     *
     * @param source the file or address; empty if unknown
     */
    public static MalformedDataException ofCar(String source, long offset, String rule, @Nullable Throwable cause) {
        return new MalformedDataException(Subject.CAR, source.isEmpty() ? null : source, offset, rule, cause);
    }

    /** A malformed proof. */
    public static MalformedDataException ofProof(long offset, String rule) {
        return new MalformedDataException(Subject.PROOF, null, offset, rule, null);
    }

    /** A malformed key of a namespace. */
    public static MalformedDataException ofKey(String key, long offset, String rule) {
        return new MalformedDataException(Subject.KEY, key, offset, rule, null);
    }

    private static String shown(Subject subject, @Nullable String source) {
        if (source == null) {
            return "";
        }
        return (subject == Subject.CAR ? source : Escapes.brief(source)) + ": ";
    }

    /** Returns what the bytes or the text should be. */
    public Subject subject() {
        return subject;
    }

    /** Returns the file or the address of a CAR file, or the text of a key or CID; empty if unknown. */
    public Optional<String> source() {
        return Optional.ofNullable(source);
    }

    /**
     * Returns the place of the error: an index into the bytes or the text that was read; of a CAR file, bytes from its start. It is 0 if
     * the error is in the bytes that a text encodes, and the length of a text that ends too early.
     */
    public long offset() {
        return offset;
    }

    /** The rule that was broken. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return subject.code;
    }

    @Override
    public Kind kind() {
        return subject.kind;
    }
}
