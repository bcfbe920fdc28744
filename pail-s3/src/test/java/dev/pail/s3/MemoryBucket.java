package dev.pail.s3;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;

/** Objects in memory. Several repositories may use the same: closing is nothing. */
final class MemoryBucket implements Bucket {
    @SuppressWarnings("ArrayRecordComponent") // Nothing changes it, and none is compared.
    private record Stored(byte[] content, Instant modified) {}

    private final NavigableMap<String, Stored> objects;
    private final Clock clock;
    private final String prefix;

    MemoryBucket(Clock clock) {
        this(new ConcurrentSkipListMap<>(), clock, "");
    }

    private MemoryBucket(NavigableMap<String, Stored> objects, Clock clock, String prefix) {
        this.objects = objects;
        this.clock = clock;
        this.prefix = prefix;
    }

    /** The objects whose keys begin with a prefix. */
    MemoryBucket below(String start) {
        return new MemoryBucket(objects, clock, prefix + start);
    }

    @Override
    public Optional<byte[]> get(String key) {
        return Optional.ofNullable(objects.get(prefix + key)).map(stored -> stored.content.clone());
    }

    @Override
    public Optional<byte[]> get(String key, long from, int length) {
        return get(key).map(content -> Arrays.copyOfRange(
                content, (int) Math.min(from, content.length), (int) Math.min(from + length, content.length)));
    }

    @Override
    public OptionalLong size(String key) {
        Stored stored = objects.get(prefix + key);
        return stored == null ? OptionalLong.empty() : OptionalLong.of(stored.content.length);
    }

    @Override
    public boolean create(String key, byte[] content) {
        return objects.putIfAbsent(prefix + key, new Stored(content.clone(), clock.instant())) == null;
    }

    @Override
    public void put(String key, byte[] content) {
        objects.put(prefix + key, new Stored(content.clone(), clock.instant()));
    }

    @Override
    public boolean replace(String key, byte[] before, byte[] content) {
        Stored now = objects.get(prefix + key);
        return now != null
                && Arrays.equals(now.content, before)
                && objects.replace(prefix + key, now, new Stored(content.clone(), clock.instant()));
    }

    @Override
    public List<Listed> list(String start, String after, int most) {
        List<Listed> found = new ArrayList<>();
        for (Map.Entry<String, Stored> each :
                objects.tailMap(prefix + after, false).entrySet()) {
            if (!each.getKey().startsWith(prefix + start) || found.size() == most) {
                break;
            }
            found.add(new Listed(
                    each.getKey().substring(prefix.length()),
                    each.getValue().content.length,
                    each.getValue().modified));
        }
        return found;
    }

    @Override
    public void delete(String key) {
        objects.remove(prefix + key);
    }

    @Override
    public String location() {
        return "s3://memory/" + prefix;
    }

    @Override
    public void close() {
        // Others use it, too.
    }
}
