package dev.pail.edit;

import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.ShardValue;
import dev.pail.shard.Shards;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.BiFunction;

/**
 * Unites versions of a format in which a shard stands for each character that keys have in common, and nothing but the keys decides where
 * (spec rules V1.2 to V1.4). Goes from the root down, and reads only shards that entries of two versions go into. Rule V1.6.
 *
 * <p>It recurses nowhere. For one use.
 */
public final class UnitedShards {
    private final Shards target;
    private final List<ShardTree> parts;
    private final BiFunction<Integer, Integer, RuntimeException> overlap;
    private final Queue<Due> due = new ArrayDeque<>();

    /**
     * An entry of a version in a shard.
     *
     * @param part the number of the version
     * @param key what is left of its key there
     */
    private record Member(int part, KeyBytes key, ShardValue value) {}

    /** A shard to make, and its entries. Several entries may start with the same character. */
    private record Due(MutableShard shard, List<Member> members) {}

    /**
     * @param target takes the shards that are made
     * @param parts versions of the same format, in the order of their keys
     * @param overlap makes the error for two versions, by their numbers, if the first has a key that is not less than all keys of the
     *     second
     */
    public UnitedShards(Shards target, List<ShardTree> parts, BiFunction<Integer, Integer, RuntimeException> overlap) {
        this.target = target;
        this.parts = parts;
        this.overlap = overlap;
    }

    /** Stores the shards that are new and gives the root. */
    public ShardRef root() {
        List<Member> members = new ArrayList<>();
        List<Integer> filled = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            int before = members.size();
            add(part, parts.get(part).root(), KeyBytes.EMPTY, members);
            if (members.size() > before) {
                filled.add(part);
            }
        }
        if (filled.size() == 1) {
            return parts.get(filled.get(0)).root();
        }
        MutableShard root = MutableShard.empty(target.layout, KeyBytes.EMPTY);
        due.add(new Due(root, members));
        for (Due next = due.poll(); next != null; next = due.poll()) {
            fill(next.shard, next.members);
        }
        return Editor.store(target, root);
    }

    /** Adds the entries of a shard. */
    private void add(int part, ShardRef ref, KeyBytes prefix, List<Member> members) {
        Shard shard = parts.get(part).shards().load(ref, prefix);
        for (int entry = 0; entry < shard.count(); entry++) {
            members.add(new Member(part, shard.key(entry), shard.value(entry)));
        }
    }

    private void fill(MutableShard shard, List<Member> members) {
        List<Change> entries = new ArrayList<>();
        for (int from = 0, to; from < members.size(); from = to) {
            to = from + 1;
            while (to < members.size() && follows(members.get(to - 1), members.get(to))) {
                to++;
            }
            entries.add(
                    to == from + 1
                            ? new Change(members.get(from).key, members.get(from).value, -1)
                            : united(shard, members.subList(from, to)));
        }
        shard.fill(entries);
    }

    /** Whether an entry goes into the same shard as the one before it; refuses it if it does not come behind that. */
    private boolean follows(Member before, Member next) {
        int first = before.key.isEmpty() ? -1 : before.key.first();
        int second = next.key.isEmpty() ? -1 : next.key.first();
        boolean isAlike = first == second;
        // The key that is only this character comes before all others that start with it.
        if (second < first || (isAlike && next.key.length() <= 1 && next.value.data() != null)) {
            throw overlap.apply(before.part, next.part);
        }
        return isAlike;
    }

    /** The entry for what starts with the same character in several versions. */
    private Change united(MutableShard shard, List<Member> alike) {
        KeyBytes character = alike.get(0).key.prefix(1);
        KeyBytes prefix = shard.prefix().append(character);
        ShardValue value = ShardValue.NOTHING;
        List<Member> below = new ArrayList<>();
        for (Member member : alike) {
            if (member.key.length() > 1) {
                below.add(new Member(member.part, member.key.without(1), member.value));
                continue;
            }
            value = member.value.data() == null ? value : value.withData(member.value.data());
            if (member.value.shard() == null) {
                continue;
            }
            if (alike.size() == 2 && isOnlyData(alike.get(0))) {
                return new Change(character, value.withShard(member.value.shard()), -1);
            }
            add(member.part, (ShardRef) member.value.shard(), prefix, below);
        }
        MutableShard child = MutableShard.empty(target.layout, prefix);
        due.add(new Due(child, below));
        return new Change(character, value.withShard(child), -1);
    }

    private static boolean isOnlyData(Member member) {
        return member.key.length() == 1 && member.value.shard() == null;
    }
}
