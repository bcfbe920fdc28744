package dev.pail.repository.model;

import dev.pail.clock.Head;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a recovery of lost refs has found.
 *
 * <pre>{@code
 * // of S3Storage.recover or PostgresStorage.recover
 * Recovered found = new Recovered(List.of("branch/main"), Map.of("recovered/a", repository.head("main")), 12);
 * found.made().forEach((branch, head) -> System.out.println(branch + " " + head));
 * }</pre>
 *
 * @param kept the branches and tags whose newest record and events are there, in order: {@code branch/NAME} or {@code tag/NAME}
 * @param made the branches that were made for events that no other stored event follows, with their heads
 * @param events the number of events that are stored
 */
public record Recovered(List<String> kept, Map<String, Head> made, long events) {
    public Recovered {
        kept = List.copyOf(kept);
        made = Collections.unmodifiableMap(new LinkedHashMap<>(Objects.requireNonNull(made, "made")));
    }
}
