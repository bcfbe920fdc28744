package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.dag.Link;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.Tracking;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A fetch into a part: the new events, the entries of the part in the newest version, and their values. The rest stays with the remote, which promises
 * it. What is read comes through the blocks of the repository. For one use.
 */
final class PartFetching {
    private final Repository repository;
    private final Part part;
    private final Remote remote;
    private final String branch;
    private final String ref;
    private final Runnable progress;
    private final BlockStore blocks;
    private final Set<Cid> seen = new HashSet<>();
    private long fetched;

    PartFetching(Repository repository, Part part, Remote remote, String branch, Runnable progress) {
        this.repository = repository;
        this.part = part;
        this.remote = remote;
        this.branch = branch;
        this.ref = part.remote() + "/" + branch;
        this.progress = progress;
        this.blocks = repository.blocks();
    }

    FetchResult fetch() {
        List<RemoteBranch> all = remote.branches();
        RemoteBranch there = all.stream()
                .filter(each -> each.name().equals(branch))
                .findFirst()
                .orElseThrow(() -> RemoteException.noBranch(
                        remote.address(),
                        branch,
                        all.stream().map(RemoteBranch::name).toList()));
        Optional<Tracking> before = repository.refs().tracking(ref);
        Tracking next = new Tracking(there.generation(), false, there.head());
        if (before.equals(Optional.of(next))) {
            return new FetchResult(ref, before, next, 0, false);
        }
        follow(there.head(), before.map(Tracking::head).orElse(there.head()));
        read(there.head());
        boolean isBack = Fetching.isBack(repository, before, there.head());
        return new FetchResult(ref, before, repository.remotes().trackPromised(ref, next), fetched, isBack);
    }

    /** Reads the events since the head before; of a branch that is new here, the head alone. */
    private void follow(Head head, Head before) {
        MerkleClock clock = MerkleClock.open(blocks);
        Deque<Cid> due = new ArrayDeque<>(head.events());
        boolean isNew = head.equals(before);
        while (!due.isEmpty()) {
            Cid event = due.poll();
            if (!isNew && blocks.has(event)) {
                continue;
            }
            List<Cid> parents = clock.event(event).parents();
            count(1);
            if (!isNew) {
                due.addAll(parents);
            }
        }
    }

    /** Reads the entries of the part. */
    private void read(Head head) {
        List<Cid> values = new ArrayList<>();
        try (Stream<Entry> entries = repository.pailAt(head).entries(KeyRange.prefix(part.prefix()))) {
            entries.forEach(entry -> {
                progress.run();
                if (part.hasValues() && seen.add(entry.value())) {
                    values.add(entry.value());
                }
                if (values.size() == Remote.MAX_BLOCKS) {
                    readValues(values);
                    values.clear();
                }
            });
        }
        readValues(values);
    }

    /** Reads values, and then what they link to. */
    private void readValues(Collection<Cid> values) {
        List<Cid> due = values.stream().filter(Cid::canNameBlock).toList();
        while (!due.isEmpty()) {
            Set<Cid> next = new LinkedHashSet<>();
            for (int at = 0; at < due.size(); at += Remote.MAX_BLOCKS) {
                List<Cid> portion = due.subList(at, Math.min(due.size(), at + Remote.MAX_BLOCKS));
                Collection<Block> found = blocks.getAll(portion).values();
                count(found.size());
                for (Block block : found) {
                    if (Links.has(block.cid().codec())) {
                        Links.of(block, Link.Role.VALUE).stream()
                                .map(Link::cid)
                                .filter(cid -> cid.canNameBlock() && seen.add(cid))
                                .forEach(next::add);
                    }
                }
            }
            due = List.copyOf(next);
        }
    }

    private void count(int blocksRead) {
        fetched += blocksRead;
        progress.run();
    }
}
