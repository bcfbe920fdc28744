package dev.pail.s3;

import dev.pail.StoreIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** A bucket that a test lets fail. */
class FaultyBucket implements Bucket {
    /** What becomes of a request that changes something. */
    enum Fault {
        NONE,
        /** It does not arrive. */
        NOT_SENT,
        /** It arrives, and the answer does not. */
        NO_ANSWER,
        /** It is refused. */
        REFUSED
    }

    /** Draws a fault for each request. */
    interface Faults {
        Fault next(String key);
    }

    private volatile boolean overwrites;
    private final Bucket bucket;
    private volatile Faults writes = key -> Fault.NONE;
    private volatile Faults reads = key -> Fault.NONE;
    private volatile UnaryOperator<byte[]> answers = UnaryOperator.identity();

    FaultyBucket(Bucket bucket) {
        this.bucket = bucket;
    }

    void writes(Faults faults) {
        writes = faults;
    }

    /** NO_ANSWER is as NOT_SENT here. */
    void reads(Faults faults) {
        reads = faults;
    }

    /** Changes what is read. */
    void answers(UnaryOperator<byte[]> change) {
        answers = change;
    }

    /** From now on, this takes no notice of objects that are there. */
    void overwrites() {
        overwrites = true;
    }

    private StoreIOException failure(String key) {
        return new StoreIOException("cannot reach the bucket", location() + "/" + key, "503 SlowDown", null);
    }

    private void read(String key) {
        if (reads.next(key) != Fault.NONE) {
            throw failure(key);
        }
    }

    private Optional<byte[]> changed(Optional<byte[]> found) {
        return found.map(bytes -> answers.apply(Arrays.copyOf(bytes, bytes.length)));
    }

    @Override
    public Optional<byte[]> get(String key) {
        read(key);
        return changed(bucket.get(key));
    }

    @Override
    public Optional<byte[]> get(String key, long from, int length) {
        read(key);
        return changed(bucket.get(key, from, length));
    }

    @Override
    public OptionalLong size(String key) {
        read(key);
        return bucket.size(key);
    }

    @Override
    public boolean create(String key, byte[] content) {
        Fault fault = writes.next(key);
        if (fault == Fault.REFUSED) {
            throw failure(key);
        }
        if (fault == Fault.NOT_SENT) {
            throw new UnansweredException(failure(key));
        }
        if (overwrites) {
            bucket.put(key, content);
            return true;
        }
        boolean isCreated = bucket.create(key, content);
        if (fault == Fault.NO_ANSWER) {
            throw new UnansweredException(failure(key));
        }
        return isCreated;
    }

    @Override
    public void put(String key, byte[] content) {
        if (writes.next(key) != Fault.NONE) {
            throw failure(key);
        }
        bucket.put(key, content);
    }

    @Override
    public boolean replace(String key, byte[] before, byte[] content) {
        if (writes.next(key) != Fault.NONE) {
            throw failure(key);
        }
        return bucket.replace(key, before, content);
    }

    @Override
    public List<Listed> list(String prefix, String after, int most) {
        read(prefix);
        return bucket.list(prefix, after, most);
    }

    @Override
    public void delete(String key) {
        if (writes.next(key) != Fault.NONE) {
            throw failure(key);
        }
        bucket.delete(key);
    }

    @Override
    public String location() {
        return bucket.location();
    }

    @Override
    public void close() {
        bucket.close();
    }
}
