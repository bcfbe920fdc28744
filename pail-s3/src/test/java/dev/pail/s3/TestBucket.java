package dev.pail.s3;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;

/**
 * A repository in a bucket of the server whose address is in the environment variable {@code PAIL_TEST_S3}, with keys in those of AWS; in
 * memory, if there is none.
 */
public final class TestBucket {
    private static final String SERVER = System.getenv("PAIL_TEST_S3");
    private static final String NAME = "pail-test";

    private final Function<String, Bucket> buckets;
    private final Clock clock;
    private final String name;
    private final Duration patience;

    private TestBucket(Function<String, Bucket> buckets, Clock clock, String name, Duration patience) {
        this.buckets = buckets;
        this.clock = clock;
        this.name = name;
        this.patience = patience;
    }

    private static String newName() {
        return "r" + UUID.randomUUID();
    }

    /** Whether there is a server. */
    public static boolean hasServer() {
        return SERVER != null;
    }

    /** A new repository of a server, or in memory. */
    public static TestBucket newest() {
        return hasServer() ? onServer(newName()) : inMemory(Clock.systemUTC());
    }

    /** A repository of the server. */
    public static TestBucket onServer(String name) {
        return new TestBucket(Server.BUCKETS, Clock.systemUTC(), name, S3Storage.PATIENCE);
    }

    /** A repository in memory. */
    public static TestBucket inMemory(Clock clock) {
        MemoryBucket memory = new MemoryBucket(clock);
        return over(memory::below, clock);
    }

    static TestBucket over(Function<String, Bucket> buckets, Clock clock) {
        return new TestBucket(buckets, clock, newName(), S3Storage.PATIENCE);
    }

    Function<String, Bucket> buckets() {
        return buckets;
    }

    public TestBucket withPatience(Duration time) {
        return new TestBucket(buckets, clock, name, time);
    }

    public TestBucket withClock(Clock other) {
        return new TestBucket(buckets, other, name, patience);
    }

    /** The same, where no answer comes to one of this number of requests that create an object. Half of these requests do not arrive. */
    public TestBucket withLostAnswers(int oneIn) {
        return new TestBucket(
                prefix -> {
                    FaultyBucket faulty = new FaultyBucket(buckets.apply(prefix));
                    faulty.writes(key -> {
                        int drawn = ThreadLocalRandom.current().nextInt(2 * oneIn);
                        return drawn == 0
                                ? FaultyBucket.Fault.NOT_SENT
                                : drawn == 1 ? FaultyBucket.Fault.NO_ANSWER : FaultyBucket.Fault.NONE;
                    });
                    return faulty;
                },
                clock,
                name,
                patience);
    }

    public String name() {
        return name;
    }

    /** The objects of the repository. */
    Bucket objects() {
        return buckets.apply(name + "/");
    }

    private List<Bucket.Listed> listed(String prefix) {
        return objects().list(prefix, prefix, Integer.MAX_VALUE);
    }

    /** What is in all objects. */
    public List<byte[]> contents() {
        return listed("").stream()
                .map(each -> objects().get(each.key()).orElseThrow())
                .toList();
    }

    /** How many objects have some bytes. */
    public long count(byte[] bytes) {
        String part = new String(bytes, StandardCharsets.ISO_8859_1);
        return contents().stream()
                .filter(each -> new String(each, StandardCharsets.ISO_8859_1).contains(part))
                .count();
    }

    public boolean has(byte[] bytes) {
        return count(bytes) > 0;
    }

    /** Removes the object of a kind at an index. */
    public void remove(String prefix, int index) {
        objects().delete(listed(prefix).get(index).key());
    }

    /** The same objects, in another bucket in memory. */
    public TestBucket copied() {
        TestBucket copy = inMemory(clock);
        listed("")
                .forEach(each ->
                        copy.objects().put(each.key(), objects().get(each.key()).orElseThrow()));
        return copy;
    }

    /**
     * The same as a process sees it that ends: after some of its writes, none arrives.
     *
     * @param isDone whether the last one arrives, without an answer
     */
    public TestBucket endingAfter(int writes, boolean isDone) {
        AtomicInteger count = new AtomicInteger();
        return new TestBucket(
                prefix -> {
                    FaultyBucket faulty = new FaultyBucket(buckets.apply(prefix));
                    faulty.writes(key -> {
                        int number = count.incrementAndGet();
                        return number <= writes
                                ? FaultyBucket.Fault.NONE
                                : isDone && number == writes + 1
                                        ? FaultyBucket.Fault.NO_ANSWER
                                        : FaultyBucket.Fault.REFUSED;
                    });
                    return faulty;
                },
                clock,
                name,
                Duration.ofMillis(10));
    }

    public S3Storage storage() {
        return S3Storage.of(buckets, clock, new S3Counters()).withPatience(patience);
    }

    public Repository init(ShardFormat format) {
        return storage().init(name, format);
    }

    public Repository open() {
        return storage().open(name);
    }

    /** The URL of the repository on the server. */
    public String url() {
        return "s3://" + NAME + "/" + name + "?endpoint=" + SERVER;
    }

    /** Is made when it is first needed, as the SDK takes long. */
    private static final class Server {
        static final Function<String, Bucket> BUCKETS = buckets();

        private static Function<String, Bucket> buckets() {
            S3Client client = S3Locator.client(
                    new S3Locator.Place(NAME, "", URI.create(SERVER), null, true),
                    S3Storage.PATIENCE,
                    new S3Counters());
            Object unused = client.createBucket(
                    CreateBucketRequest.builder().bucket(NAME).build());
            return prefix -> new S3Bucket(client, () -> {}, NAME, prefix);
        }
    }
}
