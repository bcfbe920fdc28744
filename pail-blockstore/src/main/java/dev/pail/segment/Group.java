package dev.pail.segment;

import dev.pail.ipld.Cid;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records that are written together, with one commit behind them. For who holds the writer's lock. */
final class Group {
    final int section;
    final int salt;
    final long start;

    /** In the order of the groups. */
    final long number;

    final Output out = new Output(1024);
    final Map<Cid, Staged> staged = new LinkedHashMap<>();

    /** Whether it was written, or never will be. */
    boolean done;

    /** A block that is to be written. */
    record Staged(Stored stored, Reader.Held held) {}

    /** What has to be known of a block to keep another as what differs from it. */
    static final class Stored {
        final Location location;

        /** See {@link Head.Kept}. */
        final int generation;

        /** See {@link Head.Kept}. */
        final @Nullable Location base;

        /** What is known of the base, from when that was asked for: it saves reading it. */
        @Nullable
        Stored knownBase;

        Stored(Location location, Head.Kept kept) {
            this.location = location;
            this.generation = kept.generation();
            this.base = kept.base();
        }
    }

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
