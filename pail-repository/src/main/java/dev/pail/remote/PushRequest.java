package dev.pail.remote;

import dev.pail.clock.Head;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RefToken;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request to move a remote branch to a head (SY6). Immutable.
 *
 * <pre>{@code
 * Snapshot snapshot = repository.snapshot("main");
 * Optional<RefToken> seen = Optional.of(snapshot.token());
 * PushRequest request = new PushRequest("main", snapshot.head(), seen, PushMode.FAST_FORWARD);
 * }</pre>
 *
 * @param branch its name there
 * @param head the new head
 * @param expected names the current state of the branch; empty if it is absent or has no events
 * @param mode what the push may do
 * @param reason the reason for the log: {@link LogEntry#PUSH}, or that of an undo or a redo, {@code undo to generation N}
 */
public record PushRequest(String branch, Head head, Optional<RefToken> expected, PushMode mode, String reason) {
    private static final Pattern STEP = Pattern.compile("(undo|redo) to generation (0|[1-9][0-9]{0,17})");

    /** @throws IllegalArgumentException if the head is empty, or there is another reason, or one of an undo without {@link PushMode#FORCE} */
    public PushRequest {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(expected, "expected");
        Objects.requireNonNull(mode, "mode");
        if (head.isEmpty()) {
            throw new IllegalArgumentException("a push moves a branch to an event");
        }
        if (!reason.equals(LogEntry.PUSH) && (mode != PushMode.FORCE || !isStep(reason))) {
            throw new IllegalArgumentException("a push that forces is an undo or a redo, and no other has a reason");
        }
    }

    /** A request with the reason {@link LogEntry#PUSH}. */
    public PushRequest(String branch, Head head, Optional<RefToken> expected, PushMode mode) {
        this(branch, head, expected, mode, LogEntry.PUSH);
    }

    /** Whether the reason of a ref update is that of an undo or a redo. */
    public static boolean isStep(String reason) {
        return STEP.matcher(reason).matches();
    }

    /** The query of the request. */
    String query() {
        String query = switch (mode) {
            case FAST_FORWARD -> "";
            case MERGE -> "?merge=1";
            case FORCE -> "?force=1";
            case CONVERT -> "?force=1&convert=1";
        };
        Matcher step = STEP.matcher(reason);
        return step.matches() ? query + "&" + step.group(1) + "=" + step.group(2) : query;
    }

    /** Whether the update that an undo or a redo names led to the head. So the log of a branch tells no wrong way. Rule SY29. */
    boolean fitsLog(RefStore refs, Snapshot now) {
        Matcher step = STEP.matcher(reason);
        if (!step.matches()) {
            return true;
        }
        long generation = Long.parseLong(step.group(2));
        try (RefLog log = refs.log(branch, now.head(), now.generation())) {
            for (LogEntry entry = log.next(); entry != null && entry.generation() >= generation; entry = log.next()) {
                if (entry.generation() == generation) {
                    return entry.to().equals(head);
                }
            }
        }
        return false;
    }
}
