package dev.pail.content.merge;

import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.table.Tables;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The rules that a map has for merges of its values, by prefixes of keys (spec rules VM7 to VM9). They are the value of {@link #KEY}, so
 * all copies have them. A {@link java.util.ServiceLoader} finds this class for {@link MergeRules#installed()}.
 *
 * <pre>{@code
 * Block rules = PrefixRules.block(Map.of("docs/", Set.of(ValueKind.TEXT), "config/", Set.of(ValueKind.JSON)));
 * blocks.put(rules);
 * Pail next = pail.put(PrefixRules.KEY, rules.cid());
 * Map<String, Set<ValueKind>> kinds = PrefixRules.of(next); // {config/=[JSON], docs/=[TEXT]}
 * }</pre>
 */
public final class PrefixRules extends InsideRules {
    /** The key of the rules. Rule VM1. */
    public static final String KEY = ".pailmerge";

    private static final String WHOLE = "whole";

    /** For {@link java.util.ServiceLoader}. */
    public PrefixRules() {}

    /** The rules of a version, by prefix; none if it has none, or they cannot be read. No kind means that values are not merged inside. */
    public static SortedMap<String, Set<ValueKind>> of(Pail pail) {
        return read(pail.blocks(), pail.get(KEY));
    }

    /**
     * The value of {@link #KEY} for some rules.
     *
     * @param rules the kinds by prefix, without {@link ValueKind#ROWS}: a table says itself how its rows merge
     * @throws IllegalArgumentException if a prefix has that kind
     */
    public static Block block(Map<String, Set<ValueKind>> rules) {
        String fields = new TreeMap<>(rules)
                .entrySet().stream()
                        .map(rule -> quoted(rule.getKey()) + ":" + quoted(words(rule.getValue())))
                        .collect(Collectors.joining(",", "{", "}"));
        Document document = Document.parse(fields);
        return IndentedJson.of(document.json())
                .flatMap(MergedValue::text)
                .orElseThrow(() -> new IllegalArgumentException("rules of more than 1 MiB"));
    }

    private static String words(Set<ValueKind> kinds) {
        if (kinds.contains(ValueKind.ROWS)) {
            throw new IllegalArgumentException("a table says itself how its rows merge");
        }
        return kinds.isEmpty()
                ? WHOLE
                : kinds.stream()
                        .sorted()
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(","));
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate((char) c)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.append('"').toString();
    }

    private static SortedMap<String, Set<ValueKind>> read(BlockStore blocks, Optional<Cid> value) {
        return rules(value.flatMap(cid -> ReadValue.of(blocks, cid)));
    }

    /** Rule VM7. */
    private static SortedMap<String, Set<ValueKind>> rules(Optional<ReadValue> value) {
        SortedMap<String, Set<ValueKind>> rules = new TreeMap<>();
        Map<String, String> fields =
                value.flatMap(ReadValue::document).map(Document::flat).orElse(Map.of());
        for (Map.Entry<String, String> field : fields.entrySet()) {
            Optional<String> prefix = prefix(field.getKey());
            if (prefix.isEmpty()) {
                return new TreeMap<>();
            }
            rules.put(prefix.get(), kinds(field.getValue()));
        }
        return rules;
    }

    /** The name of a field from its path; empty, if it is a field of another. */
    private static Optional<String> prefix(String path) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '.') {
                return Optional.empty();
            }
            if (c == '\\') {
                i++;
            }
            name.append(path.charAt(i));
        }
        return Optional.of(name.toString());
    }

    private static Set<ValueKind> kinds(String words) {
        Set<ValueKind> kinds = EnumSet.noneOf(ValueKind.class);
        for (String word : words.split(",", -1)) {
            switch (word) {
                case "text" -> kinds.add(ValueKind.TEXT);
                case "json" -> kinds.add(ValueKind.JSON);
                default -> {
                    // The word of a later version, or whole.
                    return Set.of();
                }
            }
        }
        return kinds;
    }

    @Override
    public boolean concern(Pail pail) {
        return pail.get(KEY).isPresent();
    }

    @Override
    public boolean concern(String key) {
        return Objects.requireNonNull(key, "key").equals(KEY);
    }

    @Override
    MergeRules below(Pail... versions) {
        for (Pail version : versions) {
            if (Tables.mergeRules().concern(version)) {
                return Tables.mergeRules();
            }
        }
        return MergeRules.keys();
    }

    @Override
    public Comparison compare(Pail base, Side ours, Side theirs) {
        Objects.requireNonNull(base, "base");
        Comparison below = below(base, ours.pail(), theirs.pail()).compare(base, ours, theirs);
        SortedMap<String, Set<ValueKind>> rules = merged(base, ours.pail(), theirs.pail());
        return new InsideMerge(below, base, ours.pail(), theirs.pail(), conflict -> kinds(rules, conflict));
    }

    /** The rules of the merged version; none, if the sides changed them in different ways. Rule VM8. */
    private static SortedMap<String, Set<ValueKind>> merged(Pail base, Pail ours, Pail theirs) {
        Optional<Cid> before = base.get(KEY);
        Optional<Cid> left = ours.get(KEY);
        Optional<Cid> right = theirs.get(KEY);
        if (left.equals(before) || left.equals(right)) {
            return read(theirs.blocks(), right);
        }
        if (right.equals(before)) {
            return read(ours.blocks(), left);
        }
        Conflict conflict = Conflict.of(KEY, before, left, right);
        return rules(InsideMerge.merged(Set.of(ValueKind.JSON), conflict, base.blocks(), ours.blocks(), theirs.blocks())
                .flatMap(ReadValue::of));
    }

    /** The kinds of the longest prefix. Rule VM9. */
    private static Set<ValueKind> kinds(SortedMap<String, Set<ValueKind>> rules, Conflict conflict) {
        String key = conflict.key();
        if (key.equals(KEY)) {
            return Set.of(ValueKind.JSON);
        }
        for (int length = rules.isEmpty() ? -1 : key.length(); length >= 0; length--) {
            Set<ValueKind> kinds = rules.get(key.substring(0, length));
            if (kinds != null) {
                return kinds;
            }
        }
        return Set.of();
    }
}
