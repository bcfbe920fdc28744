package dev.pail.clock;

import dev.pail.clock.Operation.Change;
import dev.pail.clock.Operation.Delete;
import dev.pail.clock.Operation.Put;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An event that was read into a tree first, and then looked at, field by field. A twin for comparing with. */
record PlainEvent(Operation operation, Cid root, List<Cid> parents, Optional<Description> description) {
    /** @throws MalformedDataException or {@link IllegalArgumentException}, if the bytes are no event */
    static PlainEvent read(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        Object tree = tree(reader);
        reader.end();
        Map<?, ?> event = map(tree, Set.of("data", "parents"));
        Map<?, ?> data = new LinkedHashMap<>(map(event.get("data")));
        Optional<Description> description =
                Optional.ofNullable(data.remove("meta")).map(PlainEvent::description);
        Operation operation;
        if (data.containsKey("ops")) {
            check(data.keySet().equals(Set.of("ops", "root", "type")));
            check("batch".equals(data.get("type")));
            List<Change> changes = new ArrayList<>();
            for (Object change : list(data.get("ops"))) {
                changes.add(change(map(change), Set.of("key", "type")));
            }
            operation = new Operation.Batch(changes);
        } else {
            operation = change(data, Set.of("key", "root", "type"));
        }
        List<Cid> parents = new ArrayList<>();
        for (Object parent : list(event.get("parents"))) {
            parents.add(shard(parent));
        }
        check(parents.size() <= 1000 && new HashSet<>(parents).size() == parents.size());
        return new PlainEvent(operation, shard(data.get("root")), parents, description);
    }

    private static Description description(Object item) {
        Map<?, ?> meta = map(item);
        check(!meta.isEmpty());
        if (meta.containsKey("tree")) {
            List<?> tree = list(meta.get("tree"));
            check(tree.size() == 2 && number(tree.get(0), 0, (1L << 53) - 1) >= 0);
            check(tree.get(1) instanceof byte[] root && root.length == 32);
        }
        check(!meta.containsKey("horizon") || meta.get("horizon").equals(true));
        if (meta.containsKey("replaces")) {
            List<?> replaced = list(meta.get("replaces"));
            check(!replaced.isEmpty() && replaced.size() <= 1000);
            replaced.forEach(PlainEvent::shard);
        }
        Optional<Long> part = number(meta, "part", 1, Integer.MAX_VALUE);
        Optional<Long> parts = number(meta, "parts", 2, Integer.MAX_VALUE);
        check(parts.isEmpty() || parts.equals(part));
        return new Description(
                text(meta, "author", 600),
                text(meta, "message", 30_000),
                number(meta, "time", 0, (1L << 53) - 1).map(Instant::ofEpochMilli),
                part.map(number -> new Description.Part(number.intValue(), parts.isPresent())),
                Optional.ofNullable(meta.get("tree")).map(tree -> tree(list(tree))));
    }

    private static Description.Tree tree(List<?> tree) {
        return new Description.Tree(((Number) tree.get(0)).longValue(), (byte[]) tree.get(1));
    }

    private static Optional<Long> number(Map<?, ?> meta, String field, long least, long most) {
        return meta.containsKey(field) ? Optional.of(number(meta.get(field), least, most)) : Optional.empty();
    }

    private static long number(Object item, long least, long most) {
        check(item instanceof BigInteger);
        BigInteger number = (BigInteger) item;
        check(number.compareTo(BigInteger.valueOf(least)) >= 0 && number.compareTo(BigInteger.valueOf(most)) <= 0);
        return number.longValue();
    }

    private static Optional<String> text(Map<?, ?> meta, String field, int most) {
        if (!meta.containsKey(field)) {
            return Optional.empty();
        }
        check(meta.get(field) instanceof String);
        String text = (String) meta.get(field);
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        check(length >= 1 && length <= most);
        return Optional.of(text);
    }

    /** @param fields those of a change that has no value */
    private static Change change(Map<?, ?> change, Set<String> fields) {
        check(change.get("key") instanceof String);
        String key = (String) change.get("key");
        if (change.containsKey("value")) {
            Set<String> more = new HashSet<>(fields);
            more.add("value");
            check(change.keySet().equals(more) && "put".equals(change.get("type")));
            check(change.get("value") instanceof Cid);
            return new Put(key, (Cid) change.get("value"));
        }
        check(change.keySet().equals(fields) && "del".equals(change.get("type")));
        return new Delete(key);
    }

    private static Cid shard(Object item) {
        check(item instanceof Cid cid && cid.isShardLink());
        return (Cid) item;
    }

    private static Map<?, ?> map(Object item, Set<String> fields) {
        check(map(item).keySet().equals(fields));
        return map(item);
    }

    private static Map<?, ?> map(Object item) {
        check(item instanceof Map);
        return (Map<?, ?>) item;
    }

    private static List<?> list(Object item) {
        check(item instanceof List);
        return (List<?>) item;
    }

    private static void check(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("no event");
        }
    }

    /** The next item: texts, links, integers, bytes, truth values, lists and maps as they are, anything else as an object that is none of these. */
    private static Object tree(DagCborReader reader) {
        return switch (reader.peek()) {
            case TEXT -> reader.readText();
            case LINK -> reader.readLink();
            case INTEGER -> reader.readInteger();
            case BYTES -> reader.readBytes();
            case BOOLEAN -> reader.readBoolean();
            case ARRAY -> {
                List<Object> items = new ArrayList<>();
                for (int left = reader.readArray(); left > 0; left--) {
                    items.add(tree(reader));
                }
                yield items;
            }
            case MAP -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                for (int left = reader.readMap(); left > 0; left--) {
                    fields.put(reader.readText(), tree(reader));
                }
                yield fields;
            }
            default -> {
                reader.skip();
                yield 0;
            }
        };
    }
}
