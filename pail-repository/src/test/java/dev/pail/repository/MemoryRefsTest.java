package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ShardFormat;
import dev.pail.StoreLockedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.repository.RefStoreContract;
import java.time.Clock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The refs in memory, also without their lock. */
class MemoryRefsTest extends RefStoreContract {
    @Override
    protected RefStore newRefs() {
        return new MemoryRefs();
    }

    @Test
    void c12_anUpdateBeginsNoOther() {
        try (RefStore refs = newRefs()) {
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> refs.update(outer -> refs.update(inner -> "unreached")))
                    .withMessage("locked by an update of this thread: memory");
            assertThat(refs.<String>update(after -> "free")).isEqualTo("free");
        }
    }

    @Nested
    class Competing extends RefStoreContract {
        @Override
        protected RefStore newRefs() {
            return new RecordRefs(new MemoryRefs.Records(), "memory", Clock.systemUTC());
        }

        @Test
        void collectsNothing_G19() {
            try (Repository repository = Repository.open(newRefs(), new MemoryBlocks(), ShardFormat.v1())) {
                Epoch before = repository.refs().epoch();
                assertThat(repository
                                .maintenance()
                                .garbageCollection()
                                .dryRun()
                                .kept()
                                .blocks())
                        .isZero();
                assertThatExceptionOfType(RepositoryException.class)
                        .isThrownBy(repository.maintenance().garbageCollection()::run)
                        .withMessage(
                                "no block is taken away, as the ref store lets writers change refs during a collection: memory")
                        .matches(e -> e.code().equals("not-exclusive")
                                && e.advice().words().contains("isExclusive"));
                assertThat(repository.refs().epoch()).isEqualTo(before);
            }
        }
    }
}
