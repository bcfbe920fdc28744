package dev.pail.s3;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A bucket whose requests are counted. */
record CountedBucket(Bucket bucket, S3Counters counters) implements Bucket {
    private Optional<byte[]> counted(Optional<byte[]> found) {
        counters.reads.increment();
        found.ifPresent(bytes -> counters.bytesRead.add(bytes.length));
        return found;
    }

    @Override
    public Optional<byte[]> get(String key) {
        return counted(bucket.get(key));
    }

    @Override
    public Optional<byte[]> get(String key, long from, int length) {
        return counted(bucket.get(key, from, length));
    }

    @Override
    public OptionalLong size(String key) {
        counters.reads.increment();
        return bucket.size(key);
    }

    @Override
    public boolean create(String key, byte[] content) {
        counters.writes.increment();
        counters.bytesWritten.add(content.length);
        return bucket.create(key, content);
    }

    @Override
    public void put(String key, byte[] content) {
        counters.writes.increment();
        counters.bytesWritten.add(content.length);
        bucket.put(key, content);
    }

    @Override
    public boolean replace(String key, byte[] before, byte[] content) {
        counters.writes.increment();
        counters.bytesWritten.add(content.length);
        return bucket.replace(key, before, content);
    }

    @Override
    public List<Listed> list(String prefix, String after, int most) {
        counters.lists.increment();
        return bucket.list(prefix, after, most);
    }

    @Override
    public void delete(String key) {
        counters.deletes.increment();
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
