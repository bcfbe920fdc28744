package dev.pail.cli.terminal;

import dev.pail.PailException;
import dev.pail.table.DocumentException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A failure as the command shows it to the user.
 *
 * @param exit the exit status
 * @param code what kind of failure it is, for programs: as {@link PailException#code}
 * @param message one line: what happened, to which file, key or CID
 * @param hint one line: what to do about it
 */
public record Failure(
        int exit, String code, String message, @Nullable String hint) {
    private static final String USAGE = "usage";

    /** What is wrong in the text of a filter is wrong usage, and a block that cannot be read is damage. */
    private static final Map<String, Integer> OTHER_EXITS = Map.of(
            "bad-filter", Exit.USAGE,
            "missing-block", Exit.DAMAGED,
            "erased-block", Exit.DAMAGED,
            "unsupported-hash", Exit.DAMAGED);

    /** Trouble that a command found itself. */
    public static final class Found extends RuntimeException {
        private final Failure failure;

        public Found(int exit, String code, String message, @Nullable String hint) {
            super(message);
            this.failure = new Failure(exit, code, message, hint);
        }

        public Failure failure() {
            return failure;
        }
    }

    public static Found usage(String message) {
        return usage(message, null);
    }

    public static Found usage(String message, @Nullable String hint) {
        return new Found(Exit.USAGE, USAGE, message, hint);
    }

    /**
     * That of a command that was interrupted.
     *
     * @param kept what stays
     */
    static Failure interrupted(String kept) {
        return new Failure(Exit.INTERRUPTED, "interrupted", "interrupted: " + kept, null);
    }

    public static Failure of(RuntimeException error) {
        if (error instanceof Found found) {
            return found.failure();
        }
        return error instanceof PailException known
                ? of(known)
                : new Failure(
                        Exit.FAILED,
                        "bug",
                        "a defect in pail: " + error,
                        "please report it, with what it prints after: export " + JavaFailure.TRACE + "=1");
    }

    /** This; of wrong usage, with what says how to use the command. */
    public Failure withHelp(String help) {
        if (!code.equals(USAGE)) {
            return this;
        }
        return new Failure(exit, code, message, "see: " + help + (hint == null ? "" : "; " + hint));
    }

    private static Failure of(PailException error) {
        return new Failure(exit(error), error.code(), sentence(error), FailureHints.of(error));
    }

    private static int exit(PailException error) {
        return switch (error.kind()) {
            case REFUSED, MISSING -> OTHER_EXITS.getOrDefault(error.code(), Exit.FAILED);
            case MALFORMED, STATE, INPUT_OUTPUT, SETUP -> Exit.FAILED;
            case CONFLICT, BUSY -> Exit.CONFLICT;
            case DAMAGED -> Exit.DAMAGED;
            case INTERRUPTED -> Exit.INTERRUPTED;
        };
    }

    private static String sentence(PailException error) {
        if (error instanceof DocumentException) {
            return "no document: " + message(error);
        }
        return FailureHints.isForeign(error)
                ? "an event of another program, whose data are no operation of a pail: " + message(error)
                : message(error);
    }

    public static String message(Throwable error) {
        String message = error.getMessage();
        return message == null ? error.toString() : message;
    }
}
