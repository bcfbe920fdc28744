package dev.pail.s3;

import dev.pail.ipld.Cid;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.RefRecords;
import dev.pail.repository.spi.RefRecovery;
import dev.pail.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A commit that begins anew, made of what is left of a log and of all packs. Rule OS13.
 *
 * @param ledger of the damaged repository, which has read nothing yet
 */
record S3Recovery(Ledger ledger) {
    /** Rebuilds the refs. */
    Recovered run() {
        NavigableMap<String, Pack> packs = packs();
        long newest = newest(packs);
        State left = new State(newest, records(), packs);
        ledger.assume(left);
        List<Cid> stored = new ArrayList<>();
        Packs reading = new Packs(ledger.bucket(), ledger.fetches());
        packs.values().forEach(pack -> reading.needed(pack).inOrder().forEach(each -> stored.add(each.raw())));
        // The repository that opens next closes its own blocks.
        RefRecovery recovery = RefRecovery.of(new Left(left), new S3Blocks(ledger, 0), stored, ledger.now());
        // A gap before it says that nothing before it counts.
        long number = newest + 2;
        List<Commit.Written> records = new ArrayList<>();
        recovery.records().forEach((name, content) -> records.add(new Commit.Written(name, 1, 0, content)));
        Commit commit = new Commit(
                Commit.recoveryId(number, Commit.newAttempt()),
                ledger.now(),
                records,
                List.copyOf(packs.values()),
                Set.of(),
                Set.of(),
                Set.of(),
                Set.of());
        ledger.begin(number, commit);
        return recovery.found();
    }

    /** The greatest number that any object has. */
    private long newest(Map<String, Pack> packs) {
        long newest = Math.max(0, ledger.hint().number());
        for (String prefix : List.of(Keys.LOG, Keys.CHECKPOINTS)) {
            for (long number : ledger.commits().numbers(prefix, 0)) {
                newest = Math.max(newest, number);
            }
        }
        for (String name : packs.keySet()) {
            newest = Math.max(newest, Keys.packNumber(name));
        }
        return newest;
    }

    /** The newest record of each name that is left. */
    private NavigableMap<String, State.Newest> records() {
        State begun = ledger.commits().checkpoint(0);
        NavigableMap<String, State.Newest> records = new TreeMap<>(begun.records());
        for (long number : ledger.commits().numbers(Keys.LOG, begun.number())) {
            try {
                Commit commit = ledger.commits().fetched(number);
                if (commit.isRecovery()) {
                    records.clear();
                }
                commit.records().forEach(each -> records.put(each.name(), new State.Newest(each, number)));
            } catch (RepositoryException e) {
                Trace.swallowed("a commit is left out", e);
            }
        }
        return records;
    }

    /** All packs whose index can be read. */
    private NavigableMap<String, Pack> packs() {
        NavigableMap<String, Pack> packs = new TreeMap<>();
        String last = Keys.PACKS;
        while (true) {
            List<Bucket.Listed> page = ledger.bucket().list(Keys.PACKS, last, Mark.PAGE);
            for (Bucket.Listed each : page) {
                String name = Keys.packName(each.key());
                if (name != null) {
                    PackFile.look(ledger.bucket(), name, each.modified()).ifPresent(pack -> packs.put(name, pack));
                }
                last = each.key();
            }
            if (page.size() < Mark.PAGE) {
                return packs;
            }
        }
    }

    /** What is left of the records, as a store has them. */
    private record Left(State state) implements RefRecords {
        @Override
        public Optional<Map.Entry<Long, byte[]>> newest(String name) {
            return Optional.ofNullable(state.records().get(name))
                    .map(found ->
                            Map.entry(found.record().number(), found.record().content()));
        }

        @Override
        public Optional<byte[]> read(String name, long number) {
            return newest(name).filter(found -> found.getKey() == number).map(Map.Entry::getValue);
        }

        @Override
        public boolean create(String name, long number, byte[] content) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> names(String prefix) {
            return state.records().keySet().stream()
                    .filter(name -> name.startsWith(prefix))
                    .toList();
        }
    }
}
