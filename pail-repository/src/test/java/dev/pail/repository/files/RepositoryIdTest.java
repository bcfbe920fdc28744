package dev.pail.repository.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The id of a repository in a folder. */
class RepositoryIdTest {
    private static final String OTHER = "00000000-0000-4000-8000-000000000000";

    @TempDir
    Path folder;

    private static void put(Repository repository, String key) {
        repository.update("main", pail -> pail.putBytes(key, new byte[] {1}));
    }

    private List<String> settings() throws IOException {
        return Files.readAllLines(folder.resolve("config"));
    }

    @Test
    void eachRepositoryHasItsOwn_REP3(@TempDir Path second) {
        try (Repository one = FileRepository.init(folder, ShardFormat.v1());
                Repository other = FileRepository.init(second, ShardFormat.v1())) {
            Optional<String> id = one.refs().repositoryId();
            assertThat(id).isPresent();
            assertThat(other.refs().repositoryId()).isPresent().isNotEqualTo(id);
            put(one, "a");
            assertThat(one.refs().repositoryId()).isEqualTo(id);
        }
    }

    @Test
    void anOldRepositoryGetsOneWithItsFirstChange_REP3() throws IOException {
        FileRepository.init(folder, ShardFormat.v1(), BlockStorage.FILES).close();
        List<String> old =
                settings().stream().filter(line -> !line.startsWith("id ")).toList();
        Files.write(folder.resolve("config"), old);
        try (Repository repository = FileRepository.open(folder)) {
            assertThat(repository.refs().repositoryId()).isEmpty();
            assertThat(settings()).isEqualTo(old);
            put(repository, "a");
            assertThat(repository.refs().repositoryId()).isPresent();
        }
        // What version 0.2.0 reads is as before.
        assertThat(settings()).startsWith(old.toArray(String[]::new)).hasSize(old.size() + 1);
    }

    @Test
    void theIdOfARemoteGoesWithIt_REP3() {
        try (Repository repository = FileRepository.init(folder, ShardFormat.v1())) {
            FileRepository files = FileRepository.of(repository).orElseThrow();
            assertThatIllegalArgumentException().isThrownBy(() -> files.setRemoteId("origin", OTHER));
            files.setRemote("origin", Optional.of("https://pail.example.org"));
            assertThat(files.remoteId("origin")).isEmpty();
            files.setRemoteId("origin", OTHER);
            assertThat(files.remoteId("origin")).contains(OTHER);
            assertThat(files.remotes()).containsOnlyKeys("origin");
            assertThatIllegalArgumentException().isThrownBy(() -> files.setRemoteId("origin", "no\nid"));
            files.setRemote("origin", Optional.empty());
            assertThat(files.remoteId("origin")).isEmpty();
        }
    }
}
