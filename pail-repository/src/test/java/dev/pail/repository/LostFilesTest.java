package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which branches there are and where they stand, also where files that tell it were lost. */
class LostFilesTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @TempDir
    Path folder;

    @BeforeEach
    void make() {
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            repository.branches().create("empty", Head.empty());
            repository.update("main", pail -> pail.put("a", VALUE));
            repository.branches().create("other", repository.head("main"));
            // A log of one move and no head is also of a branch that was not made to the end.
            repository.update("main", pail -> pail.put("b", VALUE));
            repository.update("other", pail -> pail.put("c", VALUE));
            repository.branches().create("gone", repository.head("main"));
            repository.branches().remove("gone");
        }
    }

    private Repository open() {
        return FileRepository.open(folder.resolve("r"));
    }

    private void lose(String file) throws IOException {
        Files.delete(folder.resolve("r").resolve(file));
    }

    private static void refused(RepositoryException.Reason reason, String what, ThrowingCallable call) {
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(call)
                .withMessageContaining(what)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private static void damaged(String what, ThrowingCallable call) {
        refused(RepositoryException.Reason.DAMAGED, what, call);
    }

    @Test
    void headsOfBranches() {
        try (Repository repository = open()) {
            assertThat(repository.head("main"))
                    .isEqualTo(repository.snapshot("main").head());
            assertThat(repository.head("main").size()).isEqualTo(1);
            assertThat(repository.head("empty")).isEqualTo(Head.empty());
            assertThat(repository.branches().heads()).containsOnlyKeys("empty", "main", "other");
            assertThat(repository.branches().heads())
                    .containsEntry("other", repository.snapshot("other").head());
            refused(RepositoryException.Reason.NO_BRANCH, "no branch gone", () -> repository.head("gone"));
            refused(RepositoryException.Reason.NO_BRANCH, "no branch never", () -> repository.head("never"));
            refused(RepositoryException.Reason.NAME, "a//b", () -> repository.head("a//b"));
        }
    }

    @Test
    void branchesAreThereOrNot() {
        try (Repository repository = open()) {
            assertThat(repository.branches().contains("main")).isTrue();
            assertThat(repository.branches().contains("empty")).isTrue();
            assertThat(repository.branches().contains("gone")).isFalse();
            assertThat(repository.branches().contains("never")).isFalse();
            refused(
                    RepositoryException.Reason.NAME,
                    "a//b",
                    () -> repository.branches().contains("a//b"));
        }
    }

    /** A log that does not say that the branch was removed tells that its head was lost. */
    @Test
    void theHeadOfABranch() throws IOException {
        lose("heads/other");
        try (Repository repository = open()) {
            damaged("heads/other is missing", () -> repository.head("other"));
            damaged("heads/other is missing", () -> repository.branches().contains("other"));
            assertThat(repository.branches().heads()).containsOnlyKeys("empty", "main");
        }
    }

    /** Every repository has this branch. */
    @Test
    void theHeadOfMain() throws IOException {
        lose("heads/main");
        try (Repository repository = open()) {
            damaged("heads/main is missing", () -> repository.head("main"));
            damaged("heads/main is missing", repository.branches()::heads);
            assertThat(repository.branches().contains("main")).isTrue();
            assertThat(repository.head("other").size()).isEqualTo(1);
        }
    }

    @Test
    void theHeadOfMainToWhichNothingWasPut() throws IOException {
        Path empty = folder.resolve("e");
        FileRepository.init(empty, ShardFormat.v1()).close();
        Files.delete(empty.resolve("heads/main"));
        try (Repository repository = FileRepository.open(empty)) {
            damaged("the head is missing", repository.branches()::heads);
            damaged("the head is missing", () -> repository.head("main"));
            assertThat(repository.branches().contains("main")).isTrue();
        }
    }

    /** What is there is no reason to make a new repository over it. */
    @Test
    void theConfiguration() throws IOException {
        lose("config");
        damaged("a repository without a configuration", this::open);
        damaged(
                "a repository without a configuration",
                () -> FileRepository.init(folder.resolve("r"), ShardFormat.v1()).close());
        lose("logs/main");
        damaged("a repository without a configuration", this::open);
    }

    /** Of a head and a log, one is enough to tell that there was a repository. */
    @Test
    void theConfigurationAndTheHeadOfMain() throws IOException {
        lose("config");
        lose("heads/main");
        damaged("a repository without a configuration", this::open);
    }

    @Test
    void theFolderOfHeads() throws IOException {
        for (String head : List.of("empty", "main", "other")) {
            lose("heads/" + head);
        }
        try (Repository repository = open()) {
            assertThat(repository.branches().names()).isEmpty();
        }
        lose("heads");
        damaged("the heads are missing: " + folder.resolve("r/heads"), this::open);
    }

    /** An attempt to make a repository that came to no end is none, and neither is a folder with files of such names. */
    @Test
    void whatNeverWasARepository() throws IOException {
        Path half = folder.resolve("half");
        FileRepository.init(half, ShardFormat.v1()).close();
        Files.delete(half.resolve("config"));
        absent(half);
        FileRepository.init(half, ShardFormat.v2()).close();

        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("logs"), "text");
        absent(other);
        absent(folder.resolve("nothing"));
    }

    /** If the caller names the parent of a repository, the hint must not be to create a new one beside the data. */
    @Test
    void theFolderAroundARepository() {
        FileRepository.init(folder.resolve(".pail"), ShardFormat.v1()).close();
        hint("name the one in it: pail -C " + folder.resolve(".pail"), folder);
        hint("make one with: pail -C " + folder.resolve("r-2") + " init", folder.resolve("r-2"));
        hint("make one with: pail -C '" + folder + "/it'\\''s $(id)' init", folder.resolve("it's $(id)"));
    }

    private static void hint(String hint, Path path) {
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> FileRepository.open(path))
                .satisfies(e -> assertThat(e.hint().orElseThrow()).contains(hint));
    }

    private static void absent(Path path) {
        refused(RepositoryException.Reason.NO_REPOSITORY, "no repository: " + path, () -> FileRepository.open(path));
    }
}
