/**
 * A pail that several replicas change on their own and merge: a merkle clock whose events are changes of the map.
 *
 * <p>Start at {@link dev.pail.clock.ReplicatedPail}. Each change is an {@link dev.pail.clock.Event}, a dag-cbor block that
 * names the events it follows; the events that none follows yet are the {@link dev.pail.clock.Head}. The
 * {@link dev.pail.clock.MerkleClock} joins heads. The rules are M1 to M20 of {@code spec/clock.md}.
 *
 * <p>What always holds, the more important first:
 *
 * <ol>
 *   <li>Replicas whose heads hold the same events have the same head, the same root and the same entries. The order in which
 *       they received the events, and how often, makes no difference.
 *   <li>A missing event is reported, never guessed.
 *   <li>Time and memory grow with the number of events that are read, not with the number of ways through them. A limit
 *       bounds that number.
 *   <li>Nothing deletes an event or a shard.
 * </ol>
 *
 * <p>Handles and values are immutable and may be shared by threads. Errors are those that {@link dev.pail} names; after any of
 * them all handles are as they were.
 */
@NullMarked
package dev.pail.clock;

import org.jspecify.annotations.NullMarked;
