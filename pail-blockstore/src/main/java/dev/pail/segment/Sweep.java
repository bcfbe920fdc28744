package dev.pail.segment;

import dev.pail.segment.format.Condemned;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.Scan;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what a garbage collector takes away of a store, and what it condemns (Rule G16, Rule SEG19). Changes nothing itself. For one
 * run over one view.
 */
final class Sweep {
    private final Catalog catalog;
    private final View view;
    private final SweepRule rule;
    private final Condemned before;

    /** Whether what was condemned is due, or nothing was condemned. Only then more records may be condemned. */
    private final boolean overdue;

    private final Condemned next = Condemned.none();
    private final Condemned due = Condemned.none();

    /** The places of records that are bases of records that stay. */
    private final Set<Long> bases = new HashSet<>();

    private Swept sum = Swept.NOTHING;

    Sweep(Catalog catalog, View view, SweepRule rule, Condemned before) {
        this.catalog = catalog;
        this.view = view;
        this.rule = rule;
        this.before = before;
        this.overdue = before.records().isEmpty() || before.since().isBefore(rule.before());
    }

    Swept run() throws IOException {
        view.checkSound();
        List<View.Segment> segments = view.segments();
        for (int i = segments.size() - 1; i >= 0; i--) {
            judge(segments.get(i));
        }
        return sum;
    }

    private void judge(View.Segment segment) throws IOException {
        List<Scan.Entry> entries = segment.soundEntries();
        Instant mtime = catalog.mtime(segment.file());
        for (int i = entries.size() - 1; i >= 0; i--) {
            judge(entries.get(i), i, mtime);
        }
    }

    private void judge(Scan.Entry entry, int record, Instant mtime) {
        Location location = entry.location();
        int segmentNumber = location.segmentNumber();
        boolean garbage = rule.isDue(entry.content().cid(), mtime);
        boolean known = before.contains(segmentNumber, record);
        boolean condemned = garbage && known;
        if (condemned && overdue && !bases.contains(location.place())) {
            due.add(segmentNumber, record);
            sum = sum.plus(Swept.deleted(location.size()));
            return;
        }
        Location base = entry.content().base();
        if (base != null) {
            bases.add(base.place());
        }
        if (condemned || (garbage && overdue)) {
            next.add(segmentNumber, record);
        }
        long size = location.size();
        if (condemned) {
            sum = sum.plus(Swept.waiting(size));
        } else if (known) {
            sum = sum.plus(Swept.restored(size));
        } else {
            sum = sum.plus(garbage && overdue ? Swept.moved(size) : Swept.kept(size));
        }
    }

    /** The records to delete. */
    Condemned due() {
        return due;
    }

    /** The records that are condemned from now on, if none is deleted: only those from before, until these are due. */
    Condemned next() {
        return overdue ? next : new Condemned(before.since(), next.records());
    }
}
