package dev.pail.server.api;

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
 * seeks its first key and the first key behind each such item, and reads nothing else. With a text, a page looks at each key. Immutable.
 */
final class KeyListing {
    /** The most keys that a page looks at for a text. */
    static final int MOST_LOOKED_AT = 10_000;

    private final String prefix;
    private final KeyRange range;
    private final Optional<Character> delimiter;

    /** Behind the prefix of each item; if there is one, there is no delimiter. */
    private final Optional<String> text;

    private KeyListing(String prefix, KeyRange range, Optional<Character> delimiter, Optional<String> text) {
        this.prefix = prefix;
        this.range = range;
        this.delimiter = delimiter;
        this.text = text;
    }

    KeyListing(String prefix, Optional<Character> delimiter) {
        this(prefix, KeyRange.prefix(prefix), delimiter, Optional.empty());
    }

    /** All keys with a prefix that have a text behind it. */
    static KeyListing containing(String text, String prefix) {
        return new KeyListing(prefix, KeyRange.prefix(prefix), Optional.empty(), Optional.of(text));
    }

    /** Of this listing, a key and those behind it. */
    KeyListing from(String key) {
        return new KeyListing(prefix, range.from(key), delimiter, text);
    }

    /** Of this listing, the keys before one. */
    KeyListing before(String key) {
        return new KeyListing(prefix, range.before(key), delimiter, text);
    }

    /**
     * A key, or the beginning of keys up to the delimiter.
     *
     * @param value of the key; none of a beginning
     */
    record Item(String text, Optional<Cid> value) {}

    /** @param next where the next page begins, if there is one: the text of the last item, or the last key that was looked at */
    record Page(List<Item> items, Optional<String> next) {
        Page {
            items = List.copyOf(items);
        }
    }

    /** @param after the {@link Page#next} of the page before */
    Page page(Pail pail, Optional<String> after, int limit) {
        List<Item> items = new ArrayList<>();
        KeyRange due = after.map(this::behind).orElse(range);
        if (text.isPresent()) {
            return search(pail, due, text.get(), limit);
        }
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

    private Page search(Pail pail, KeyRange due, String contained, int limit) {
        List<Item> items = new ArrayList<>();
        int lookedAt = 0;
        try (Stream<Entry> entries = pail.entries(due)) {
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                Entry entry = each.next();
                lookedAt++;
                if (entry.key().indexOf(contained, prefix.length()) >= 0) {
                    items.add(new Item(entry.key(), Optional.of(entry.value())));
                }
                if (items.size() == limit || lookedAt == MOST_LOOKED_AT) {
                    return new Page(items, each.hasNext() ? Optional.of(entry.key()) : Optional.empty());
                }
            }
        }
        return new Page(items, Optional.empty());
    }

    /** Adds items until a delimiter or the limit, and gives the range of those that may follow; null at the end. */
    private @Nullable KeyRange addTo(List<Item> items, Pail pail, KeyRange due, int limit) {
        try (Stream<Entry> entries = pail.entries(due)) {
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
        int end = end(item);
        // No key is between those that begin with a delimiter and those with the character that follows it.
        return end < 0
                ? range.after(item)
                : range.from(item.substring(0, end - 1) + (char) (delimiter.orElseThrow() + 1));
    }

    /** Where the first delimiter behind the prefix ends; -1, if there is none. */
    private int end(String item) {
        if (delimiter.isEmpty() || !item.startsWith(prefix)) {
            return -1;
        }
        int at = item.indexOf(delimiter.get(), prefix.length());
        return at < 0 ? -1 : at + 1;
    }
}
