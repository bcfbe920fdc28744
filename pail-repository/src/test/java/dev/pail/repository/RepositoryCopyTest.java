package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.RepositoryCopy.Copied;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies between repositories by a program. The command tests more of them. */
class RepositoryCopyTest {
    private final Repository from = Repository.inMemory();
    private final Repository to = Repository.inMemory();

    @AfterEach
    void close() {
        from.close();
        to.close();
    }

    private static void put(Repository repository, String branch, String key) {
        repository.update(branch, pail -> pail.putBytes(key, key.getBytes(StandardCharsets.UTF_8)));
    }

    private void branch(String name) {
        Snapshot unused = from.branches().create(name, from.head("main"));
    }

    /** Two branches and a tag between them. */
    private void fill() {
        put(from, "main", "a");
        from.tags().create("first", from.head("main"));
        branch("draft");
        put(from, "draft", "b");
    }

    private List<Copied> copy() {
        return RepositoryCopy.of(from, to, CopyOptions.DEFAULT).run();
    }

    private static List<String> told(List<Copied> all) {
        return all.stream()
                .map(each -> each.kind() + " " + each.name() + " " + each.outcome() + " " + each.blocks())
                .toList();
    }

    @Test
    void branchesAndTagsAreThereWithTheirValues() {
        fill();
        from.branches().switchTo("draft");
        List<Copied> heard = new ArrayList<>();
        long[] read = {0};
        List<Copied> all = RepositoryCopy.of(from, to, CopyOptions.DEFAULT.withListener(new CopyListener() {
                    @Override
                    public void read() {
                        read[0]++;
                    }

                    @Override
                    public void copied(Copied ref) {
                        heard.add(ref);
                    }
                }))
                .run();
        assertThat(told(all)).containsExactly("BRANCH main COPIED 3", "BRANCH draft COPIED 3", "TAG first COPIED 0");
        assertThat(heard).isEqualTo(all);
        assertThat(read[0]).isEqualTo(6);
        assertThat(all).extracting(Copied::head).contains(from.head("main"), from.head("draft"));
        assertThat(to.head("main")).isEqualTo(from.head("main"));
        assertThat(to.pail("draft").getBytes("b")).isPresent();
        assertThat(to.tags().head("first")).contains(from.head("main"));
        assertThat(to.branches().current()).isEqualTo("draft");
        VerifyReport report = to.verify(VerifyOptions.DEFAULT.withAllVersions().withValues());
        assertThat(report.damaged()).isZero();

        assertThat(told(copy()))
                .containsExactly("BRANCH main UNCHANGED 0", "BRANCH draft UNCHANGED 0", "TAG first UNCHANGED 0");
    }

    @Test
    void theCurrentBranchOfARepositoryWithChangesStays() {
        put(from, "main", "a");
        assertThat(copy()).hasSize(1);
        branch("draft");
        from.branches().switchTo("draft");
        assertThat(copy()).hasSize(2);
        assertThat(to.branches().current()).isEqualTo("main");
    }

    @Test
    void aBranchWithOtherChangesAndATagStay() {
        fill();
        assertThat(copy()).hasSize(3);
        put(to, "main", "own");
        Head before = to.head("main");
        put(from, "draft", "c");
        to.tags().remove("first");
        to.tags().create("first", to.head("draft"));
        Head tagged = to.head("draft");
        assertThat(told(copy()))
                .containsExactly("BRANCH main REFUSED 0", "BRANCH draft COPIED 3", "TAG first REFUSED 0");
        assertThat(to.head("main")).isEqualTo(before);
        assertThat(to.head("draft")).isEqualTo(from.head("draft"));
        assertThat(to.tags().head("first")).contains(tagged);
    }

    @Test
    void nothingIsCopiedToAnUnrelatedRepository() {
        fill();
        put(to, "main", "own");
        Head before = to.head("main");
        assertThat(told(copy())).containsExactly("BRANCH main UNRELATED 0");
        assertThat(to.branches().names()).containsExactly("main");
        assertThat(to.head("main")).isEqualTo(before);
        assertThat(to.tags().names()).isEmpty();
    }

    @Test
    void anInterruptedCopyIsContinued() {
        for (int i = 0; i < 300; i++) {
            put(from, "main", "key" + i);
        }
        int most = 1500;
        CopyListener broken = new CopyListener() {
            private int read;

            @Override
            public void read() {
                if (++read == most) {
                    throw new IllegalStateException("broken off");
                }
            }
        };
        RepositoryCopy copy = RepositoryCopy.of(from, to, CopyOptions.DEFAULT.withListener(broken));
        assertThatThrownBy(() -> assertThat(copy.run()).isNull()).hasMessage("broken off");
        assertThat(to.head("main")).isEqualTo(Head.empty());
        long sent = copy().get(0).blocks();
        assertThat(to.head("main")).isEqualTo(from.head("main"));

        try (Repository whole = Repository.inMemory()) {
            long all = RepositoryCopy.of(from, whole, CopyOptions.DEFAULT)
                    .run()
                    .get(0)
                    .blocks();
            assertThat(sent).isBetween(1L, all - 1);
        }
    }

    @Test
    void valuesThatCameLaterAreSentWithAll() {
        Block value = Block.of(Cid.RAW, new byte[] {1, 2, 3});
        from.update("main", pail -> pail.put("late", value.cid()));
        assertThat(copy()).extracting(Copied::leftOut).containsExactly(1L);
        from.blocks().put(value);
        assertThat(told(copy())).containsExactly("BRANCH main UNCHANGED 0");
        assertThat(to.blocks().has(value.cid())).isFalse();
        List<Copied> again =
                RepositoryCopy.of(from, to, CopyOptions.DEFAULT.withAll()).run();
        assertThat(told(again)).containsExactly("BRANCH main UNCHANGED 3");
        assertThat(to.blocks().has(value.cid())).isTrue();
    }

    @Test
    void erasedValuesAreErasedThere() {
        fill();
        assertThat(copy()).hasSize(3);
        Cid value = from.pail("main").get("a").orElseThrow();
        assertThat(from.maintenance().erasing().erase(List.of(value)).values()).hasSize(1);
        assertThat(to.pail("main").getBytes("a")).isPresent();
        assertThat(copy()).hasSize(3);
        assertThat(to.blocks().isErased(value)).isTrue();
    }
}
