package dev.pail.examples;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefRecords;
import dev.pail.repository.spi.RefStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store of one's own for branches and tags: all it has to do is to create numbered records, and never to change one. Here they are
 * in maps; they could be rows of a database. Its test is the contract of the test kit.
 */
public final class OwnStore implements RefRecords {
    private final NavigableMap<String, NavigableMap<Long, byte[]>> records = new ConcurrentSkipListMap<>();

    /** Prints what a repository over this store holds. */
    public static void main(String[] args) {
        RefStore refs = refs(Clock.systemUTC());
        try (Repository repository = Repository.open(refs, new MemoryBlocks(), ShardFormat.v1())) {
            Pail pail = repository
                    .update("main", now -> now.putBytes("greeting", "hello".getBytes(StandardCharsets.UTF_8)))
                    .pail();
            System.out.println(new String(pail.getBytes("greeting").orElseThrow(), StandardCharsets.UTF_8));
            System.out.println(repository.history().log("main").count() + " update");
        }
    }

    /** Refs in a store of this kind. The lock lets one writer at a time change them, so garbage can be collected. */
    static RefStore refs(Clock clock) {
        return new RecordRefs(new OwnStore(), "maps of an example", clock, new ReentrantLock());
    }

    @Override
    public Optional<Map.Entry<Long, byte[]>> newest(String name) {
        return Optional.ofNullable(records.get(name)).map(NavigableMap::lastEntry);
    }

    @Override
    public Optional<byte[]> read(String name, long number) {
        return Optional.ofNullable(records.get(name)).map(each -> each.get(number));
    }

    @Override
    public boolean create(String name, long number, byte[] content) {
        return records.computeIfAbsent(name, none -> new ConcurrentSkipListMap<>())
                        .putIfAbsent(number, content)
                == null;
    }

    @Override
    public List<String> names(String prefix) {
        return records.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
    }
}
