package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.car.Completeness;
import dev.pail.clock.Head;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What holds after all that writers, collectors and servers went through. */
final class UpdateChecks {
    private UpdateChecks() {}

    /**
     * Checks that a log has each generation once, and that each update goes from where the one before led to.
     *
     * @return the reasons, oldest first
     */
    static List<String> linear(RefStore refs, String branch) {
        BranchState state = refs.branch(branch);
        List<LogEntry> log;
        try (Stream<LogEntry> entries = refs.log(state).stream()) {
            log = new ArrayList<>(entries.toList());
        }
        Collections.reverse(log);
        Head head = Head.empty();
        for (int i = 0; i < log.size(); i++) {
            assertThat(log.get(i).generation()).as(branch).isEqualTo(i + 1);
            assertThat(log.get(i).from()).as("%s, generation %s", branch, i + 1).isEqualTo(head);
            head = log.get(i).to();
        }
        assertThat(state.generation()).isEqualTo(log.size());
        assertThat(state.head()).isEqualTo(head);
        return log.stream().map(LogEntry::reason).toList();
    }

    /** Checks that the reasons in a log are the keys that are there, each of one update. */
    static Set<String> once(Repository repository, String branch) {
        List<String> reasons = linear(repository.refs(), branch);
        Set<String> keys = new HashSet<>(reasons);
        assertThat(reasons).as("each change of %s is made once", branch).hasSize(keys.size());
        assertThat(Listing.entries(repository.pail(branch)).keySet()).as(branch).isEqualTo(keys);
        return keys;
    }

    /** Checks that all is there that heads need, and all values. */
    static void whole(Repository repository) {
        assertThat(sound(repository, VerifyOptions.DEFAULT.withValues()).absentValues())
                .isZero();
    }

    /** Checks that all is there that heads need. */
    static VerifyReport sound(Repository repository, VerifyOptions options) {
        for (String branch : repository.branches().names()) {
            Completeness.require(
                    repository.blocks(), repository.snapshot(branch).head().events());
        }
        VerifyReport report = repository.verify(options);
        assertThat(report.problems()).isEmpty();
        return report;
    }
}
