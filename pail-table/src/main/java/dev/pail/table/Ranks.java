package dev.pail.table;

import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.table.document.Values;
import dev.pail.table.index.EscapedText;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexRange;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.OrderedRange;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Numbers of rows, and values at a place in their order, from the counts that a pail keeps where that is possible (Rule Q7). */
record Ranks(Table table) {
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** The number of all rows. The mark of rows that moved (R9) has a separator where an id begins. */
    long rows() {
        String start = table.info().rows;
        String marks = start + EscapedText.of(new byte[] {KeyText.SEPARATOR});
        return table.pail().count(KeyRange.prefix(start)) - table.pail().count(KeyRange.prefix(marks));
    }

    /** The least value that at least this percentage of all values does not exceed; empty without any value. */
    Optional<Scalar> percentile(Filter filter, FieldPath field, BigDecimal percent) {
        if (percent.signum() < 0 || percent.compareTo(HUNDRED) > 0) {
            throw new IllegalArgumentException("a percentage is from 0 to 100, not " + percent);
        }
        IndexKeys index = filter.equals(Filter.all()) ? table.info().index(Index.on(field)) : null;
        Optional<Scalar> found = index == null ? Optional.empty() : indexed(index, field, percent);
        // An entry that is not that of its row counts for nothing (T7).
        return found.isPresent() ? found : sorted(filter, field, percent);
    }

    /** From 0. */
    private static long place(long values, BigDecimal percent) {
        BigDecimal rank = BigDecimal.valueOf(values).multiply(percent).divide(HUNDRED, 0, RoundingMode.CEILING);
        return Math.max(1, rank.longValueExact()) - 1;
    }

    private Optional<Scalar> indexed(IndexKeys index, FieldPath field, BigDecimal percent) {
        Pail pail = table.pail();
        KeyRange all = new IndexRange(index, OrderedRange.all()).keys();
        // They come first.
        long nulls = pail.count(new IndexRange(index, OrderedRange.equal(Values.NULL)).keys());
        long values = pail.count(all) - nulls;
        return values == 0
                ? Optional.empty()
                : pail.entryAt(all, nulls + place(values, percent))
                        .map(entry -> table.candidate(false, new IndexKeys.EntryRows(), entry))
                        .flatMap(row -> row.document().get(field));
    }

    private Optional<Scalar> sorted(Filter filter, FieldPath field, BigDecimal percent) {
        List<Object> values = new ArrayList<>();
        table.forEach(filter, List.of(field), (row, document) -> {
            @Nullable Object value = document.at(field);
            if (value != null && value != Values.NULL && Values.isScalar(value)) {
                values.add(value);
            }
        });
        if (values.isEmpty()) {
            return Optional.empty();
        }
        values.sort(Values::compare);
        return Optional.of(new Scalar(values.get((int) place(values.size(), percent))));
    }
}
