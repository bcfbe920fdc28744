package dev.pail.segment.format;

import dev.pail.ipld.Cid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the blocks of a segment are. For use by several threads at once. */
public interface Index {
    /** Where the block of this name may be: the last one first. What is there has to be compared with the name. */
    List<Location> find(Cid cid);

    /** What is known of the block of this name without a look at the file; null if that is nothing. */
    @Nullable
    RecordRef known(Cid cid);

    /** How many there are. */
    int count();
}
