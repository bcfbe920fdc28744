package dev.pail.clock;

import dev.pail.clock.Operation.Change;
import dev.pail.clock.Operation.Delete;
import dev.pail.clock.Operation.Put;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An event that was read into a tree first, and then looked at, field by field. A twin for comparing with. */
record PlainEvent(Operation operation, Cid root, List<Cid> parents) {
    /** @throws MalformedDataException or {@link IllegalArgumentException}, if the bytes are no event */
    static PlainEvent read(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        Object tree = tree(reader);
        reader.end();
        Map<?, ?> event = map(tree, Set.of("data", "parents"));
        Map<?, ?> data = map(event.get("data"));
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
        return new PlainEvent(operation, shard(data.get("root")), parents);
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

    /** The next item: texts, links, lists and maps as they are, anything else as an object that is none of these. */
    private static Object tree(DagCborReader reader) {
        return switch (reader.peek()) {
            case TEXT -> reader.readText();
            case LINK -> reader.readLink();
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
