package dev.pail.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.repository.spi.RepositoryLocator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresLocatorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static PostgresLocator.Place place(String url, Map<String, String> environment) {
        return new PostgresLocator(environment::get).place(url);
    }

    @Test
    void aUrlIsTakenApart_PG9() {
        PostgresLocator.Place place = place(
                "postgresql://a%40b@db.example:5433/store?repository=notes/x&sslmode=verify-full&sslrootcert=/ca.pem"
                        + "&connectTimeout=3&socketTimeout=40",
                Map.of("PGPASSWORD", "secret", "PGUSER", "other"));
        assertThat(place.repository()).isEqualTo("notes/x");
        assertThat(place.location()).isEqualTo("postgresql://db.example:5433/store");
        assertThat(place.source().getUser()).isEqualTo("a@b");
        assertThat(place.source().getPassword()).isEqualTo("secret");
        assertThat(place.source().getServerNames()).containsExactly("db.example");
        assertThat(place.source().getPortNumbers()).containsExactly(5433);
        assertThat(place.source().getDatabaseName()).isEqualTo("store");
        assertThat(place.source().getSslMode()).isEqualTo("verify-full");
        assertThat(place.source().getSslRootCert()).isEqualTo("/ca.pem");
        assertThat(place.source().getConnectTimeout()).isEqualTo(3);
        assertThat(place.source().getSocketTimeout()).isEqualTo(40);

        PostgresLocator.Place brief = place("postgresql://[::1]/s?repository=r", Map.of("PGUSER", "me"));
        assertThat(brief.source().getServerNames()).containsExactly("::1");
        assertThat(brief.source().getPortNumbers()).containsExactly(5432);
        assertThat(brief.source().getUser()).isEqualTo("me");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://u:topsecret@h/d?repository=r",
                "postgresql://u@h/d?repository=r&password=topsecret",
                "postgresql://u@h/d?repository=r&socketFactory=topsecret",
                "postgresql://u@h/d?repository=r&loggerFile=topsecret",
                "postgresql://u@h/d?repository=r&repository=topsecret",
                "postgresql://u@h/d?repository=r&connectTimeout=topsecret",
                "postgresql://u@h/d?repository=r&topsecret",
                "postgresql://u@h/d",
                "postgresql://u@h/?repository=r",
                "postgresql://u@h/a/b?repository=r",
                "postgresql:///d?repository=r",
                "postgresql://u@h/d?repository=r#topsecret",
                "postgresql://u:topsecret @h/d?repository=r",
                "postgresql://h1,h2/d?repository=r",
                "postgresql://u@h:180811/d?repository=r"
            })
    void otherUrlsAreRefusedAndNotRepeated_PG9(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> place(url, Map.of()))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("topsecret"));
    }

    @Test
    void itIsFoundAndOpens() {
        TestServer server = TestServer.get();
        String url = server.url(server.newDatabase()) + "?repository=r";
        RepositoryLocator locator = ServiceLoader.load(RepositoryLocator.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.accepts(url))
                .findFirst()
                .orElseThrow();
        assertThat(locator.accepts("s3://bucket")).isFalse();
        byte[] value = "one".getBytes(StandardCharsets.UTF_8);
        try (Repository made = Repository.open(locator.init(url, ShardFormat.v0(), Set.of(Need.EVENTS), PATIENCE))) {
            made.update("main", pail -> pail.putBytes("key", value));
        }
        try (Repository opened = Repository.open(locator.open(url, PATIENCE))) {
            assertThat(opened.format()).isEqualTo(ShardFormat.v0());
            assertThat(opened.pail().getBytes("key")).contains(value);
        }
    }
}
