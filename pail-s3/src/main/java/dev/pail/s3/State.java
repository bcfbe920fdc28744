package dev.pail.s3;

import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What a repository is after a commit: the newest record of each name, and the packs. Immutable (OS4).
 *
 * @param number of the commit; 0, if there is none yet
 * @param records by name
 * @param packs by name, live and condemned ones
 */
record State(long number, NavigableMap<String, Newest> records, NavigableMap<String, Pack> packs) {
    static final State EMPTY = new State(0, new TreeMap<>(), new TreeMap<>());

    private static final int FIELDS = 4;

    /**
     * The newest record of a name.
     *
     * @param commit the number of the commit that has it
     */
    record Newest(Commit.Written record, long commit) {}

    /** The state after the next commit. */
    State after(Commit commit) {
        long next = number + 1;
        NavigableMap<String, Newest> newest = records;
        if (!commit.records().isEmpty()) {
            newest = new TreeMap<>(records);
            for (Commit.Written each : commit.records()) {
                newest.put(each.name(), new Newest(each, next));
            }
        }
        NavigableMap<String, Pack> all = new TreeMap<>(packs);
        commit.condemned().forEach(name -> all.computeIfPresent(name, (same, pack) -> pack.condemned(commit.at())));
        commit.merged().forEach(all::remove);
        commit.deleted().forEach(all::remove);
        commit.added().forEach(pack -> all.put(pack.name(), pack));
        return new State(next, newest, all);
    }

    /** The live packs, newest first, and then the condemned ones. */
    List<Pack> inOrder() {
        List<Pack> packs = new ArrayList<>(live());
        packs.addAll(trash());
        return packs;
    }

    /** The live packs, newest first. */
    List<Pack> live() {
        return packs.descendingMap().values().stream().filter(Pack::isLive).toList();
    }

    /** The condemned packs, newest first. */
    List<Pack> trash() {
        return packs.descendingMap().values().stream()
                .filter(pack -> !pack.isLive())
                .toList();
    }

    byte[] encode() {
        DagCborWriter out = new DagCborWriter();
        out.array(FIELDS).integer(Commit.version()).integer(number);
        Commit.list(out, List.copyOf(records.values()), (each, to) -> {
            to.array(2).integer(each.commit);
            each.record.write(to);
        });
        Commit.list(out, List.copyOf(packs.values()), Pack::write);
        return Frame.of(out);
    }

    static State decode(byte[] frame, String where) {
        return Frame.read(frame, where, in -> {
            Frame.expect(in, FIELDS);
            Commit.checkVersion(in);
            long number = in.readLong();
            if (number < 1) {
                throw new MalformedDataException(in.position(), "a checkpoint of no commit");
            }
            NavigableMap<String, Newest> records = new TreeMap<>();
            for (Newest each : Commit.list(in, State::newest)) {
                records.put(each.record.name(), each);
            }
            NavigableMap<String, Pack> packs = new TreeMap<>();
            for (Pack each : Commit.list(in, Pack::read)) {
                packs.put(each.name(), each);
            }
            return new State(number, records, packs);
        });
    }

    private static Newest newest(DagCborReader in) {
        Frame.expect(in, 2);
        long commit = in.readLong();
        return new Newest(Commit.Written.read(in), commit);
    }
}
