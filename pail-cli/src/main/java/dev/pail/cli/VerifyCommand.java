package dev.pail.cli;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.Verification;
import dev.pail.car.CarRoots;
import dev.pail.car.ValueCheck;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MalformedEventException;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryException;
import dev.pail.repository.files.FileStorage;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks everything that is reachable. */
final class VerifyCommand extends Command {
    VerifyCommand() {
        super(
                "verify",
                "Checks the current versions of all branches and tags: events, shards, logs and tables.",
                "It checks each block against its CID and each shard against the rules of its format, and names what is missing or damaged; then the exit",
                "status is 5. Values and the blocks that they link to may be absent: verify checks those that are here, and counts the others. If index",
                "entries of a table do not match its rows, the exit status is 1. verify also lists rows that belong to no table. With -b it checks one branch.");
        flag(
                "Check all versions of the history, and those that logs lead to, as far as gc keeps them. It takes memory for each block.",
                "--all");
        flag(
                "Read and hash all values and all blocks that they link to. Name those that are absent; then the exit status is 5.",
                "--values");
        examples(
                "  pail verify",
                "  pail verify --values && pail export backup.car",
                "  pail verify --all --json",
                "  pail -C photos.car verify");
    }

    @Override
    int run(Call call) {
        try (Versions versions = call.versions();
                Progress progress = call.progress("blocks")) {
            Check check = new Check(call, versions, progress);
            if (versions instanceof RepositoryVersions known) {
                call.warnOfForeignFiles(known.repository());
                boolean one = call.globals().branch() != null;
                check.checkRepository(known.repository(), one ? List.of(known.branch()) : List.of());
            } else if (versions instanceof CarVersions car) {
                check.checkCar(car);
            }
            return check.end();
        }
    }

    /**
     * Blocks of which some must be there.
     *
     * @param lost the raw CIDs of the blocks that the repository says it has lost
     * @param damages takes why the store cannot know whether it has a block: what was at a damaged place is not known
     */
    private record MustHave(BlockStore blocks, Set<Cid> lost, Consumer<CorruptBlockException> damages)
            implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            try {
                return blocks.get(cid);
            } catch (CorruptBlockException e) {
                if (isThere(cid)) {
                    throw e;
                }
                return Optional.empty();
            }
        }

        private boolean isThere(Cid cid) {
            try {
                return blocks.has(cid);
            } catch (CorruptBlockException e) {
                damages.accept(e);
                return false;
            }
        }

        @Override
        public boolean has(Cid cid) {
            if (isThere(cid)) {
                return true;
            }
            if (lost.contains(cid.raw())) {
                throw new MissingBlockException(cid);
            }
            return false;
        }

        @Override
        public void putAll(Collection<Block> all) {
            throw new UnsupportedOperationException("a check writes nothing");
        }

        @Override
        public void close() {
            // The blocks are not its own.
        }
    }

    /**
     * A file of the repository that cannot be read.
     *
     * @param what what is in it: the head of a branch, a log, a tag
     * @param name whose it is
     */
    private record DamagedFile(String what, String name, PailException cause) {}

    /** A check that is under way. */
    private static final class Check {
        private final Call call;
        private final BlockStore blocks;
        private final MerkleClock clock;
        private final boolean all;
        private final Progress progress;

        /** The roots of the versions to check. */
        private final Set<Cid> roots = new LinkedHashSet<>();

        /** For each branch the heads that its log leads back to and that must be there, if they are to be checked. */
        private final Map<String, Set<Head>> earlier = new LinkedHashMap<>();

        /** The versions of branches and tags. */
        private final Map<String, Cid> current = new LinkedHashMap<>();

        private final Set<Cid> events = new HashSet<>();

        /** Blocks that the repository says it has lost: if a version needs one, it is missing. */
        private final Set<Cid> lost = new HashSet<>();

        /** The blocks that were named, by the raw CIDs of their multihashes. */
        private final Set<Cid> named = new HashSet<>();

        /** The files that are damaged. */
        private final List<DamagedFile> files = new ArrayList<>();

        /** The repository, if it is one. */
        private @Nullable Repository repository;

        /** The branches that are checked. */
        private Set<String> branches = Set.of();

        /** Whether these are all. */
        private boolean isForAll;

        /** Of a damaged place it is not known which of the absent blocks were there: it is told once. */
        private final AtomicReference<@Nullable CorruptBlockException> place = new AtomicReference<>();

        private final MustHave mustHave;
        private final ValueCheck values;
        private long soundEvents;
        private long problems;

        /** What to do about a block that is missing. */
        private @Nullable String hint;

        Check(Call call, Versions versions, Progress progress) {
            this.call = call;
            this.blocks = versions.blocks();
            this.clock = MerkleClock.open(blocks);
            this.all = call.flag("--all");
            this.progress = progress;
            this.mustHave = new MustHave(blocks, lost, e -> place.compareAndSet(null, e));
            this.values = new ValueCheck(
                    mustHave,
                    call.flag("--values"),
                    progress::step,
                    (key, isValue, cause) -> print(isValue ? "value" : "below", "key", key, cause));
        }

        /** @param only the branches to check; all, and all else, if there are none */
        void checkRepository(Repository checked, List<String> only) {
            repository = checked;
            isForAll = only.isEmpty();
            branches = new TreeSet<>(isForAll ? checked.branches() : only);
            if (isForAll) {
                branches.add(Repository.MAIN);
                readFile("gc", "-", checked::logsHeededSince);
                readFile("branch", "-", checked::current);
                FileStorage.of(checked)
                        .ifPresent(storage -> readFile("lost", "-", () -> lost.addAll(storage.lostBlocks())));
            }
            branches.forEach(branch -> checkBranch(checked, branch));
            if (isForAll) {
                checked.removedBranches().stream()
                        .filter(branch -> !branches.contains(branch))
                        .forEach(branch -> readLog(checked, branch));
                checked.tags()
                        .forEach(tag -> readFile(
                                "tag", tag, () -> checked.tag(tag).ifPresent(head -> check(checked, tag, head))));
            }
            followLogs();
        }

        private void checkBranch(Repository checked, String branch) {
            try {
                readFile("head", branch, () -> {
                    Head head = checked.head(branch);
                    readLog(checked, branch);
                    check(checked, branch, head);
                });
            } catch (RepositoryException e) {
                // One that was listed may have been removed since. It may even be back by now, so nobody is asked.
                if (!isForAll || e.reason() != RepositoryException.Reason.NO_BRANCH) {
                    throw e;
                }
            }
        }

        /** Does what reads a file of the repository: one that is damaged is named, and all else is checked. */
        private void readFile(String what, String name, Runnable read) {
            try {
                read.run();
            } catch (RepositoryException e) {
                if (e.reason() != RepositoryException.Reason.DAMAGED) {
                    throw e;
                }
                noteFile(what, name, e);
            } catch (StoreIOException e) {
                noteFile(what, name, e);
            }
        }

        /** Reads a log to its beginning. */
        void readLog(Repository repository, String branch) {
            Instant heeded = heeded(repository);
            readFile("log", branch, () -> {
                try (Stream<LogEntry> moves = repository.logEvenIfRemoved(branch)) {
                    moves.forEach(move -> {
                        if (all && !move.time().isBefore(heeded)) {
                            earlier.computeIfAbsent(branch, name -> new LinkedHashSet<>())
                                    .add(move.from());
                        }
                    });
                }
            });
        }

        /** From when on all that logs lead to must be there; where that cannot be known, it need not. */
        private static Instant heeded(Repository repository) {
            try {
                return repository.logsHeededSince();
            } catch (RepositoryException e) {
                return Instant.MAX;
            }
        }

        /** Reads the events that logs lead back to. */
        void followLogs() {
            earlier.forEach((branch, heads) -> heads.forEach(head -> follow(head, branch)));
        }

        void check(Repository repository, String branchOrTag, Head head) {
            addRoot(
                    head,
                    branchOrTag,
                    () -> head.size() == 1
                            ? clock.event(head.events().get(0)).root()
                            : repository.pailMadeAnew(head).root());
        }

        /** Checks what the roots of a CAR name, each by itself: what follows from them together takes events that may be missing. */
        void checkCar(CarVersions car) {
            List<Cid> events = new ArrayList<>();
            for (Cid root : car.roots()) {
                try {
                    CarRoots.Kind kind = CarRoots.kind(blocks, root);
                    if (kind == CarRoots.Kind.EVENT) {
                        events.add(root);
                    } else if (kind == CarRoots.Kind.PAIL) {
                        roots.add(root);
                    }
                } catch (MalformedEventException e) {
                    print("event", "branch", "-", e);
                } catch (BlockException e) {
                    // The check of the versions reports it.
                    roots.add(root);
                }
            }
            Head head = Head.of(events);
            if (roots.isEmpty() && problems == 0) {
                addRoot(head, "-", car::root);
            } else {
                follow(head, "-");
            }
        }

        private void addRoot(Head head, String branch, Supplier<Cid> root) {
            long before = problems;
            follow(head, branch);
            try {
                Cid version = root.get();
                roots.add(version);
                current.put(branch, version);
            } catch (BlockException e) {
                // Unless events were told of for that reason.
                if (problems == before) {
                    print("shard", "branch", branch, e);
                }
            }
        }

        /** Reads the events of a head and all that they follow. */
        void follow(Head head, String branch) {
            Deque<Cid> due = new ArrayDeque<>();
            head.events().stream().filter(events::add).forEach(due::add);
            for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                progress.step();
                try {
                    Event event = clock.event(cid);
                    soundEvents++;
                    event.parents().stream().filter(events::add).forEach(due::add);
                    if (all) {
                        roots.add(event.root());
                    }
                } catch (BlockException e) {
                    print("event", "branch", branch, e);
                }
            }
        }

        int end() {
            Verification found = Verification.of(mustHave, roots, progress::step, values::check);
            found.problems().forEach(problem -> print("shard", "prefix", problem.key(), problem.cause()));
            CorruptBlockException unknown = place.get();
            if (repository != null && all && isForAll) {
                repository.checkStored(this::printStored, progress::step);
            } else if (unknown != null) {
                noteFile(
                        "store",
                        "-",
                        new StoreDamagedException(
                                "cannot tell which values are here",
                                call.store().toString(),
                                unknown.found(),
                                unknown));
            }
            if (problems == 1 && files.size() == 1) {
                // It says all that there is to say.
                throw files.get(0).cause;
            }
            progress.hide();
            files.forEach(this::print);
            printSum(found);
            TableChecks tables = new TableChecks(blocks, call.terminal());
            current.forEach((name, version) -> tables.check(name, branches.contains(name), version));
            if (problems == 0) {
                tables.end();
                return Exit.DONE;
            }
            long blocks = problems - files.size();
            String what = (files.isEmpty() ? "" : count(files.size(), "file"))
                    + (files.isEmpty() || blocks == 0 ? "" : " and ")
                    + (blocks == 0 ? "" : count(blocks, "block"));
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "damaged-store",
                    what + (problems == 1 ? " is" : " are") + " missing or damaged: " + call.store(),
                    hint());
        }

        private @Nullable String hint() {
            String back = hint == null ? wayBack() : hint;
            if (back != null || problems == files.size()) {
                return back;
            }
            return repository == null
                    ? "get the file again, or write it again with export where the blocks are"
                    : "take the blocks in from a copy that has them with: pail import FILE.car";
        }

        /** How branches of which the newest version is not whole get back to one that is. */
        private @Nullable String wayBack() {
            if (repository == null) {
                return null;
            }
            WayBack way = new WayBack(repository);
            List<String> commands =
                    branches.stream().map(way::of).flatMap(Optional::stream).toList();
            return commands.isEmpty()
                    ? null
                    : "go back to the newest version that is whole with: " + String.join("; ", commands);
        }

        private static String count(long number, String what) {
            return number + " " + what + (number == 1 ? "" : "s");
        }

        /** A damaged block that no version leads to, or a part of a store of which nobody knows what was in it. */
        private void printStored(PailException damage) {
            if (!(damage instanceof BlockException of)) {
                noteFile("store", "-", damage);
            } else if (!named.contains(of.cid().raw())) {
                print("stored", "key", "", of);
            }
        }

        private void noteFile(String what, String name, PailException cause) {
            problems++;
            files.add(new DamagedFile(what, name, cause));
        }

        private void print(DamagedFile file) {
            Terminal terminal = call.terminal();
            String message = Failure.message(file.cause);
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("problem", "damaged");
                    json.writeStringField("file", file.what);
                    json.writeStringField("name", file.name);
                    json.writeStringField("message", message);
                });
                return;
            }
            terminal.print(
                    "damaged\t-\t" + file.what + "\t" + Escapes.escape(file.name) + "\t" + Escapes.printable(message));
        }

        /** @param field what {@code place} is: the prefix of a shard, the key of a value or of one above a block, the branch of an event */
        private void print(String what, String field, String place, BlockException cause) {
            problems++;
            if (hint == null && cause instanceof MissingBlockException) {
                hint = call.misnamed(cause.cid()).orElse(null);
            }
            named.add(cause.cid().raw());
            progress.hide();
            Terminal terminal = call.terminal();
            Cid cid = cause.cid();
            String problem = cause instanceof MissingBlockException ? "missing" : "damaged";
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("problem", problem);
                    json.writeStringField("cid", cid.toString());
                    json.writeStringField(field, place);
                    json.writeStringField("message", cause.getMessage());
                });
                return;
            }
            terminal.print(problem + "\t" + cid + "\t" + what + "\t" + Escapes.escape(place) + "\t"
                    + Escapes.printable(String.valueOf(cause.getMessage())));
        }

        private void printSum(Verification found) {
            progress.hide();
            Terminal terminal = call.terminal();
            if (terminal.json) {
                terminal.printJson(json -> {
                    Json.writeCids(json, "roots", all ? List.of() : roots);
                    json.writeNumberField("versions", roots.size());
                    json.writeNumberField("events", soundEvents);
                    json.writeNumberField("shards", found.shards());
                    json.writeNumberField("entries", found.entries());
                    json.writeNumberField("values", values.values());
                    json.writeNumberField("absent", values.absentValues());
                    json.writeNumberField("below", values.below());
                    json.writeNumberField("absentBelow", values.absentBelow());
                    json.writeNumberField("bytes", found.bytes() + values.bytes());
                    json.writeNumberField("problems", problems);
                });
            } else if (!terminal.quiet) {
                terminal.print((problems == 0 ? "sound" : "the rest is sound") + "\tversions " + roots.size()
                        + ", events " + soundEvents + ", shards " + found.shards() + ", entries " + found.entries()
                        + ", values here " + values.values() + ", values absent " + values.absentValues()
                        + ", below values here " + values.below() + ", below values absent "
                        + values.absentBelow() + ", bytes " + (found.bytes() + values.bytes()));
            }
        }
    }
}
