package dev.pail.table;

import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.table.index.EscapedText;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRange;
import dev.pail.table.index.TableText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the rows that match a filter: {@link Table#page}. A page ends after it has read 10,000 rows or 16 MiB of documents, so
 * every filter takes little time. Immutable.
 *
 * <pre>{@code
 * Table people = Tables.of(pail).table("people");
 * Filter adults = Filter.parse("age >= 18");
 * RowPage page = people.page(adults, Optional.empty(), 100);
 * page.rows().forEach(row -> System.out.println(row.id()));
 * if (page.next().isPresent()) {
 *     RowPage second = people.page(adults, page.next(), 100);
 * }
 * }</pre>
 *
 * @param next the start of the next page; empty if this is the last one
 */
public record RowPage(List<Row> rows, Optional<String> next) {
    /** The most rows that are looked at for a page. */
    private static final int MOST_CANDIDATES = 10_000;

    /** How many bytes of documents end a page. */
    private static final long MOST_BYTES = 16 << 20;

    /** The number of an access of the plan, and the key of the last candidate. */
    private static final Pattern TOKEN = Pattern.compile("([0-9]{1,6}):(.*)", Pattern.DOTALL);

    public RowPage {
        rows = List.copyOf(Objects.requireNonNull(rows, "rows"));
        Objects.requireNonNull(next, "next");
    }

    static RowPage of(Table table, Filter filter, List<IndexRange> ranges, Optional<String> after, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a page has room for 1 row or more, not for " + most);
        }
        int accesses = Math.max(1, ranges.size());
        int access = 0;
        KeyRange range = range(table, ranges, 0);
        if (after.isPresent()) {
            Matcher token = TOKEN.matcher(after.get());
            if (!token.matches() || Integer.parseInt(token.group(1)) >= accesses) {
                throw new IllegalArgumentException(
                        "not where a page of this table with this filter ends: " + TableText.quoted(after.get()));
            }
            access = Integer.parseInt(token.group(1));
            range = range(table, ranges, access).after(token.group(2));
        }
        IndexKeys.EntryRows indexed = new IndexKeys.EntryRows();
        List<Row> rows = new ArrayList<>();
        int candidates = 0;
        long bytes = 0;
        while (true) {
            try (Stream<Entry> entries = table.pail().entries(range)) {
                for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                    Entry entry = each.next();
                    Row row = table.candidate(ranges.isEmpty(), indexed, entry);
                    candidates++;
                    if (row != null) {
                        Document document = row.document();
                        bytes += document.block().size();
                        if (filter.accepts(document) && isFirst(table, ranges, access, row, entry.key())) {
                            rows.add(row);
                        }
                    }
                    if (rows.size() == most || candidates == MOST_CANDIDATES || bytes >= MOST_BYTES) {
                        boolean isLast = access == accesses - 1 && !each.hasNext();
                        return new RowPage(rows, isLast ? Optional.empty() : Optional.of(access + ":" + entry.key()));
                    }
                }
            }
            if (++access == accesses) {
                return new RowPage(rows, Optional.empty());
            }
            range = range(table, ranges, access);
        }
    }

    /** What the keys of all candidates are in: those of rows, or of an index. */
    private static KeyRange range(Table table, List<IndexRange> ranges, int access) {
        if (ranges.isEmpty()) {
            return KeyRange.prefix(table.info().rows);
        }
        IndexRange one = ranges.get(access);
        return one.isEmpty() ? KeyRange.all().before("") : one.keys();
    }

    /** Whether neither an access before this one gives the row, nor an entry of this one before. */
    private static boolean isFirst(Table table, List<IndexRange> ranges, int access, Row row, String key) {
        if (ranges.isEmpty()) {
            return true;
        }
        IndexRange here = ranges.get(access);
        boolean isBefore = ranges.subList(0, access).stream()
                .anyMatch(before -> firstEntry(table, before, row).isPresent());
        return !isBefore
                && (!here.mayRepeatRows() || firstEntry(table, here, row).equals(Optional.of(key)));
    }

    /** The key of the first entry by which a range of an index gives a row, in the order of keys; nothing, if it does not. */
    private static Optional<String> firstEntry(Table table, IndexRange access, Row row) {
        IndexKeys index = access.index();
        try {
            return index.indexed(row.id(), row.cid(), row.document()::at).stream()
                    .flatMap(indexed -> indexed.values().stream())
                    .map(value -> index.entry(value, EscapedText.of(row.id())))
                    .filter(key -> !access.isEmpty() && access.keys().contains(key))
                    .filter(key ->
                            table.pail().get(key).map(IndexKeys::document).equals(Optional.of(row.cid())))
                    .min(Comparator.naturalOrder());
        } catch (TableException e) {
            // The index takes none of its values.
            return Optional.empty();
        }
    }
}
