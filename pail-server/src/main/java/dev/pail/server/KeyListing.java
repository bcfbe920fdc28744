package dev.pail.server;

import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A listing of keys, page by page. With a delimiter, keys that have it behind the prefix are one item up to it, as files in a folder. A page
 * seeks its first key and the first key behind each such item, and reads nothing else. Immutable.
 */
final class KeyListing {
    private final String prefix;
    private final Optional<Character> delimiter;

    KeyListing(String prefix, Optional<Character> delimiter) {
        this.prefix = prefix;
        this.delimiter = delimiter;
    }

    /**
     * A key, or the beginning of keys up to the delimiter.
     *
     * @param value of the key; none of a beginning
     */
    record Item(String text, Optional<Cid> value) {}

    /** @param next the text of the last item, if there are more */
    record Page(List<Item> items, Optional<String> next) {
        Page {
            items = List.copyOf(items);
        }
    }

    /** @param after the text of the item before the page */
    Page page(Pail pail, Optional<String> after, int limit) {
        List<Item> items = new ArrayList<>();
        KeyRange due = after.map(this::behind).orElse(KeyRange.prefix(prefix));
        while (true) {
            KeyRange next = addTo(items, pail, due, limit);
            if (next == null) {
                return new Page(items, Optional.empty());
            }
            if (items.size() == limit) {
                boolean isMore = pail.first(next).isPresent();
                return new Page(items, isMore ? Optional.of(items.get(limit - 1).text()) : Optional.empty());
            }
            due = next;
        }
    }

    /** Adds items until a delimiter or the limit, and gives the range of those that may follow; null at the end. */
    private @Nullable KeyRange addTo(List<Item> items, Pail pail, KeyRange range, int limit) {
        try (Stream<Entry> entries = pail.entries(range)) {
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                Entry entry = each.next();
                int end = end(entry.key());
                items.add(
                        end < 0
                                ? new Item(entry.key(), Optional.of(entry.value()))
                                : new Item(entry.key().substring(0, end), Optional.empty()));
                if (end >= 0 || items.size() == limit) {
                    return behind(items.get(items.size() - 1).text());
                }
            }
        }
        return null;
    }

    /** The keys behind an item, and behind all keys that are part of it. */
    private KeyRange behind(String item) {
        KeyRange all = KeyRange.prefix(prefix);
        int end = end(item);
        // No key is between those that begin with a delimiter and those with the character that follows it.
        return end < 0 ? all.after(item) : all.from(item.substring(0, end - 1) + (char) (delimiter.orElseThrow() + 1));
    }

    /** Where the first delimiter behind the prefix ends; -1, if there is none. */
    private int end(String text) {
        if (delimiter.isEmpty() || !text.startsWith(prefix)) {
            return -1;
        }
        int at = text.indexOf(delimiter.get(), prefix.length());
        return at < 0 ? -1 : at + 1;
    }
}
