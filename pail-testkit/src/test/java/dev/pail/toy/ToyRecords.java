package dev.pail.toy;

import dev.pail.repository.RecordRefs;
import dev.pail.repository.RefRecords;
import dev.pail.repository.RefStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;

/** The records of refs in maps, made with what is exported. */
final class ToyRecords implements RefRecords {
    private final NavigableMap<String, NavigableMap<Long, byte[]>> all = new ConcurrentSkipListMap<>();

    static RefStore refs(Clock clock) {
        return new RecordRefs(new ToyRecords(), "a toy", clock, new ReentrantLock());
    }

    @Override
    public Optional<Map.Entry<Long, byte[]>> newest(String name) {
        return Optional.ofNullable(all.get(name)).map(NavigableMap::lastEntry);
    }

    @Override
    public Optional<byte[]> read(String name, long number) {
        return Optional.ofNullable(all.get(name)).map(records -> records.get(number));
    }

    @Override
    public boolean create(String name, long number, byte[] content) {
        return all.computeIfAbsent(name, any -> new ConcurrentSkipListMap<>()).putIfAbsent(number, content) == null;
    }

    @Override
    public List<String> names(String prefix) {
        return all.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
    }
}
