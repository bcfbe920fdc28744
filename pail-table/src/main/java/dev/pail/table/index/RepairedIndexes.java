package dev.pail.table.index;

import dev.pail.Pail;
import java.util.List;

/**
 * A version with right index entries.
 *
 * @param notes a sentence for each thing that was not done, and for each lost index
 */
public record RepairedIndexes(Pail pail, long added, long removed, List<String> notes) {}
