package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The specification, written down as plainly as it goes: trees of sorted maps, strings, recursion, and everything encoded
 * anew each time. What the real thing does must be the same.
 */
abstract class PlainPail {
    /** A shard value: user data, a shard, or both; null for what there is not. */
    static final class Value {
        Cid data;
        Plain shard;

        Value(Cid data, Plain shard) {
            this.data = data;
            this.shard = shard;
        }
    }

    static final class Plain {
        final TreeMap<String, Value> entries = new TreeMap<>();

        Plain copy() {
            Plain copy = new Plain();
            entries.forEach((key, value) ->
                    copy.entries.put(key, new Value(value.data, value.shard == null ? null : value.shard.copy())));
            return copy;
        }
    }

    static final class Limit extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A shard, the rest of a key in it, and how one came there. */
    record Place(Plain shard, String rest, Place parent, String link) {}

    Plain root = new Plain();

    static PlainPail of(ShardFormat format) {
        Map<String, Integer> configuration = format.configuration();
        return switch (format.name()) {
            case "v0" -> new V0(configuration.get("maxSize"), configuration.get("maxKeyLength"));
            case "v1" -> new V1(1, configuration.get("maxKeySize"));
            default -> new V1(2, configuration.get("maxKeySize"));
        };
    }

    /** @throws Limit and changes nothing, if there is no room */
    void put(String key, Cid value) {
        Plain before = root.copy();
        try {
            Place place = locate(key);
            place(place, value);
        } catch (Limit e) {
            root = before;
            throw e;
        }
    }

    abstract void place(Place place, Cid value);

    void delete(String key) {
        Place start = new Place(root, key, null, null);
        for (Place place = holder(start); place != null; place = holder(start)) {
            remove(place);
        }
    }

    /** Removes a key from the first place that has it. */
    void deleteFirst(String key) {
        remove(holder(new Place(root, key, null, null)));
    }

    boolean holds(String key) {
        return holder(new Place(root, key, null, null)) != null;
    }

    private static void remove(Place from) {
        Place place = from;
        Value value = place.shard.entries.get(place.rest);
        value.data = null;
        while (value.data == null && value.shard == null) {
            place.shard.entries.remove(place.rest);
            if (!place.shard.entries.isEmpty() || place.parent == null) {
                return;
            }
            place = new Place(place.parent.shard, place.link, place.parent.parent, place.parent.link);
            value = place.shard.entries.get(place.rest);
            value.shard = null;
        }
    }

    private Place locate(String key) {
        Place start = new Place(root, key, null, null);
        Place holder = holder(start);
        return holder != null ? holder : first(start);
    }

    private static List<Place> next(Place place) {
        List<Place> next = new ArrayList<>();
        place.shard.entries.forEach((key, value) -> {
            if (value.shard != null && key.length() < place.rest.length() && place.rest.startsWith(key)) {
                next.add(new Place(value.shard, place.rest.substring(key.length()), place, key));
            }
        });
        return next;
    }

    private static Place holder(Place place) {
        for (Place next : next(place)) {
            Place found = holder(next);
            if (found != null) {
                return found;
            }
        }
        Value value = place.shard.entries.get(place.rest);
        return value == null || value.data == null ? null : place;
    }

    private static Place first(Place place) {
        List<Place> next = next(place);
        return next.isEmpty() ? place : first(next.get(0));
    }

    Cid cid() {
        return block(root, "").cid();
    }

    Block block(Plain shard, String prefix) {
        return Block.of(Cid.DAG_CBOR, encode(shard, prefix));
    }

    abstract byte[] encode(Plain shard, String prefix);

    void entries(DagCborWriter out, Plain shard, String prefix) {
        out.text("entries").array(shard.entries.size());
        shard.entries.forEach((key, value) -> {
            out.array(2).text(key);
            if (value.shard != null) {
                out.array(value.data == null ? 1 : 2)
                        .link(block(value.shard, prefix + key).cid());
            }
            if (value.data != null) {
                out.link(value.data);
            }
        });
    }

    private static final class V0 extends PlainPail {
        private final int maxSize;
        private final int maxKeyLength;

        V0(int maxSize, int maxKeyLength) {
            this.maxSize = maxSize;
            this.maxKeyLength = maxKeyLength;
        }

        @Override
        byte[] encode(Plain shard, String prefix) {
            DagCborWriter out = new DagCborWriter().map(3);
            entries(out, shard, prefix);
            return out.text("maxSize")
                    .integer(maxSize)
                    .text("maxKeyLength")
                    .integer(maxKeyLength)
                    .toByteArray();
        }

        private static boolean cutsPair(String text, int at) {
            return at > 0
                    && at < text.length()
                    && Character.isHighSurrogate(text.charAt(at - 1))
                    && Character.isLowSurrogate(text.charAt(at));
        }

        @Override
        void place(Place place, Cid value) {
            List<String> pieces = new ArrayList<>();
            String rest = place.rest;
            while (rest.length() > maxKeyLength) {
                int cut = maxKeyLength;
                if (cutsPair(rest, cut)) {
                    cut = cut == 1 ? 2 : cut - 1;
                }
                if (cut == rest.length()) {
                    break;
                }
                pieces.add(rest.substring(0, cut));
                rest = rest.substring(cut);
            }
            pieces.add(rest);
            Plain shard = place.shard;
            Value old = shard.entries.get(pieces.get(0));
            if (pieces.size() == 1 && old != null && value.equals(old.data)) {
                return;
            }
            Value entry = shard.entries.computeIfAbsent(pieces.get(0), k -> new Value(null, null));
            List<Plain> made = new ArrayList<>();
            for (String piece : pieces.subList(1, pieces.size())) {
                entry.shard = new Plain();
                made.add(entry.shard);
                Value next = new Value(null, null);
                entry.shard.entries.put(piece, next);
                entry = next;
            }
            entry.data = value;
            for (Plain one : made) {
                if (encode(one, "").length > maxSize) {
                    throw new Limit();
                }
            }
            fit(shard, pieces.get(0));
        }

        private void fit(Plain shard, String inserted) {
            String base = inserted;
            while (encode(shard, "").length > maxSize) {
                String prefix = commonPrefix(shard, base);
                Plain child = new Plain();
                for (String key : List.copyOf(shard.entries.keySet())) {
                    if (key.startsWith(prefix) && !key.equals(prefix)) {
                        child.entries.put(key.substring(prefix.length()), shard.entries.remove(key));
                    }
                }
                shard.entries.computeIfAbsent(prefix, k -> new Value(null, null)).shard = child;
                boolean moved = base.startsWith(prefix) && !base.equals(prefix);
                fit(child, moved ? base.substring(prefix.length()) : child.entries.firstKey());
                base = prefix;
            }
        }

        private static String commonPrefix(Plain shard, String base) {
            List<String> bases =
                    new ArrayList<>(shard.entries.tailMap(base, true).keySet());
            bases.addAll(shard.entries.headMap(base, false).keySet());
            for (String key : bases) {
                for (int length = key.length() - 1; length > 0; length--) {
                    String prefix = key.substring(0, length);
                    Value there = shard.entries.get(prefix);
                    boolean linked = there != null && there.shard != null;
                    if (!cutsPair(key, length)
                            && !linked
                            && shard.entries.keySet().stream()
                                            .filter(k -> k.startsWith(prefix))
                                            .count()
                                    > 1) {
                        return prefix;
                    }
                }
            }
            throw new Limit();
        }
    }

    private static final class V1 extends PlainPail {
        private final int version;
        private final int maxKeySize;

        V1(int version, int maxKeySize) {
            this.version = version;
            this.maxKeySize = maxKeySize;
        }

        @Override
        byte[] encode(Plain shard, String prefix) {
            boolean configured = version == 1 || prefix.isEmpty();
            DagCborWriter out = new DagCborWriter().map(configured ? 5 : 2);
            out.text("prefix").text(prefix);
            entries(out, shard, prefix);
            if (configured) {
                out.text("version").integer(version).text("keyChars").text("ascii");
                out.text("maxKeySize").integer(maxKeySize);
            }
            return out.toByteArray();
        }

        @Override
        void place(Place place, Cid value) {
            TreeMap<String, Value> entries = place.shard.entries;
            String key = place.rest;
            if (entries.containsKey(key)) {
                entries.get(key).data = value;
                return;
            }
            String rival = null;
            for (String other : entries.keySet()) {
                if (!key.isEmpty() && !other.isEmpty() && other.charAt(0) == key.charAt(0)) {
                    rival = other;
                }
            }
            if (rival == null) {
                entries.put(key, new Value(value, null));
                return;
            }
            Value old = entries.remove(rival);
            int common = 0;
            while (common < Math.min(key.length(), rival.length()) && key.charAt(common) == rival.charAt(common)) {
                common++;
            }
            // One shard for each character that both have in common; what ends there has its data beside the link.
            Plain shard = place.shard;
            for (int i = 0; i < common; i++) {
                Plain child = new Plain();
                Value link = new Value(null, child);
                if (i == common - 1) {
                    link.data = key.length() == common ? value : rival.length() == common ? old.data : null;
                }
                shard.entries.put(key.substring(i, i + 1), link);
                shard = child;
            }
            if (key.length() > common) {
                shard.entries.put(key.substring(common), new Value(value, null));
            }
            if (rival.length() > common) {
                shard.entries.put(rival.substring(common), old);
            }
        }
    }
}
