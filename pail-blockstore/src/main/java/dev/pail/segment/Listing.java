package dev.pail.segment;

import java.util.List;

/**
 * What a walk through the store found beside the blocks.
 *
 * @param damages the damaged places, each with file and offset: the walk left out blocks there that the store has nowhere else
 * @param corrupt the blocks that the walk passed on although they do not match their checksums: CID, file and offset
 * @param repeated whether the walk may have passed on some blocks twice, because a compaction moved them meanwhile
 */
public record Listing(List<String> damages, List<String> corrupt, boolean repeated) {}
