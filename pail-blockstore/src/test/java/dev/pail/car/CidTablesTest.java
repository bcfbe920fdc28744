package dev.pail.car;

import static dev.pail.car.Cars.raw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.dag.CidSet;
import dev.pail.ipld.Cid;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The tables in memory that CIDs are looked up in. */
class CidTablesTest {
    private static final int MANY = 20_000;

    private static Cid cid(int number) {
        return raw("block " + number).cid();
    }

    @Test
    void aSetKnowsWhatWasAddedAndNothingElse() {
        CidSet set = new CidSet();
        for (int i = 0; i < MANY; i++) {
            assertThat(set.add(cid(i))).isTrue();
        }
        assertThat(set.size()).isEqualTo(MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(set.contains(cid(i))).isTrue();
            assertThat(set.add(cid(i))).isFalse();
            assertThat(set.contains(cid(MANY + i))).isFalse();
        }
        assertThat(set.size()).isEqualTo(MANY);
    }

    @Test
    void anIndexFindsEveryOffset() {
        SectionIndex index = new SectionIndex();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            index.add(cid(i), 1 + i, offset -> offset == 1 + number);
            index.add(cid(i), SectionIndex.MAX_FILE - 1, offset -> offset == 1 + number);
        }
        assertThat(index.size()).isEqualTo(MANY);
        for (int i = 0; i < MANY; i++) {
            int number = i;
            assertThat(index.find(cid(i), offset -> Optional.of(offset).filter(each -> each == 1 + number)))
                    .contains(1L + i);
        }
    }

    /** If two hashes are equal, the contents of the file decide. */
    @Test
    void anIndexGoesOnWhereAnotherCidHasTheSameHash() {
        SectionIndex index = new SectionIndex();
        index.add(cid(1), 10, offset -> false);
        index.add(cid(1), 20, offset -> false);
        assertThat(index.find(cid(1), offset -> Optional.of(offset).filter(each -> each == 20)))
                .contains(20L);
        assertThat(index.find(cid(1), offset -> Optional.empty())).isEmpty();
    }
}
