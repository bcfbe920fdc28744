package dev.pail.car;

import dev.pail.PailException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that break a rule of the CAR format, or end where more must follow.
 *
 * <pre>{@code
 * try (CarReader reader = CarReader.open(file)) {
 *     reader.forEach(section -> blocks.put(section.block()));
 * } catch (MalformedCarException e) {
 *     System.err.println(e.source() + ", at byte " + e.offset() + ": " + e.rule());
 * }
 * }</pre>
 */
public final class MalformedCarException extends PailException {
    private final String source;
    private final long offset;
    private final String rule;

    /**
     * @param source the file or address; empty if unknown
     * @param offset in bytes from the start of the file
     */
    public MalformedCarException(String source, long offset, String rule, @Nullable Throwable cause) {
        super(
                "malformed CAR: " + (source.isEmpty() ? "" : source + ": ") + rule + " (at offset " + offset + ")",
                cause);
        this.source = source;
        this.offset = offset;
        this.rule = rule;
    }

    /** Returns the file or address; empty if unknown. */
    public String source() {
        return source;
    }

    /** Where the rule is broken, in bytes from the start of the file. */
    public long offset() {
        return offset;
    }

    /** The rule that is broken. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return "malformed-car";
    }

    @Override
    public Kind kind() {
        return Kind.DAMAGED;
    }
}
