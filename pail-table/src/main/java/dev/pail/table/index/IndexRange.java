package dev.pail.table.index;

import dev.pail.KeyRange;
import dev.pail.table.FieldForm;
import dev.pail.table.Index;
import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * The entries of an index with values in ranges: those of its first fields. Each range but the last is one value.
 *
 * @param values a range for each of the first fields, at least one
 */
public record IndexRange(IndexKeys index, List<OrderedRange> values) {
    public IndexRange(IndexKeys index, OrderedRange values) {
        this(index, List.of(values));
    }

    public boolean isEmpty() {
        return values.stream().anyMatch(OrderedRange::isEmpty);
    }

    /** The range of the last of these fields. */
    public OrderedRange last() {
        return values.get(values.size() - 1);
    }

    /** Of how many fields there is one value. */
    public int equalities() {
        return values.size() - (last().isOneValue() ? 0 : 1);
    }

    /** Whether the range can have several entries of a row: for other items of a list. */
    public boolean mayRepeatRows() {
        List<Index.Field> fields = index.name.fields();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).form() == FieldForm.ITEMS) {
                return i >= values.size() || !values.get(i).isOneValue();
            }
        }
        return false;
    }

    /** The keys of the entries. The range is not empty. */
    public KeyRange keys() {
        if (index.name.index().isPlain()) {
            return index.range(last().low(), last().high());
        }
        byte[] before = before(values.size() - 1);
        boolean isDescending = index.name.fields().get(values.size() - 1).isDescending();
        byte[] low = JoinedValue.bound(last().low(), isDescending);
        byte[] high = JoinedValue.bound(last().high(), isDescending);
        return index.range(concat(before, isDescending ? high : low), concat(before, isDescending ? low : high));
    }

    /** The keys of the entries that have no value in the field behind the last one. Each of these fields has one value. */
    public KeyRange withoutNext() {
        byte[] before = before(values.size());
        return index.range(concat(before, JoinedValue.NO_VALUE), concat(before, JoinedValue.BEHIND_NO_VALUE));
    }

    /** What the first of these fields have in front of the next. */
    private byte[] before(int fields) {
        ByteArrayOutputStream before = new ByteArrayOutputStream();
        for (int i = 0; i < fields; i++) {
            byte[] form = values.get(i).form();
            before.writeBytes(index.name.fields().get(i).isDescending() ? JoinedValue.reversed(form) : form);
            before.write(JoinedValue.JOINT);
        }
        return before.toByteArray();
    }

    private static byte[] concat(byte[] start, byte[] rest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(start);
        out.writeBytes(rest);
        return out.toByteArray();
    }
}
