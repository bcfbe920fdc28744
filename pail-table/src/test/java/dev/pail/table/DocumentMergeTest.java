package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The merge of documents by fields (spec rule D6). */
class DocumentMergeTest {
    private static final int TRIPLES = 20_000;
    private static final int MOST_MERGED = 19_000;
    private static final String[] NAMES = {"a", "b", "cc", "ä", "d.e"};
    private static final String[] SCALARS = {"1", "1.0", "2", "\"x\"", "null", "[]", "[1,{\"a\":2}]", "true", "1e400"};

    private static Optional<String> merged(String base, String ours, String theirs) {
        return Document.merge(
                        Optional.ofNullable(base).map(Document::parse), Document.parse(ours), Document.parse(theirs))
                .map(Document::json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // both sides change different fields
                "{\"a\":1,\"b\":1} | {\"a\":2,\"b\":1} | {\"a\":1,\"b\":2} | {\"a\":2,\"b\":2}",
                // one removes, the other adds
                "{\"a\":1} | {} | {\"a\":1,\"b\":2} | {\"b\":2}",
                // fields within fields
                "{\"o\":{\"x\":1,\"y\":1}} | {\"o\":{\"x\":2,\"y\":1}} | {\"o\":{\"x\":1,\"z\":3}} | {\"o\":{\"x\":2,\"z\":3}}",
                // both make the same change
                "{\"a\":1} | {\"a\":[2]} | {\"a\":[2]} | {\"a\":[2]}",
                // both make an object where there was none
                "{\"a\":1} | {\"a\":{\"x\":1}} | {\"a\":{\"y\":2}} | {\"a\":{\"x\":1,\"y\":2}}",
                // both remove different fields: the object stays
                "{\"o\":{\"x\":1,\"y\":1}} | {\"o\":{\"x\":1}} | {\"o\":{\"y\":1}} | {\"o\":{}}",
                // one field changed in different ways
                "{\"a\":1} | {\"a\":2} | {\"a\":3} |",
                // removed and changed
                "{\"a\":1} | {} | {\"a\":3} |",
                // a list is one value
                "{\"a\":[1,2]} | {\"a\":[0,2]} | {\"a\":[1,3]} |",
                // an integer and a number with a point are two values
                "{\"a\":1} | {\"a\":1.0} | {\"a\":2} |",
                // an object was replaced, and changed within
                "{\"o\":{\"x\":1}} | {\"o\":5} | {\"o\":{\"x\":2}} |",
            })
    void mergesFieldByField_D6(String base, String ours, String theirs, String expected) {
        assertThat(merged(base, ours, theirs)).isEqualTo(Optional.ofNullable(expected));
        assertThat(merged(base, theirs, ours)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void withoutABaseHasTheFieldsOfBoth_D6() {
        assertThat(merged(null, "{\"a\":1,\"b\":2}", "{\"b\":2,\"c\":3}")).contains("{\"a\":1,\"b\":2,\"c\":3}");
        assertThat(merged(null, "{\"a\":1}", "{\"a\":2}")).isEmpty();
    }

    @Test
    void comparesValuesAndNotForms_D6() {
        Document spaced = Document.raw("{ \"b\" : 1, \"a\" : 1 }".getBytes(StandardCharsets.UTF_8));
        Document base = Document.parse("{\"a\":1,\"b\":1}");
        Document theirs = Document.parse("{\"a\":1,\"b\":2}");
        assertThat(Document.merge(Optional.of(base), spaced, theirs)).contains(theirs);
    }

    @Test
    void leavesWhatJsonLacks_D6() {
        byte[] link = new DagCborWriter()
                .map(2)
                .text("a")
                .integer(1)
                .text("l")
                .link(Block.of(Cid.RAW, new byte[0]).cid())
                .toByteArray();
        Document foreign = Document.of(Block.of(Cid.DAG_CBOR, link));
        Document base = Document.parse("{\"a\":1}");
        assertThat(Document.merge(Optional.of(base), foreign, Document.parse("{\"a\":2}")))
                .isEmpty();
    }

    @Test
    void equalsAPlainModelOnRandomTriples_D6() {
        long seed = Long.getLong("pail.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int merged = 0;
        for (int i = 0; i < TRIPLES; i++) {
            Map<String, Object> base = object(random, 3);
            Map<String, Object> ours = edited(random, base);
            Map<String, Object> theirs = edited(random, base);
            Optional<Document> found = Document.merge(Optional.of(document(base)), document(ours), document(theirs));
            assertThat(found.map(Document::cid))
                    .as("triple %d of seed %d", i, seed)
                    .isEqualTo(model(base, ours, theirs)
                            .map(DocumentMergeTest::document)
                            .map(Document::cid));
            merged += found.isPresent() ? 1 : 0;
        }
        assertThat(merged).isBetween(TRIPLES - MOST_MERGED, MOST_MERGED);
    }

    private static Document document(Map<String, Object> fields) {
        return Document.parse(json(fields));
    }

    /** A value of the model: a map of fields, or the text of any other value. */
    private static String json(Object value) {
        if (!(value instanceof Map<?, ?> fields)) {
            return (String) value;
        }
        StringBuilder out = new StringBuilder();
        fields.forEach((name, field) -> out.append(out.length() == 0 ? "" : ",")
                .append('"')
                .append(name)
                .append("\":")
                .append(json(field)));
        return "{" + out + "}";
    }

    private static Map<String, Object> object(Random random, int depth) {
        Map<String, Object> fields = new TreeMap<>();
        for (String name : NAMES) {
            if (random.nextInt(3) > 0) {
                fields.put(name, value(random, depth));
            }
        }
        return fields;
    }

    private static Object value(Random random, int depth) {
        return depth > 0 && random.nextInt(3) == 0
                ? object(random, depth - 1)
                : SCALARS[random.nextInt(SCALARS.length)];
    }

    private static Map<String, Object> edited(Random random, Map<String, Object> fields) {
        Map<String, Object> edited = new TreeMap<>(fields);
        for (String name : NAMES) {
            Object value = edited.get(name);
            if (value instanceof Map<?, ?> && random.nextInt(3) > 0) {
                @SuppressWarnings("unchecked")
                Map<String, Object> inner = (Map<String, Object>) value;
                edited.put(name, edited(random, inner));
            } else if (random.nextInt(8) == 0) {
                edited.put(name, value(random, 1));
            } else if (random.nextInt(8) == 0) {
                edited.remove(name);
            }
        }
        return edited;
    }

    /** The rule word by word: compares whole values first, and goes into objects only if all else fails. */
    private static Optional<Map<String, Object>> model(Map<?, ?> base, Map<?, ?> ours, Map<?, ?> theirs) {
        TreeSet<Object> names = new TreeSet<>(base.keySet());
        names.addAll(ours.keySet());
        names.addAll(theirs.keySet());
        Map<String, Object> merged = new TreeMap<>();
        for (Object name : names) {
            Optional<Object> before = Optional.ofNullable(base.get(name));
            Optional<Object> our = Optional.ofNullable(ours.get(name));
            Optional<Object> their = Optional.ofNullable(theirs.get(name));
            Optional<Object> value;
            if (our.equals(their) || their.equals(before)) {
                value = our;
            } else if (our.equals(before)) {
                value = their;
            } else if (our.orElse("") instanceof Map<?, ?> a && their.orElse("") instanceof Map<?, ?> b) {
                Map<?, ?> origin = before.orElse("") instanceof Map<?, ?> map ? map : Map.of();
                Optional<Map<String, Object>> inner = model(origin, a, b);
                if (inner.isEmpty()) {
                    return Optional.empty();
                }
                value = Optional.of(inner.get());
            } else {
                return Optional.empty();
            }
            value.ifPresent(one -> merged.put((String) name, one));
        }
        return Optional.of(merged);
    }
}
