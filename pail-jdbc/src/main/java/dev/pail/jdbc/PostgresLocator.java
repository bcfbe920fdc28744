package dev.pail.jdbc;

import dev.pail.ShardFormat;
import dev.pail.locate.FormatLine;
import dev.pail.locate.StoreUrl;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.repository.spi.RepositoryStores;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Opens {@code postgresql://USER@HOST:PORT/DATABASE?repository=NAME}. A password is in the environment variable {@code PGPASSWORD} or in the
 * file {@code .pgpass} of the user. Rule PG9.
 *
 * <pre>{@code
 * RepositoryLocator locator = new PostgresLocator();
 * boolean isOurs = locator.accepts("postgresql://app@db.example/store?repository=notes"); // true
 * }</pre>
 */
public final class PostgresLocator implements RepositoryLocator {
    private static final String SCHEME = "postgresql://";
    private static final String REPOSITORY = "repository";
    private static final int PORT = 5432;
    private static final int LAST_PORT = 65_535;

    /** What a URL may say beside the repository. Other parameters of the driver run code, or write files. */
    private static final Map<String, BiConsumer<PGSimpleDataSource, String>> PARAMETERS = Map.of(
            "sslmode",
            PGSimpleDataSource::setSslMode,
            "sslrootcert",
            PGSimpleDataSource::setSslRootCert,
            "connectTimeout",
            (source, text) -> source.setConnectTimeout(seconds("connectTimeout", text)),
            "socketTimeout",
            (source, text) -> source.setSocketTimeout(seconds("socketTimeout", text)));

    private final UnaryOperator<@Nullable String> environment;

    /** Found by {@link java.util.ServiceLoader}. */
    public PostgresLocator() {
        this(System::getenv);
    }

    PostgresLocator(UnaryOperator<@Nullable String> environment) {
        this.environment = environment;
    }

    @Override
    public boolean accepts(String url) {
        return url.startsWith(SCHEME);
    }

    @Override
    public RepositoryStores open(String url, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        Place place = place(url);
        return place.storage(patience).stores(place.repository);
    }

    @Override
    public Optional<Recovered> recover(String url, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        Place place = place(url);
        return place.storage(patience).recover(place.repository);
    }

    @Override
    public RepositoryStores init(String url, ShardFormat format, Set<Need> needs, Duration patience) {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(needs, "needs");
        Objects.requireNonNull(patience, "patience");
        Place place = place(url);
        return place.storage(patience).initStores(place.repository, new FormatLine(format, needs));
    }

    /** What a URL names. */
    record Place(PGSimpleDataSource source, String location, String repository) {
        PostgresStorage storage(Duration patience) {
            Duration least = Duration.ofMillis(100);
            return PostgresStorage.keeping(source, location, patience.compareTo(least) < 0 ? least : patience);
        }
    }

    /** @throws IllegalArgumentException if the URL is none of these */
    Place place(String url) {
        StoreUrl parsed = StoreUrl.of(url);
        URI uri = parsed.uri();
        String user = uri.getRawUserInfo();
        if (user != null && user.contains(":")) {
            throw new IllegalArgumentException(
                    "a URL has no password, as others on this machine could read it: put it into"
                            + " PGPASSWORD or the file .pgpass");
        }
        String database = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
        if (uri.getHost() == null || database.isEmpty() || database.contains("/") || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "a URL of PostgreSQL is " + SCHEME + "USER@HOST:PORT/DATABASE?repository=NAME");
        }
        Map<String, String> parameters = parsed.parameters();
        String repository = parameters.remove(REPOSITORY);
        if (repository == null) {
            throw new IllegalArgumentException("the URL names no repository: add ?repository=NAME");
        }
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        int port = uri.getPort() < 0 ? PORT : uri.getPort();
        if (port > LAST_PORT) {
            throw new IllegalArgumentException("a port is at most " + LAST_PORT + ", not " + port);
        }
        PGSimpleDataSource source = new BehindPooler();
        source.setServerNames(new String[] {host});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(database);
        source.setApplicationName("pail");
        source.setUser(user == null ? environment.apply("PGUSER") : StoreUrl.decoded(user));
        source.setPassword(environment.apply("PGPASSWORD"));
        parameters.forEach((name, value) -> {
            BiConsumer<PGSimpleDataSource, String> setting = PARAMETERS.get(name);
            if (setting == null) {
                throw new IllegalArgumentException("a URL of PostgreSQL has no parameter " + name
                        + ": it has repository, " + String.join(", ", new TreeMap<>(PARAMETERS).keySet()));
            }
            setting.accept(source, value);
        });
        return new Place(source, SCHEME + host + ":" + port + "/" + database, repository);
    }

    private static int seconds(String name, String text) {
        if (!text.matches("[0-9]{1,6}")) {
            throw new IllegalArgumentException(name + " is a number of seconds");
        }
        return Integer.parseInt(text);
    }
}
