package dev.pail.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clones by a program. The command tests those over HTTP. */
class CloneTest {
    private final Repository there = Repository.inMemory();
    private final Repository here = Repository.inMemory();
    private final Remote remote = RepositoryRemote.of(there, "there");

    @AfterEach
    void close() {
        there.close();
        here.close();
    }

    private static void put(Repository repository, String branch, String key) {
        repository.update(branch, pail -> pail.putBytes(key, new byte[] {1, 2}));
    }

    /** Two branches, the second of which is the current one. */
    private void fill() {
        put(there, "main", "a");
        Snapshot unused = there.branches().create("draft", there.head("main"));
        there.branches().switchTo("draft");
        put(there, "draft", "b");
    }

    private Exchange exchange() {
        return Exchange.of(here, "origin", remote);
    }

    @Test
    void allBranchesAreThereAndTheCurrentOneIsMade() {
        fill();
        long[] blocks = {0};
        Exchange.Cloned cloned = exchange().withProgress(() -> blocks[0]++).cloneAll(remote.info());
        assertThat(cloned.current().branch()).isEqualTo("draft");
        assertThat(cloned.current().head()).isEqualTo(there.head("draft"));
        assertThat(cloned.fetched()).extracting(FetchResult::ref).containsExactly("origin/draft", "origin/main");
        assertThat(blocks[0]).isGreaterThanOrEqualTo(6);
        assertThat(here.branches().current()).isEqualTo("draft");
        assertThat(here.head("main")).isEqualTo(Head.empty());
        assertThat(here.pail("draft").getBytes("b")).isPresent();
        assertThat(here.history().log("draft").toList()).hasSize(1);
        assertThat(exchange().fetchAll()).noneMatch(FetchResult::isChanged);
    }

    @Test
    void mainMovesToTheHeadOfTheRemote() {
        put(there, "main", "a");
        Exchange.Cloned cloned = exchange().withoutValues().cloneAll(remote.info());
        assertThat(cloned.current()).isEqualTo(here.snapshot("main"));
        assertThat(here.head("main")).isEqualTo(there.head("main"));
        Cid value = here.pail().get("a").orElseThrow();
        assertThat(here.blocks().has(value)).isFalse();
    }

    @Test
    void anEmptyRemoteGivesAnEmptyBranch() {
        assertThat(exchange().cloneAll(remote.info()).current().head()).isEqualTo(Head.empty());
        assertThat(here.history().log("main").toList()).isEmpty();
        Snapshot unused = there.branches().create("empty", Head.empty());
        there.branches().switchTo("empty");
        Exchange.Cloned cloned = exchange().cloneAll(remote.info());
        assertThat(cloned.current().branch()).isEqualTo("empty");
        assertThat(here.branches().current()).isEqualTo("empty");
        assertThat(here.branches().names()).containsExactly("empty", "main");
    }

    @Test
    void anInterruptedCloneIsContinued() {
        fill();
        Exchange broken = exchange().withProgress(() -> {
            throw new IllegalStateException("broken off");
        });
        assertThatThrownBy(() -> assertThat(broken.cloneAll(remote.info())).isNull())
                .hasMessage("broken off");
        assertThat(here.branches().names()).containsExactly("main");
        assertThat(exchange().cloneAll(remote.info()).current().head()).isEqualTo(there.head("draft"));
    }

    @Test
    void aRepositoryWithChangesIsRefused() {
        fill();
        put(here, "main", "own");
        Head before = here.head("main");
        assertThatThrownBy(() -> assertThat(exchange().cloneAll(remote.info())).isNull())
                .isInstanceOfSatisfying(RepositoryException.class, e -> {
                    assertThat(e.reason()).isEqualTo(RepositoryException.Reason.EXISTS);
                    assertThat(e).hasMessageContaining("there").hasMessageContaining("\"main\"");
                });
        assertThat(here.head("main")).isEqualTo(before);
        assertThat(here.refs().trackings()).isEmpty();
    }

    @Test
    void erasedValuesDoNotComeIn() {
        put(there, "main", "a");
        Cid value = there.pail().get("a").orElseThrow();
        assertThat(there.maintenance().erasing().erase(List.of(value)).values()).hasSize(1);
        Exchange.Cloned cloned = exchange().cloneAll(remote.info());
        assertThat(cloned.current().head()).isEqualTo(there.head("main"));
        assertThat(here.blocks().isErased(value)).isTrue();
    }
}
