package dev.pail.s3;

import dev.pail.Escapes;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.io.Serial;
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

    /**
     * The state after the next commit.
     *
     * @throws CommitException if the commit belongs behind another state
     */
    State after(Commit commit) {
        long next = number + 1;
        State before = commit.isRecovery() ? EMPTY : this;
        NavigableMap<String, Newest> newest = before.records;
        if (!commit.records().isEmpty()) {
            newest = new TreeMap<>(before.records);
            for (Commit.Written each : commit.records()) {
                before.check(each, newest, next);
                newest.put(each.name(), new Newest(each, next));
            }
        }
        NavigableMap<String, Pack> all = new TreeMap<>(before.packs);
        for (String name : commit.condemned()) {
            all.put(name, taken(all, name).condemned(commit.at()));
        }
        commit.merged().forEach(name -> taken(all, name));
        commit.deleted().forEach(name -> taken(all, name));
        for (Pack pack : commit.added()) {
            if (before.packs.containsKey(pack.name())) {
                throw new CommitException(next, "it adds a pack that is there: " + pack.name());
            }
            all.put(pack.name(), pack);
        }
        return new State(next, newest, all);
    }

    private Pack taken(NavigableMap<String, Pack> all, String name) {
        Pack pack = all.remove(name);
        if (pack == null) {
            throw new CommitException(number + 1, "it takes away a pack that is not there: " + name);
        }
        return pack;
    }

    /** Refuses a record that is not behind the newest one of its name. Rule OS12. */
    private void check(Commit.Written record, NavigableMap<String, Newest> newest, long commit) {
        Newest last = newest.get(record.name());
        Newest before = records.get(record.name());
        if (record.number() != (last == null ? 0 : last.record.number()) + 1
                || record.previous() != (before == null ? 0 : before.commit)) {
            throw new CommitException(
                    commit, "record " + record.number() + " of " + Escapes.brief(record.name()) + " is not the next");
        }
    }

    /** A commit that does not belong behind the one before it. */
    static final class CommitException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final long number;

        CommitException(long number, String reason) {
            super(reason);
            this.number = number;
        }

        /** The number that it has. */
        long number() {
            return number;
        }
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
