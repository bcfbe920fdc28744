package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import java.util.List;

/** Compares the heads of two sides of an exchange. */
final class Heads {
    private Heads() {}

    /** The blocks of a head without those of others, the oldest events first. Rule SY5. */
    static CarExport export(BlockStore blocks, Head head, Head known) {
        List<Cid> missing = MerkleClock.open(blocks).since(head, known);
        CarExport export = CarExport.of(blocks, head.events()).beginningWith(missing);
        for (Cid event : known.events()) {
            export = export.since(event);
        }
        return export;
    }

    /** Whether a head holds all events of another. */
    static boolean holds(MerkleClock clock, Head head, Head other) {
        return other.events().stream().allMatch(event -> clock.contains(head, event));
    }
}
