/**
 * A store of blocks in segments: files to which records are only appended. A block that was made from another is stored as a delta to
 * it. The rules are SEG1 to SEG19 of {@code spec/segments.md}. Not exported: {@code SegmentBlockStore} is what users see.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>The bytes before an acknowledged commit do not change until a compaction removes the whole file.
 *   <li>A reader gets a block only if its bytes match the CID.
 *   <li>A base stands before its deltas. At most 32 deltas make a block.
 *   <li>Indexes and the manifest can be made from the segments.
 * </ol>
 *
 * <p>One process writes at a time, with one writer for all its threads. Readers in the same process and in others take no lock while they
 * read from a view. Locks are taken in this order: the writer's lock ({@code GroupCommit.lock}), the monitor of {@code CurrentView}, the
 * monitor of an {@code OpenIndex}. A thread lets go of the writer's lock while it waits for the file lock of the store, and while it writes
 * a batch.
 */
@NullMarked
package dev.pail.segment;

import org.jspecify.annotations.NullMarked;
