package dev.pail.blockstore;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A guess at the blocks that a walk will read next. If a walk reads a block and then its next or previous sibling, it will probably
 * continue in that direction. Each step in that direction doubles the number of blocks to read ahead; any other step resets it to
 * none, so look-ups of single keys read nothing ahead. Safe for use by several threads.
 */
final class ReadAhead {
    /** The most links of recently read blocks in memory. */
    private static final int MOST_LINKS = 1 << 16;

    private final int most;

    /** The links of recently read blocks, oldest first. */
    @GuardedBy("this")
    private final Map<Cid, List<Cid>> parents = new LinkedHashMap<>(16, 0.75f, true);

    /** Where each block is linked. */
    @GuardedBy("this")
    private final Map<Cid, Place> places = new HashMap<>();

    /** The number of links in {@link #parents}. */
    @GuardedBy("this")
    private int links;

    /** @param most the most blocks that are fetched together */
    ReadAhead(int most) {
        this.most = most;
    }

    /** The links of a block that have the same codec, in order, and the position of a walk. The lock of the outer class guards it. */
    private static final class Siblings {
        private final List<Cid> cids = new ArrayList<>();

        private int last = -1;

        /** The number of blocks that were fetched together with the block that has these links. */
        private final int above;

        private int step;
        private int window;

        Siblings(int above) {
            this.above = above;
        }
    }

    private record Place(Siblings among, int index) {}

    /** The blocks to fetch when a block is read: this one, and those that are probably read next. */
    synchronized List<Cid> with(Cid cid) {
        pass(cid);
        Place place = places.get(cid);
        List<Cid> due = new ArrayList<>();
        due.add(cid);
        if (place != null) {
            Siblings among = place.among;
            for (int i = 1; i < among.window; i++) {
                int next = place.index + i * among.step;
                if (next < 0 || next >= among.cids.size()) {
                    break;
                }
                due.add(among.cids.get(next));
            }
        }
        return due;
    }

    /** The first step: a walk over all parents walks over all of these, from one end. */
    private static void begin(Siblings among, int index) {
        boolean isAtEnd = index == 0 || index == among.cids.size() - 1;
        among.window = isAtEnd ? Math.max(1, among.above) : 1;
        among.step = index == 0 ? 1 : -1;
        among.last = index;
    }

    /** Records that a block is read. */
    synchronized void pass(Cid cid) {
        Place place = places.get(cid);
        if (place != null) {
            step(place);
        }
    }

    private void step(Place place) {
        Siblings among = place.among;
        if (among.last < 0) {
            begin(among, place.index);
            return;
        }
        int step = place.index - among.last;
        boolean isInLine = Math.abs(step) == 1;
        if (step != 0) {
            among.window = isInLine ? Math.min(most, 2 * Math.max(1, among.window)) : 1;
            among.step = isInLine ? step : 1;
        }
        among.last = place.index;
    }

    /** Adds the links of a block that was fetched. */
    synchronized void note(Block block) {
        if (!Links.has(block.cid().codec()) || parents.get(block.cid()) != null) {
            return;
        }
        Place own = places.get(block.cid());
        int above = own == null ? 1 : own.among.window;
        Map<Long, Siblings> byCodec = new HashMap<>();
        List<Cid> noted = new ArrayList<>();
        for (Link link : Links.of(block, Link.Role.VALUE)) {
            Cid cid = link.cid();
            Siblings among = byCodec.computeIfAbsent(cid.codec(), codec -> new Siblings(above));
            if (noted.size() < MOST_LINKS && places.putIfAbsent(cid, new Place(among, among.cids.size())) == null) {
                among.cids.add(cid);
                noted.add(cid);
            }
        }
        parents.put(block.cid(), noted);
        links += noted.size();
        Iterator<List<Cid>> oldest = parents.values().iterator();
        while (links > MOST_LINKS && oldest.hasNext()) {
            List<Cid> gone = oldest.next();
            oldest.remove();
            gone.forEach(places::remove);
            links -= gone.size();
        }
    }
}
