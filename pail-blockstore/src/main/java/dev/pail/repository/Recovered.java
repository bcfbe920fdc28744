package dev.pail.repository;

import dev.pail.clock.Head;
import java.util.List;
import java.util.SortedMap;

/**
 * What a recovery of lost refs has found.
 *
 * <pre>{@code
 * Recovered found = storage.recover("notes");
 * found.made().forEach((branch, head) -> System.out.println(branch + " " + head));
 * }</pre>
 *
 * @param kept the branches and tags whose newest record and events are there, in order: {@code branch/NAME} or {@code tag/NAME}
 * @param made the branches that were made for events that no other stored event follows, with their heads
 * @param events the number of events that are stored
 */
public record Recovered(List<String> kept, SortedMap<String, Head> made, long events) {}
