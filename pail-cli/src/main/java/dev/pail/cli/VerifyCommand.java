package dev.pail.cli;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.Verification;
import dev.pail.car.CarRoots;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MalformedEventException;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Repository;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks everything that is reachable. */
final class VerifyCommand extends Command {
    VerifyCommand() {
        super(
                "verify",
                "Reads the current versions of all branches and tags, the events that led there, and the logs; checks each block",
                "against its CID and each shard against the rules of its format, and names what is missing or damaged. Exit",
                "status 5 if anything is. With -b, only one branch is checked.");
        flag(
                "Check all versions of the history, too, and those that a log leads back to, unless gc was free to take them away."
                        + " That takes memory for each of their blocks.",
                "--all");
        examples("  pail verify", "  pail verify --all --json", "  pail -C photos.car verify");
    }

    @Override
    int run(Call call) {
        try (Versions versions = call.versions();
                Progress progress = call.progress("blocks")) {
            Check check = new Check(call, versions.blocks(), call.flag("--all"), progress);
            if (versions instanceof RepositoryVersions known) {
                Repository repository = known.repository();
                call.warnOfForeignFiles(repository);
                boolean one = call.globals().branch() != null;
                SortedMap<String, Head> heads = one
                        ? new TreeMap<>(Map.of(known.branch(), repository.head(known.branch())))
                        : repository.heads();
                heads.keySet().forEach(branch -> check.readLog(repository, branch));
                heads.forEach((branch, head) -> check.check(repository, branch, head));
                if (!one) {
                    repository.removedBranches().forEach(branch -> check.readLog(repository, branch));
                    repository
                            .tags()
                            .forEach(tag -> repository.tag(tag).ifPresent(head -> check.check(repository, tag, head)));
                }
                check.followLogs();
            } else if (versions instanceof CarVersions car) {
                check.checkCar(car);
            }
            return check.end();
        }
    }

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

        private final Set<Cid> events = new HashSet<>();
        private long soundEvents;
        private long problems;

        /** What to do about a block that is missing. */
        private @Nullable String hint;

        Check(Call call, BlockStore blocks, boolean all, Progress progress) {
            this.call = call;
            this.blocks = blocks;
            this.clock = MerkleClock.open(blocks);
            this.all = all;
            this.progress = progress;
        }

        /** Reads a log to its beginning. */
        void readLog(Repository repository, String branch) {
            Instant heeded = repository.logsHeededSince();
            try (Stream<LogEntry> moves = repository.logEvenIfRemoved(branch)) {
                moves.forEach(move -> {
                    if (all && !move.time().isBefore(heeded)) {
                        earlier.computeIfAbsent(branch, name -> new LinkedHashSet<>())
                                .add(move.from());
                    }
                });
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
                            : repository.pailAt(head).root());
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
                roots.add(root.get());
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
            Verification found = Verification.of(blocks, roots, progress::step);
            found.problems()
                    .forEach(problem -> print(
                            problem.isShard() ? "shard" : "value",
                            problem.isShard() ? "prefix" : "key",
                            problem.key(),
                            problem.cause()));
            printSum(found);
            if (problems == 0) {
                return Exit.DONE;
            }
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "damaged",
                    problems + (problems == 1 ? " block is" : " blocks are") + " missing or damaged: " + call.store(),
                    hint);
        }

        /** @param field what {@code place} is: the prefix of a shard, the key of a value, the branch of an event */
        private void print(String what, String field, String place, BlockException cause) {
            problems++;
            if (hint == null && cause instanceof MissingBlockException) {
                hint = call.misnamed(cause.cid()).orElse(null);
            }
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
                    json.writeNumberField("values", found.values());
                    json.writeNumberField("bytes", found.bytes());
                    json.writeNumberField("problems", problems);
                });
            } else if (!terminal.quiet) {
                terminal.print((problems == 0 ? "sound" : "the rest is sound") + "\tversions " + roots.size()
                        + ", events " + soundEvents + ", shards " + found.shards() + ", entries " + found.entries()
                        + ", values here " + found.values() + ", bytes " + found.bytes());
            }
        }
    }
}
