package dev.pail.cli.terminal;

/**
 * What is said of an {@link Error} of Java that ends the command. Uses nothing but Java itself: the libraries may be what is missing.
 *
 * @param code for programs, as in {@code docs/errors.md}
 */
public record JavaFailure(String code, String message, String hint) {
    /** The environment variable that asks for stack traces and for the lines of the library's logger. */
    public static final String TRACE = "PAIL_TRACE";

    public static JavaFailure of(Throwable error) {
        if (error instanceof OutOfMemoryError) {
            return String.valueOf(error.getMessage()).contains("native thread")
                    ? new JavaFailure("memory", "the system starts no more threads", "see the limit with: ulimit -u")
                    : new JavaFailure(
                            "memory",
                            "not enough memory for this",
                            "give it more with, for example: export JDK_JAVA_OPTIONS=-Xmx8g");
        }
        String message = "Java cannot continue: " + text(error);
        if (error instanceof StackOverflowError) {
            return new JavaFailure(
                    "java", message, "give it a larger stack with, for example: export JDK_JAVA_OPTIONS=-Xss16m");
        }
        if (error instanceof LinkageError) {
            return new JavaFailure(
                    "java",
                    message,
                    "a part of pail may be missing: install it again; or too few files can be open: ulimit -n");
        }
        return new JavaFailure("java", message, "please report it, with what it prints after: export " + TRACE + "=1");
    }

    /** The error, and what it comes from if it does not say so: that is why a class could not be initialized. */
    private static String text(Throwable error) {
        Throwable cause = error.getCause();
        return error.getMessage() == null && cause != null ? error + ": " + cause : error.toString();
    }
}
