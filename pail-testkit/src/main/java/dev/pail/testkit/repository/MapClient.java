package dev.pail.testkit.repository;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.repository.Repository;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads and writes keys of a branch, as one process of those that {@link LinearizabilityContract} lets compete.
 *
 * <pre>{@code
 * try (MapClient client = MapClient.of(Repository.inMemory())) {
 *     client.run(Set.of(), Map.of("a", Optional.of("x"), "b", Optional.of("y"))); // a batch
 *     Map<String, Optional<String>> read = client.run(Set.of("a", "c"), Map.of()); // a=x, c absent
 * }
 * }</pre>
 */
public interface MapClient extends AutoCloseable {
    /**
     * Reads some keys and writes some, all at one moment.
     *
     * @param reads the keys to read
     * @param writes the values to write; an empty one removes the key
     * @return the values of the keys to read, as they were before the writes
     */
    Map<String, Optional<String>> run(Set<String> reads, Map<String, Optional<String>> writes);

    @Override
    void close();

    /** Returns a client that works on the branch {@link Repository#MAIN} of a repository. Closing it closes the repository. */
    static MapClient of(Repository repository) {
        return new MapClient() {
            @Override
            public Map<String, Optional<String>> run(Set<String> reads, Map<String, Optional<String>> writes) {
                if (writes.isEmpty()) {
                    return read(repository.pail(), reads);
                }
                // A read after the update could fail although the update is done.
                Map<String, Optional<String>> answer = new TreeMap<>();
                repository.update(Repository.MAIN, "swap", pail -> {
                    answer.clear();
                    answer.putAll(read(pail, reads));
                    return written(pail, writes);
                });
                return answer;
            }

            @Override
            public void close() {
                repository.close();
            }
        };
    }

    private static Map<String, Optional<String>> read(Pail pail, Set<String> keys) {
        Map<String, Optional<String>> values = new TreeMap<>();
        keys.forEach(key ->
                values.put(key, pail.getBytes(key).map(bytes -> new String(bytes, StandardCharsets.UTF_8))));
        return values;
    }

    private static Pail written(Pail pail, Map<String, Optional<String>> writes) {
        if (writes.size() == 1) {
            Map.Entry<String, Optional<String>> only =
                    writes.entrySet().iterator().next();
            return only.getValue().isEmpty()
                    ? pail.delete(only.getKey())
                    : pail.putBytes(only.getKey(), only.getValue().get().getBytes(StandardCharsets.UTF_8));
        }
        Batch batch = pail.batch();
        writes.forEach((key, value) -> value.ifPresentOrElse(
                text -> batch.putBytes(key, text.getBytes(StandardCharsets.UTF_8)), () -> batch.delete(key)));
        return batch.commit();
    }
}
