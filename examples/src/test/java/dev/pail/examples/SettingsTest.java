package dev.pail.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MergeConflictException;
import dev.pail.repository.Repository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of a program that keeps its state in a repository need no disk. */
class SettingsTest {
    private final Repository repository = Repository.inMemory();
    private final Settings settings = new Settings(repository, Repository.MAIN);

    @AfterEach
    void close() {
        repository.close();
    }

    @Test
    void aSettingHasAHistory() {
        settings.set("http/port", "8080", "Ann", "the default");
        settings.set("http/port", "443", "Bob", "TLS");

        assertThat(settings.get("http/port")).contains("443");
        assertThat(settings.history("http/port")).containsExactly("443: TLS", "8080: the default");
    }

    @Test
    void aBranchIsMerged() {
        settings.set("http/port", "8080", "Ann", "the default");
        Settings trial = settings.branch("trial");
        trial.set("http/host", "localhost", "Bob", "only here");

        assertThat(settings.get("http/host")).isEmpty();
        settings.merge(trial);
        assertThat(settings.get("http/host")).contains("localhost");
    }

    @Test
    void whatBothChangedIsAConflict() {
        settings.set("http/port", "80", "Ann", "the default");
        Settings trial = settings.branch("trial");
        trial.set("http/port", "81", "Bob", "free there");
        settings.set("http/port", "82", "Ann", "free here");

        assertThatThrownBy(() -> settings.merge(trial))
                .isInstanceOf(MergeConflictException.class)
                .hasMessageContaining("http/port");
        assertThat(settings.get("http/port")).contains("82");
    }
}
