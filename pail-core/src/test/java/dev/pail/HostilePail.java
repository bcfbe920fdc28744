package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A foreign pail, and everything that a program would do with it.
 *
 * @param keys to look for; the first one is also put and deleted
 * @param fresh a key to put
 * @param check what more must hold
 */
record HostilePail(HostileBlocks store, Cid root, List<String> keys, String fresh, Consumer<Pail> check)
        implements HostileInput.Work {
    private static final int PAGE = 1000;
    private static final ProofLimits LIMITS = new ProofLimits(4 << 20, 1000, 1 << 18);

    static HostilePail of(byte[] root, String... keys) {
        return of(blocks -> blocks.shard(root), keys);
    }

    /** @param fill adds blocks, the root as the last */
    static HostilePail of(Consumer<HostileBlocks> fill, String... keys) {
        HostileBlocks store = new HostileBlocks();
        fill.accept(store);
        return new HostilePail(store, store.last().cid(), List.of(keys), "fresh", pail -> {});
    }

    HostilePail at(Cid otherRoot) {
        return new HostilePail(store, otherRoot, keys, fresh, check);
    }

    HostilePail withFresh(String key) {
        return new HostilePail(store, root, keys, key, check);
    }

    HostilePail withCheck(Consumer<Pail> otherCheck) {
        return new HostilePail(store, root, keys, fresh, otherCheck);
    }

    @Override
    public int blocks() {
        return store.count();
    }

    @Override
    public long size() {
        return store.size();
    }

    @Override
    public long reads() {
        return store.reads();
    }

    @Override
    public void run(HostileSteps steps) {
        Pail pail = steps.attempt("open", () -> Pail.open(store, root));
        if (pail != null) {
            read(steps, pail);
            list(steps, pail);
            change(steps, pail);
            steps.step("check", () -> check.accept(pail));
        }
        steps.step("verify", this::verify);
        steps.attempt("proofs", this::verifyProofs);
        steps.step("generic", this::readGenerically);
    }

    private void read(HostileSteps steps, Pail pail) {
        for (int i = 0; i < keys.size(); i++) {
            String key = keys.get(i);
            steps.attempt("get" + i, () -> pail.get(key));
        }
        steps.attempt("absent", () -> pail.get("~ absent"));
        steps.step("statistics", () -> PailStatistics.of(pail));
    }

    private void list(HostileSteps steps, Pail pail) {
        String key = keys.get(0);
        String half = key.substring(0, key.length() / 2);
        list(steps, "entries", pail, KeyRange.all());
        list(steps, "descending", pail, KeyRange.all().descending());
        list(steps, "range", pail, KeyRange.all().from(key).before(key + "z"));
        list(steps, "rest", pail, KeyRange.all().after(key));
        list(steps, "prefix", pail, KeyRange.prefix(half).through(key).descending());
    }

    private static void list(HostileSteps steps, String name, Pail pail, KeyRange range) {
        steps.step(name, () -> {
            String last = null;
            for (Entry entry : (Iterable<Entry>) pail.entries(range).limit(PAGE)::iterator) {
                require(range.contains(entry.key()), "within the range");
                require(last == null || (last.compareTo(entry.key()) > 0) == range.isDescending(), "in order");
                last = entry.key();
            }
        });
    }

    private void change(HostileSteps steps, Pail pail) {
        String key = keys.get(0);
        Cid value = HostileShards.value(99);
        steps.step("put", () -> require(isUnder(key, value, pail.put(key, value)), "what was put is there"));
        steps.step("fresh", () -> require(isUnder(fresh, value, pail.put(fresh, value)), "what was put is there"));
        steps.step("delete", () -> {
            boolean present = pail.get(key).isPresent();
            Pail next = pail.delete(key);
            require(present != next.root().equals(pail.root()), "deleting changes what was there");
        });
        steps.step("batch", () -> {
            Pail next =
                    pail.batch().put(fresh, value).delete(key).put(key, value).commit();
            require(isUnder(fresh, value, next) && isUnder(key, value, next), "what was put is there");
        });
    }

    private static boolean isUnder(String key, Cid value, Pail pail) {
        return pail.get(key).equals(Optional.of(value));
    }

    static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError("not so: " + what);
        }
    }

    private void verify() {
        Verification verification = Verification.of(store, root);
        if (!verification.isSound()) {
            throw verification.problems().get(0).cause();
        }
    }

    /** The blocks as a proof, and the proof of each query: verified, it says nothing that the pail does not. */
    private int verifyProofs() {
        int shown = 0;
        for (String key : keys) {
            Query query = new Query.Key(key);
            shown += isAnswered(query, () -> {
                Optional<Cid> value = Pail.open(store, root).get(key);
                return value.isPresent() ? new Answer.Present(value.get()) : new Answer.Absent();
            });
        }
        String key = keys.get(0);
        for (KeyRange range : List.of(KeyRange.all(), KeyRange.all().from(key).before(key + "z"))) {
            shown += isAnswered(
                    new Query.Range(range),
                    () -> new Answer.Entries(
                            Pail.open(store, root).entries(range).toList()));
        }
        return shown;
    }

    private int isAnswered(Query query, Supplier<Answer> expected) {
        List<byte[]> given = new ArrayList<>();
        if (size() <= LIMITS.bytes() / 2) {
            given.add(store.car(root));
        }
        try {
            given.add(Proof.of(store, root, query, LIMITS).bytes());
        } catch (PailException e) {
            // There is no such proof.
        }
        int shown = 0;
        for (byte[] bytes : given) {
            try {
                Answer answer = Proof.read(bytes, LIMITS).verify(root, query);
                if (!(answer instanceof Answer.Invalid)) {
                    require(answer.equals(expected.get()), "an answer is that of the pail");
                    shown++;
                }
            } catch (MalformedDataException e) {
                // It shows nothing.
            }
        }
        return shown;
    }

    private void readGenerically() {
        Block block = store.get(root).orElse(null);
        if (block != null) {
            DagCborReader reader = new DagCborReader(UnsafeBlocks.bytes(block));
            reader.skip();
            reader.end();
        }
    }
}
