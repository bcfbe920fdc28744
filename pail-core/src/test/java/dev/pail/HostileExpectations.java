package dev.pail;

import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what became of a hostile input with what must. */
final class HostileExpectations {
    private static final long MORE_BYTES = 1 << 20;

    /** The memory limit for all work on an input, in addition to a limit for each of its first bytes. */
    private static final long MOST_BYTES = 64 << 20;

    private static final long MOST_FOR_A_BYTE = 1 << 10;
    private static final long FIRST_BYTES = 448 << 10;

    /** So often a block is read by all that is done, and so often some block where many entries are listed. */
    private static final long MOST_FOR_A_BLOCK = 20;

    private static final long MOST_FOR_LISTS = 8_000;

    private static final Set<String> NO_SHARD = Set.of(name(MalformedBlockException.class));

    private static final Set<String> BAD_BLOCKS = Set.of(
            name(MalformedBlockException.class), name(CorruptBlockException.class), name(MissingBlockException.class));

    /** A key that leads through more shards than a key can is one that no put takes. */
    private static final Set<String> BAD_BLOCKS_OR_KEY = Set.of(
            name(MalformedBlockException.class),
            name(CorruptBlockException.class),
            name(MissingBlockException.class),
            name(KeyNotAllowedException.class));

    private final HostileInput input;
    private final HostileReport report;
    private final List<String> complaints = new ArrayList<>();

    private HostileExpectations(HostileInput input, HostileReport report) {
        this.input = input;
        this.report = report;
    }

    private static String name(Class<? extends PailException> error) {
        return error.getSimpleName();
    }

    /** What is not as it must be. */
    static List<String> complaints(HostileInput input, HostileReport report) {
        HostileExpectations expectations = new HostileExpectations(input, report);
        expectations.checkOutcomes(report.outcomes());
        expectations.checkCosts();
        return expectations.complaints;
    }

    private void complainIf(boolean wrong, String complaint) {
        if (wrong) {
            complaints.add(complaint);
        }
    }

    private void checkOutcomes(Map<String, String> outcomes) {
        outcomes.forEach((step, outcome) ->
                complainIf(outcome.startsWith(HostileSteps.FOUL), step + " ends in " + outcome.substring(1)));
        switch (input.expected()) {
            case REFUSED -> refusedAtOnce(outcomes, BAD_BLOCKS);
            case MALFORMED -> {
                refusedAtOnce(outcomes, NO_SHARD);
                refused(outcomes, "generic", Set.of(name(MalformedDataException.class)));
            }
            case NO_SHARD -> {
                refusedAtOnce(outcomes, NO_SHARD);
                accepted(outcomes, "generic");
            }
            case REFUSED_BELOW -> {
                accepted(outcomes, "open");
                List.of("get0", "statistics", "entries", "descending", "delete", "batch", "verify")
                        .forEach(step -> refused(outcomes, step, BAD_BLOCKS));
                refused(outcomes, "put", BAD_BLOCKS_OR_KEY);
            }
            case ACCEPTED -> outcomes.keySet().forEach(step -> accepted(outcomes, step));
            case BOUNDED -> {}
        }
    }

    private void refusedAtOnce(Map<String, String> outcomes, Set<String> errors) {
        String call = outcomes.get(HostileSteps.CALL);
        if (call != null) {
            // What it may throw was looked at where it was called.
            complainIf(HostileSteps.OK.equals(call), "the call goes well");
            return;
        }
        refused(outcomes, "open", errors);
        refused(outcomes, "verify", errors);
    }

    private void refused(Map<String, String> outcomes, String step, Set<String> errors) {
        String outcome = outcomes.get(step);
        complainIf(
                outcome == null || !errors.contains(outcome),
                step + " ends in " + outcome + ", and not in any of " + errors);
    }

    private void accepted(Map<String, String> outcomes, String step) {
        complainIf(!HostileSteps.OK.equals(outcomes.get(step)), step + " does not go well: " + outcomes.get(step));
    }

    private boolean isRefused() {
        return switch (input.expected()) {
            case REFUSED, MALFORMED, NO_SHARD -> true;
            case REFUSED_BELOW, ACCEPTED, BOUNDED -> false;
        };
    }

    private void checkCosts() {
        boolean oneBlock = report.blocks() == 1;
        long mostReads = MOST_FOR_A_BLOCK * report.blocks() + MOST_FOR_LISTS;
        complainIf(report.reads() > mostReads, "it reads " + report.reads() + " blocks, over " + mostReads);
        long most = MOST_BYTES + MOST_FOR_A_BYTE * Math.min(report.size(), FIRST_BYTES);
        complainIf(report.allocated() > most, "it allocates " + report.allocated() + " bytes, over " + most);
        if (oneBlock && isRefused()) {
            long mostBytes = 16 * report.size() + MORE_BYTES;
            complainIf(
                    report.allocated() > mostBytes, "it allocates " + report.allocated() + " bytes, over " + mostBytes);
        }
    }
}
