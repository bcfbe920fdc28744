package dev.pail;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares what became of a hostile input with what must. */
final class HostileExpectations {
    private static final long MORE_BYTES = 1 << 20;

    private final HostileInput input;
    private final HostileReport report;
    private final List<String> complaints = new ArrayList<>();

    private HostileExpectations(HostileInput input, HostileReport report) {
        this.input = input;
        this.report = report;
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
            case REFUSED -> refusedAtOnce(outcomes);
            case MALFORMED -> {
                refusedAtOnce(outcomes);
                refused(outcomes, "generic");
            }
            case NO_SHARD -> {
                refusedAtOnce(outcomes);
                accepted(outcomes, "generic");
            }
            case REFUSED_BELOW -> {
                accepted(outcomes, "open");
                List.of("get0", "statistics", "entries", "descending", "put", "delete", "batch", "verify")
                        .forEach(step -> refused(outcomes, step));
            }
            case ACCEPTED -> outcomes.keySet().forEach(step -> accepted(outcomes, step));
            case BOUNDED -> {}
        }
    }

    private void refusedAtOnce(Map<String, String> outcomes) {
        refused(outcomes, outcomes.keySet().iterator().next());
        refused(outcomes, "verify");
    }

    private void refused(Map<String, String> outcomes, String step) {
        complainIf(HostileSteps.OK.equals(outcomes.get(step)), step + " goes well");
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
        complainIf(
                report.micros() > HostileReport.MAX_MICROS,
                "a step takes " + report.micros() + " us of processor time, over " + HostileReport.MAX_MICROS);
        if (oneBlock && isRefused()) {
            long mostBytes = 16 * report.size() + MORE_BYTES;
            complainIf(
                    report.allocated() > mostBytes, "it allocates " + report.allocated() + " bytes, over " + mostBytes);
        }
    }
}
