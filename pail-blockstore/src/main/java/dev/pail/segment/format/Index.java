package dev.pail.segment.format;

import dev.pail.ipld.Cid;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the blocks of a segment are. For use by several threads at once. */
public interface Index {
    /** Where the block of this CID may be, the last place first. The caller compares the CID there. */
    List<Location> find(Cid cid) throws IOException;

    /** The record of this CID, if the index has it in memory; else null. */
    @Nullable
    RecordRef known(Cid cid);

    /** How many blocks there are. */
    int count();
}
