package dev.pail;

import java.util.StringJoiner;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What became of the things that were tried with one hostile input, each by its name. */
final class HostileSteps {
    static final String OK = "ok";

    /** The only step of an input that is no pail. */
    static final String CALL = "call";

    /** Marks a result that must never occur: an error of another library, or a wrong answer. */
    static final String FOUL = "!";

    private final StringJoiner outcomes = new StringJoiner(" ");
    private String verdict = "accepted";

    void step(String name, Runnable action) {
        step(name, PailException.class, action);
    }

    /** @param documented what the action may throw */
    void step(String name, Class<? extends RuntimeException> documented, Runnable action) {
        attempt(name, documented, () -> {
            action.run();
            return name;
        });
    }

    /** The result of an action, or null where it failed. */
    <T> @Nullable T attempt(String name, Supplier<T> action) {
        return attempt(name, PailException.class, action);
    }

    private <T> @Nullable T attempt(String name, Class<? extends RuntimeException> documented, Supplier<T> action) {
        try {
            T result = action.get();
            outcomes.add(name + '=' + OK);
            return result;
        } catch (Throwable thrown) {
            note(name, documented.isInstance(thrown) ? thrown.getClass().getSimpleName() : FOUL + describe(thrown));
            return null;
        }
    }

    private void note(String name, String outcome) {
        outcomes.add(name + '=' + outcome);
        boolean worse = outcome.startsWith(FOUL) && !verdict.startsWith(FOUL);
        if (worse || verdict.equals("accepted")) {
            verdict = outcome;
        }
    }

    private static String describe(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        String place = trace.length == 0 ? "" : "@" + trace[0];
        return (thrown + place).replaceAll("\\s+", "_");
    }

    /** {@code accepted}, or the first error; a foul one before others. */
    String verdict() {
        return verdict;
    }

    /** All steps with their outcomes, as {@code name=outcome}, and a space between. */
    @Override
    public String toString() {
        return outcomes.toString();
    }
}
