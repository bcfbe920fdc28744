package dev.pail.repository.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.RepositoryException.Reason;
import org.junit.jupiter.api.Test;

/** Revisions by the number of changes before another one, and HEAD (spec rule REP27). */
class StepsBackTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final Repository repository = Repository.inMemory().withNote(Note.of("Ann", null));

    private Head put(String branch, String key) {
        repository.update(branch, pail -> pail.put(key, VALUE));
        return repository.head(branch);
    }

    private Head at(String text) {
        return repository.resolveHead(text).orElseThrow();
    }

    @Test
    void goesBackByChanges_REP27() {
        Head one = put("main", "a");
        Head two = put("main", "b");
        repository.update("main", StepsBackTest::large);
        Head three = repository.head("main");
        Head four = put("main", "c");
        repository.tags().create("opening", two);

        assertThat(at("HEAD")).isEqualTo(four);
        assertThat(at("main~0")).isEqualTo(four);
        assertThat(at("HEAD~")).isEqualTo(three);
        assertThat(at("HEAD~2")).as("a change of several events counts once").isEqualTo(two);
        assertThat(at("HEAD~~2")).isEqualTo(one);
        assertThat(at("opening~1")).isEqualTo(one);
        assertThat(at("main@2~1")).isEqualTo(one);
        assertThat(at(two.events().get(0).toString().substring(0, 30) + "~")).isEqualTo(one);
        assertThat(repository.resolve("main~4").pail().entries()).isEmpty();
        assertThatThrownBy(() -> at("main~5"))
                .isInstanceOfSatisfying(
                        RepositoryException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_VERSION))
                .hasMessage("main has 4 changes, not 5");
        for (String none : new String[] {"main~x", "main~-1", "main~1234567890", "~1", "nothing~1"}) {
            assertThatThrownBy(() -> at(none)).isInstanceOf(RepositoryException.class);
        }
    }

    private static Pail large(Pail pail) {
        Batch batch = pail.batch();
        for (int i = 0; i < 12_000; i++) {
            batch.put("key/" + i, VALUE);
        }
        return batch.commit();
    }

    @Test
    void namesNoneAmongSeveral_REP27() {
        Head base = put("main", "a");
        repository.branches().create("side", base);
        Head left = put("main", "b");
        Head right = put("side", "c");
        repository.merge("main", "side", MergeOptions.DEFAULT);

        assertThatThrownBy(() -> at("main~1"))
                .isInstanceOfSatisfying(
                        RepositoryException.class, e -> assertThat(e.reason()).isEqualTo(Reason.AMBIGUOUS))
                .hasMessageStartingWith("main has 2 newest events, so ~ names no single version: ")
                .hasMessageContainingAll(
                        left.events().get(0).toString(), right.events().get(0).toString());
        Cid last = put("main", "d").events().get(0);
        assertThatThrownBy(() -> at("HEAD~2"))
                .hasMessageStartingWith("the change " + last + " follows 2 events, so ~ names no single version: ");
        assertThat(at(left.events().get(0) + "~1")).isEqualTo(base);
    }

    @Test
    void aBranchOrATagOfTheNameWins_REP27() {
        Head one = put("main", "a");
        put("main", "b");
        repository.tags().create("HEAD", one);
        assertThat(at("HEAD")).isEqualTo(one);
        repository.tags().remove("HEAD");
        repository.branches().create("HEAD", one);
        assertThat(at("HEAD")).isEqualTo(one);
        Head three = put("HEAD", "c");
        assertThat(at("HEAD@0")).isEqualTo(three);
        assertThat(at("HEAD~")).isEqualTo(one);
    }
}
