package dev.pail.segment;

import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;

/** Records that are written together, with one commit behind them. For who holds the writer's lock. */
final class Group {
    final int section;
    final int salt;
    final long start;

    /** In the order of the groups. */
    final long number;

    final Output out = new Output(1024);
    final List<Staged> staged = new ArrayList<>();

    /** Whether it was written, or never will be. */
    boolean done;

    /**
     * A block that is to be written.
     *
     * @param group the number of the group that it is written with
     * @param cid the raw CID of its multihash
     */
    record Staged(long group, Cid cid, Stored stored) {}

    Group(int section, int salt, long start, long number) {
        this.section = section;
        this.salt = salt;
        this.start = start;
        this.number = number;
    }

    long end() {
        return start + out.size();
    }

    /** Adds a record. */
    Location add(Head.Content content, byte[] payload) {
        long at = end();
        Head.write(out, content, payload, salt, at);
        return new Location(section, at, (int) (end() - at));
    }
}
