/**
 * Blocks in segments: files to which records are only appended. A block that was made from another is kept as what differs from
 * it. The rules are SEG1 to SEG19 of {@code spec/segments.md}. Not exported: {@code SegmentBlockStore} is what users see.
 *
 * <p>What always holds:
 *
 * <ol>
 *   <li>What is behind a commit that was acknowledged is not changed, until a compaction removes the whole file.
 *   <li>Bytes are handed out only if they match their CID, whatever the files hold.
 *   <li>A base stands before what differs from it. At most 32 deltas make a block.
 *   <li>Indexes and the manifest can be made anew from the segments.
 * </ol>
 *
 * <p>One process writes, with one writer for all its threads; readers in the same process and in others take no lock.
 */
@NullMarked
package dev.pail.segment;

import org.jspecify.annotations.NullMarked;
