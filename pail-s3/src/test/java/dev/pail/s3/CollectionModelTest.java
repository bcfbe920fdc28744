package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * All orders of the steps of two writers, two collectors and a process that merges packs, over three blocks and two refs, one of them new. A
 * process that stops is one that takes no more steps, so each order of fewer steps is among them; so is a deletion that comes late. Time is
 * left out: each block is old at once. In each state, each block that a ref needs is in a pack of the state, and the object of each pack is
 * there. What conflicts is what {@link Transaction} says, and states are those that {@link State} makes.
 *
 * <p>Without any one part of the protocol, a loss is found.
 */
class CollectionModelTest {
    private static final int BLOCKS = 3;
    private static final List<String> REFS = List.of("branch/main", "branch/new");
    private static final String EPOCH = "epoch";
    private static final Cid CHECKSUM = Block.of(Cid.RAW, new byte[0]).cid();

    /** What a writer may want a ref to need: sets of blocks, as bits. */
    private static final int[] WANTED = Arrays.copyOf(new int[] {2, 1, 3, 6}, Randomness.times(2, 4));

    /** What can be left out. */
    enum Part {
        /** A commit conflicts if another has changed a ref or the epoch that it has read. */
        READ_RECORDS,
        /** A commit conflicts if a pack that it adds is forgotten. */
        FORGOTTEN_PACKS,
        /** A commit that forgets a pack conflicts if that was added. */
        ADDED_PACKS,
        /** A writer looks for blocks again if the epoch is another one when its update begins. */
        SECOND_LOOK,
        /** A collector copies needed blocks. */
        COPIES
    }

    /** The blocks of a pack are in its name. */
    private static int blocks(String pack) {
        return Integer.parseInt(pack.substring(pack.indexOf(':') + 1));
    }

    private static Pack pack(String name) {
        return new Pack(name, 1, 1, Integer.bitCount(blocks(name)), Instant.EPOCH, CHECKSUM, null);
    }

    /** The log, the objects of packs, and where each process is. */
    private record World(List<State> states, List<Commit> log, Set<String> objects, List<Actor> processes) {
        State now() {
            return states.get(log.size());
        }

        World with(int process, Actor next) {
            List<Actor> all = new ArrayList<>(processes);
            all.set(process, next);
            return new World(states, log, objects, all);
        }

        World withObject(String name) {
            Set<String> all = new TreeSet<>(objects);
            all.add(name);
            return new World(states, log, all, processes);
        }

        World without(String name) {
            Set<String> all = new TreeSet<>(objects);
            all.remove(name);
            return new World(states, log, all, processes);
        }

        World committed(Commit commit) {
            List<Commit> commits = new ArrayList<>(log);
            commits.add(commit);
            List<State> all = new ArrayList<>(states);
            all.add(now().after(commit));
            return new World(all, commits, objects, processes);
        }

        /** Equal for worlds from which the same can happen. */
        String key() {
            StringBuilder key = new StringBuilder();
            for (Commit each : log) {
                each.records().forEach(record -> key.append(record.name()).append(record.content()[0]));
                each.added().forEach(added -> key.append('+').append(added.name()));
                key.append(new TreeSet<>(each.condemned())).append(new TreeSet<>(each.merged()));
                key.append(new TreeSet<>(each.deleted())).append(new TreeSet<>(each.forgotten()));
                key.append('|');
            }
            return key.append(objects).append(processes).toString();
        }
    }

    private static int ref(State state, String name) {
        State.Newest newest = state.records().get(name);
        return newest == null ? 0 : newest.record().content()[0];
    }

    private static int epoch(State state) {
        State.Newest newest = state.records().get(EPOCH);
        return newest == null ? 0 : (int) newest.record().number();
    }

    private static int found(State state) {
        return state.packs().keySet().stream()
                .mapToInt(CollectionModelTest::blocks)
                .reduce(0, (a, b) -> a | b);
    }

    private static void write(Transaction own, String name, int content) {
        long next = own.newest(name).map(Commit.Written::number).orElse(0L) + 1;
        assertThat(own.write(name, next, new byte[] {(byte) content})).isTrue();
    }

    /** A process at one of its steps. */
    private interface Actor {
        /** The worlds to which its next step may lead. */
        List<World> next(World world, int self, @Nullable Part without);
    }

    /** A commit behind the newest one, unless another conflicts; null then. */
    private static @Nullable World commit(World world, Transaction own, int base, String id, @Nullable Part without) {
        for (int i = base; i < world.log.size(); i++) {
            if (own.conflict(seen(world.log.get(i), without)) != null) {
                return null;
            }
        }
        return world.committed(own.commit(id, Instant.EPOCH));
    }

    /** A commit as it is compared, where a part is left out. */
    private static Commit seen(Commit real, @Nullable Part without) {
        return new Commit(
                real.id(),
                real.at(),
                without == Part.READ_RECORDS ? List.of() : real.records(),
                without == Part.ADDED_PACKS ? List.of() : real.added(),
                real.condemned(),
                real.merged(),
                without == Part.READ_RECORDS ? Set.of() : real.deleted(),
                without == Part.FORGOTTEN_PACKS ? Set.of() : real.forgotten());
    }

    private enum Step {
        LOOK,
        BEGIN,
        UPLOAD,
        COMMIT,
        DELETE,
        OVER
    }

    /**
     * Lets a ref need other blocks: puts those that it does not find.
     *
     * @param looked the number of commits when it looked for blocks
     * @param base the number of commits when its update began
     * @param put what it puts
     */
    private record Writer(int id, String ref, int wanted, int tries, Step step, int looked, int base, int put)
            implements Actor {
        private Writer at(Step next, int lookedAt, int begun, int missing) {
            return new Writer(id, ref, wanted, tries, next, lookedAt, begun, missing);
        }

        private String pack() {
            return "w" + id + "." + tries + ":" + put;
        }

        @Override
        public List<World> next(World world, int self, @Nullable Part without) {
            int now = world.log.size();
            return switch (step) {
                case LOOK -> List.of(world.with(self, at(Step.BEGIN, now, 0, wanted & ~found(world.now()))));
                case BEGIN -> {
                    boolean isSame = epoch(world.states.get(looked)) == epoch(world.now());
                    int missing = isSame || without == Part.SECOND_LOOK ? put : wanted & ~found(world.now());
                    yield List.of(world.with(self, at(missing == 0 ? Step.COMMIT : Step.UPLOAD, 0, now, missing)));
                }
                case UPLOAD ->
                    List.of(world.with(self, at(Step.COMMIT, 0, base, put)).withObject(pack()));
                case COMMIT -> {
                    Transaction own = new Transaction(world.states.get(base));
                    Object unused = own.newest(EPOCH);
                    write(own, ref, wanted);
                    if (put != 0) {
                        own.add(CollectionModelTest.pack(pack()));
                    }
                    World done = commit(world, own, base, pack(), without);
                    Actor again = new Writer(id, ref, wanted, tries + 1, tries == 0 ? Step.LOOK : Step.OVER, 0, 0, 0);
                    yield List.of(done == null ? world.with(self, again) : done.with(self, at(Step.OVER, 0, 0, 0)));
                }
                default -> List.of();
            };
        }
    }

    /**
     * Takes packs away: condemns a live one, deletes a condemned one, or forgets one that no commit names.
     *
     * @param listed the number of commits when it listed the packs
     * @param target the pack
     * @param isLive whether the pack was live; null for one that was in no state
     */
    private record Collector(
            int id,
            int turns,
            Step step,
            int listed,
            int base,
            String target,
            @Nullable Boolean isLive,
            int copied) implements Actor {
        private Collector at(Step next, int begun, int copies) {
            return new Collector(id, turns, next, listed, begun, target, isLive, copies);
        }

        private Collector over() {
            return new Collector(id, turns - 1, turns == 1 ? Step.OVER : Step.LOOK, 0, 0, "", null, 0);
        }

        private String copy() {
            return "c" + id + "." + turns + ":" + copied;
        }

        @Override
        public List<World> next(World world, int self, @Nullable Part without) {
            int now = world.log.size();
            switch (step) {
                case LOOK -> {
                    List<World> all = new ArrayList<>();
                    Set<String> packs = new TreeSet<>(world.objects);
                    packs.addAll(world.now().packs().keySet());
                    for (String each : packs) {
                        Pack known = world.now().packs().get(each);
                        all.add(world.with(
                                self,
                                new Collector(
                                        id,
                                        turns,
                                        Step.BEGIN,
                                        now,
                                        0,
                                        each,
                                        known == null ? null : known.isLive(),
                                        0)));
                    }
                    return all;
                }
                case BEGIN -> {
                    Plan plan = plan(world.now(), world.states.get(listed));
                    int copies = plan.alone & plan.needed;
                    boolean isCopied = isLive != null && copies != 0 && without != Part.COPIES;
                    Collector begun = at(isCopied ? Step.UPLOAD : Step.COMMIT, now, isCopied ? copies : 0);
                    return List.of(world.with(self, begun));
                }
                case UPLOAD -> {
                    return List.of(
                            world.with(self, at(Step.COMMIT, base, copied)).withObject(copy()));
                }
                case COMMIT -> {
                    World done = committed(world, without);
                    if (done == null) {
                        return List.of(world.with(self, over()));
                    }
                    boolean isDeleting = isLive == null || !isLive;
                    return List.of(done.with(self, isDeleting ? at(Step.DELETE, 0, 0) : over()));
                }
                case DELETE -> {
                    return List.of(world.with(self, over()).without(target));
                }
                default -> {
                    return List.of();
                }
            }
        }

        /** What a collector finds of its pack: blocks that are in no other live pack, and those that refs need. */
        private record Plan(int alone, int needed, Set<String> relied) {}

        private Plan plan(State now, State then) {
            int needed = REFS.stream().mapToInt(name -> ref(now, name)).reduce(0, (a, b) -> a | b);
            int alone = 0;
            Set<String> relied = new TreeSet<>();
            for (int block = 1; block < 1 << BLOCKS; block <<= 1) {
                if ((blocks(target) & block) == 0) {
                    continue;
                }
                String other = other(block, now, then);
                if (other == null) {
                    alone |= block;
                } else {
                    relied.add(other);
                }
            }
            return new Plan(alone, needed, relied);
        }

        /** The live pack that has a block beside this one: the newest that was listed, or one that came since. */
        private @Nullable String other(int block, State now, State then) {
            String home = null;
            for (Pack each : then.live()) {
                if (home == null && (blocks(each.name()) & block) != 0) {
                    home = each.name();
                }
            }
            if (home != null && !home.equals(target) && isLive(now, home)) {
                return home;
            }
            for (Pack each : now.live()) {
                if (!then.packs().containsKey(each.name()) && (blocks(each.name()) & block) != 0) {
                    return each.name();
                }
            }
            return null;
        }

        private static boolean isLive(State state, String name) {
            Pack pack = state.packs().get(name);
            return pack != null && pack.isLive();
        }

        private @Nullable World committed(World world, @Nullable Part without) {
            State begun = world.states.get(base);
            Transaction own = new Transaction(begun);
            for (String name : own.names("branch/")) {
                Object unused = own.newest(name);
            }
            Pack known = begun.packs().get(target);
            if (isLive == null) {
                if (known != null) {
                    return null;
                }
                own.forget(target);
            } else if (known == null || known.isLive() != isLive) {
                return null;
            } else {
                plan(begun, world.states.get(listed)).relied.forEach(own::rely);
                if (copied != 0) {
                    own.add(pack(copy()));
                }
                if (isLive) {
                    own.condemn(target);
                } else {
                    own.delete(target);
                    write(own, EPOCH, 1);
                }
            }
            return commit(world, own, base, "c" + id + turns, without);
        }
    }

    /** Makes one pack of two. */
    private record Merger(Step step, int base, String first, String second) implements Actor {
        private Merger at(Step next) {
            return new Merger(next, base, first, second);
        }

        private String made() {
            return "m:" + (blocks(first) | blocks(second));
        }

        @Override
        public List<World> next(World world, int self, @Nullable Part without) {
            switch (step) {
                case BEGIN -> {
                    List<World> all = new ArrayList<>();
                    List<Pack> live = world.now().live();
                    for (int i = 0; i < live.size(); i++) {
                        for (int j = 0; j < i; j++) {
                            Merger next = new Merger(
                                    Step.UPLOAD,
                                    world.log.size(),
                                    live.get(i).name(),
                                    live.get(j).name());
                            all.add(world.with(self, next));
                        }
                    }
                    return all;
                }
                case UPLOAD -> {
                    boolean isThere = world.objects.contains(first) && world.objects.contains(second);
                    return List.of(
                            isThere
                                    ? world.with(self, at(Step.COMMIT)).withObject(made())
                                    : world.with(self, at(Step.OVER)));
                }
                case COMMIT -> {
                    Transaction own = new Transaction(world.states.get(base));
                    own.merge(first);
                    own.merge(second);
                    own.add(pack(made()));
                    World done = commit(world, own, base, "m", without);
                    return List.of((done == null ? world : done).with(self, at(Step.OVER)));
                }
                default -> {
                    return List.of();
                }
            }
        }
    }

    /** What is lost in a world; null, if nothing is. */
    private static @Nullable String lost(World world) {
        State state = world.now();
        for (String pack : state.packs().keySet()) {
            if (!world.objects.contains(pack)) {
                return "the object of " + pack + " is not there";
            }
        }
        int found = found(state);
        for (String ref : REFS) {
            if ((ref(state, ref) & ~found) != 0) {
                return ref + " needs a block that is in no pack";
            }
        }
        return null;
    }

    /** A world with two packs. Main needs one block. */
    private static World beginning(Actor... processes) {
        String first = "a:3";
        String second = "b:4";
        World nothing = new World(List.of(State.EMPTY), List.of(), Set.of(), List.of(processes));
        Transaction own = new Transaction(State.EMPTY);
        write(own, REFS.get(0), 1);
        own.add(pack(first));
        own.add(pack(second));
        return nothing.withObject(first).withObject(second).committed(own.commit("first", Instant.EPOCH));
    }

    private static Collector collector(int id, int turns) {
        return new Collector(id, turns, Step.LOOK, 0, 0, "", null, 0);
    }

    private static Writer writer(int id, int wanted) {
        return new Writer(id, REFS.get(id), wanted, 0, Step.LOOK, 0, 0, 0);
    }

    /** Goes through all worlds; returns how many there are, or what is lost in one. */
    private static String explored(List<World> beginnings, @Nullable Part without) {
        Set<String> seen = new HashSet<>();
        Deque<World> left = new ArrayDeque<>();
        for (World each : beginnings) {
            if (seen.add(each.key())) {
                left.push(each);
            }
        }
        while (!left.isEmpty()) {
            World world = left.pop();
            String lost = lost(world);
            if (lost != null) {
                return lost + " in " + world.key();
            }
            try {
                for (int i = 0; i < world.processes.size(); i++) {
                    for (World next : world.processes.get(i).next(world, i, without)) {
                        if (seen.add(next.key())) {
                            left.push(next);
                        }
                    }
                }
            } catch (State.CommitException e) {
                return "a commit is refused: " + e.getMessage() + " in " + world.key();
            }
        }
        return "nothing is lost in " + seen.size();
    }

    private static List<World> writersAndCollectors(int... wanted) {
        List<World> all = new ArrayList<>();
        for (int first : wanted) {
            for (int second : wanted) {
                all.add(beginning(writer(0, first), writer(1, second), collector(0, 2), collector(1, 1)));
            }
        }
        return all;
    }

    private static List<World> writerAndMerge(int... wanted) {
        List<World> all = new ArrayList<>();
        for (int each : wanted) {
            Merger merger = new Merger(Step.BEGIN, 0, "", "");
            all.add(beginning(writer(1, each), collector(0, 2), collector(1, 1), merger));
        }
        return all;
    }

    private static void assertNothingIsLost(List<World> beginnings) {
        String result = explored(beginnings, null);
        System.out.println("CollectionModelTest: " + result + " states");
        assertThat(result).startsWith("nothing is lost");
    }

    @Test
    void nothingIsLost_OS5_OS9() {
        assertNothingIsLost(writersAndCollectors(2));
    }

    @Test
    @Tag("stress")
    void nothingIsLostWhicheverBlocksAreWanted_OS5_OS9() {
        assertNothingIsLost(writersAndCollectors(WANTED));
    }

    @Test
    @Tag("stress")
    void nothingIsLostBesideAMerge_OS5_OS8_OS9() {
        assertNothingIsLost(writerAndMerge(WANTED));
    }

    @ParameterizedTest
    @EnumSource
    void withoutAnyPartSomethingIsLost_OS5_OS9(Part part) {
        assertThat(explored(writersAndCollectors(2, 1), part))
                .as("without %s", part)
                .doesNotStartWith("nothing is lost");
    }
}
