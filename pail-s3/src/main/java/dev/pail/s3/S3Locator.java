package dev.pail.s3;

import dev.pail.ShardFormat;
import dev.pail.locate.FormatLine;
import dev.pail.locate.StoreUrl;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.repository.spi.RepositoryStores;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Opens {@code s3://BUCKET/PREFIX?endpoint=URL&region=NAME&path-style=true}. The keys are where the tools of AWS look for them: in the
 * environment, in the user's files, on the machine. Rule OS10.
 *
 * <pre>{@code
 * RepositoryLocator locator = new S3Locator();
 * boolean isOurs = locator.accepts("s3://my-bucket/notes"); // true
 * }</pre>
 */
public final class S3Locator implements RepositoryLocator {
    private static final String SCHEME = "s3://";
    private static final int MOST_ATTEMPTS = 5;
    private static final Duration LEAST_PATIENCE = Duration.ofMillis(100);

    /** How many times longer than the patience an answer may take, all attempts together. */
    private static final int PATIENT_ANSWER = 3;

    /** Found by {@link java.util.ServiceLoader}. */
    public S3Locator() {}

    @Override
    public boolean accepts(String url) {
        return url.startsWith(SCHEME);
    }

    @Override
    public RepositoryStores open(String url, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        Place place = place(url);
        return storage(place, patience).stores(place.prefix);
    }

    @Override
    public RepositoryStores init(String url, ShardFormat format, Set<Need> needs, Duration patience) {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(needs, "needs");
        Objects.requireNonNull(patience, "patience");
        Place place = place(url);
        return storage(place, patience).initStores(place.prefix, new FormatLine(format, needs));
    }

    @Override
    public Optional<Recovered> recover(String url, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        Place place = place(url);
        return storage(place, patience).recover(place.prefix);
    }

    /** What a URL names. */
    record Place(
            String bucket,
            String prefix,
            @Nullable URI endpoint,
            @Nullable String region,
            boolean isPathStyle) {}

    private static S3Storage storage(Place place, Duration given) {
        Duration patience = given.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : given;
        S3Counters counters = new S3Counters();
        return S3Storage.of(
                        prefix -> {
                            S3Client client = client(place, patience, counters);
                            return new S3Bucket(client, client::close, place.bucket, prefix);
                        },
                        Clock.systemUTC(),
                        counters)
                .withPatience(patience);
    }

    /** A client whose attempts are counted beyond the first. */
    static S3Client client(Place place, Duration patience, S3Counters counters) {
        return client(
                place, patience, counters, DefaultCredentialsProvider.builder().build());
    }

    static S3Client client(Place place, Duration patience, S3Counters counters, AwsCredentialsProvider keys) {
        StandardRetryStrategy retries =
                StandardRetryStrategy.builder().maxAttempts(MOST_ATTEMPTS).build();
        S3ClientBuilder builder = S3Client.builder()
                .credentialsProvider(keys)
                .region(Region.of(place.region == null ? "us-east-1" : place.region))
                .forcePathStyle(place.isPathStyle)
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .httpClientBuilder(UrlConnectionHttpClient.builder()
                        .connectionTimeout(patience)
                        .socketTimeout(patience))
                .overrideConfiguration(ClientOverrideConfiguration.builder()
                        .retryStrategy(retries)
                        .apiCallTimeout(patience.multipliedBy(PATIENT_ANSWER))
                        .addExecutionInterceptor(new Attempts(counters))
                        .build());
        if (place.endpoint != null) {
            builder.endpointOverride(place.endpoint);
        }
        return builder.build();
    }

    /** Counts the requests that are sent again. */
    private record Attempts(S3Counters counters) implements ExecutionInterceptor {
        private static final ExecutionAttribute<AtomicLong> SENT = new ExecutionAttribute<>("PailSent");

        @Override
        public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
            attributes.putAttribute(SENT, new AtomicLong());
        }

        @Override
        public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
            if (attributes.getAttribute(SENT).getAndIncrement() > 0) {
                counters.retries.increment();
            }
        }
    }

    /** @throws IllegalArgumentException if the URL is none of these */
    static Place place(String url) {
        StoreUrl parsed = StoreUrl.of(url);
        URI uri = parsed.uri();
        String path = uri.getPath() == null ? "" : uri.getPath();
        String prefix = path.replaceFirst("^/", "").replaceFirst("/$", "");
        if (uri.getRawAuthority() == null || uri.getUserInfo() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("a URL of S3 is " + SCHEME
                    + "BUCKET/PREFIX, with keys in the environment: AWS_ACCESS_KEY_ID and" + " AWS_SECRET_ACCESS_KEY");
        }
        Map<String, String> parameters = parsed.parameters();
        String endpoint = parameters.remove("endpoint");
        String region = parameters.remove("region");
        String pathStyle = parameters.remove("path-style");
        if (!parameters.isEmpty()) {
            throw new IllegalArgumentException("a URL of S3 has no parameter "
                    + parameters.keySet().iterator().next() + ": it has endpoint, path-style, region");
        }
        if (pathStyle != null && !pathStyle.equals("true") && !pathStyle.equals("false")) {
            throw new IllegalArgumentException("path-style is true or false");
        }
        return new Place(
                uri.getRawAuthority(),
                prefix,
                endpoint == null ? null : endpoint(endpoint),
                region,
                pathStyle == null ? endpoint != null : pathStyle.equals("true"));
    }

    private static URI endpoint(String text) {
        URI endpoint = StoreUrl.uri(text);
        String scheme = endpoint.getScheme();
        if (endpoint.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException("an endpoint is http://HOST:PORT or https://HOST");
        }
        return endpoint;
    }
}
