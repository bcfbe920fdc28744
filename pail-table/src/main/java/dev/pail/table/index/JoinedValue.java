package dev.pail.table.index;

import dev.pail.table.Bytes;
import dev.pail.table.Index;
import dev.pail.table.TableException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an index has of a row: the ordered forms of the values in its fields, one after the other (Rule B8). The order of the bytes is that of the
 * values: by the first field, then by the second, and so on.
 */
public final class JoinedValue {
    /** Stands between the forms. It is less than all bytes of a form, so a value comes before those that start with it. */
    static final byte JOINT = 0x1e;

    /** Stands between the values of several entries in a reverse entry. */
    private static final byte LIST_JOINT = 0x1d;

    /** An absent value is greater than all others, in ascending and in descending fields. */
    private static final byte ABSENT = (byte) 0xff;

    static final byte[] NO_VALUE = {ABSENT};
    static final byte[] BEHIND_NO_VALUE = {ABSENT, KeyText.SEPARATOR + 1};

    /** The end of a reversed form: greater than all bytes of one, so a value comes behind those that start with it. */
    private static final byte END = (byte) 0xff;

    /** The least byte of a form, and the greatest that its complement has. */
    private static final int LEAST = 0x20;

    private static final int GREATEST = 0xfe;

    private JoinedValue() {}

    /** The forms of the values in the fields of an index, put together; null stands for an absent value. */
    static byte[] of(List<Index.Field> fields, List<byte @Nullable []> forms) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < forms.size(); i++) {
            if (i > 0) {
                out.write(JOINT);
            }
            byte[] form = forms.get(i);
            if (form == null) {
                out.write(ABSENT);
            } else {
                out.writeBytes(fields.get(i).isDescending() ? reversed(form) : form);
            }
        }
        return out.toByteArray();
    }

    /**
     * The values that were put together, as {@link dev.pail.table.document.Values} has them; null for an absent one.
     *
     * @throws TableException if the bytes are not those of values in these fields
     */
    static List<@Nullable Object> values(List<Index.Field> fields, byte[] joined) {
        List<@Nullable Object> values = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < fields.size(); i++) {
            int end = i + 1 < fields.size() ? indexOf(JOINT, joined, from) : joined.length;
            byte[] part = Arrays.copyOfRange(joined, from, end);
            if (i > 0 && part.length == 1 && part[0] == ABSENT) {
                values.add(null);
            } else {
                values.add(OrderedValue.decode(fields.get(i).isDescending() ? restored(part) : part));
            }
            from = Math.min(end + 1, joined.length);
        }
        return values;
    }

    /** Whether a row with this value does not count for a unique index: a value is absent or null. Spec rule T12. */
    static boolean isFree(List<Index.Field> fields, byte[] joined) {
        return values(fields, joined).stream()
                .anyMatch(value -> value == null || value == dev.pail.table.document.Values.NULL);
    }

    /** The values of the entries of a row, put together (spec rule T20). */
    static byte[] list(List<byte[]> values) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] value : values) {
            if (out.size() > 0) {
                out.write(LIST_JOINT);
            }
            out.writeBytes(value);
        }
        return out.toByteArray();
    }

    /** The values that were put together. */
    static List<byte[]> parts(byte[] list) {
        List<byte[]> values = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= list.length; i++) {
            if (i == list.length || list[i] == LIST_JOINT) {
                values.add(Arrays.copyOfRange(list, from, i));
                from = i + 1;
            }
        }
        return values;
    }

    private static int indexOf(byte wanted, byte[] bytes, int from) {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        throw malformed(bytes, "a value is missing");
    }

    /** A form in descending order: the complement of each byte, and an end. No byte of it is a separator or less. */
    static byte[] reversed(byte[] form) {
        byte[] bytes = Arrays.copyOf(complement(form), form.length + 1);
        bytes[form.length] = END;
        return bytes;
    }

    /**
     * The form whose reversed one this is.
     *
     * @throws TableException if it is none
     */
    static byte[] restored(byte[] reversed) {
        int length = reversed.length - 1;
        if (length < 0 || reversed[length] != END) {
            throw malformed(reversed, "a descending value has the end ff");
        }
        return complement(Arrays.copyOf(reversed, length));
    }

    private static byte[] complement(byte[] form) {
        byte[] bytes = new byte[form.length];
        for (int i = 0; i < form.length; i++) {
            bytes[i] = (byte) (LEAST + GREATEST - (form[i] & 0xff));
        }
        return bytes;
    }

    /**
     * Where a bound of a range of values is in an index whose field has one direction.
     *
     * @param bound the first bytes of an ascending field that are behind the bound: a form and a separator, a form and what is behind a separator,
     *     or the start of forms
     */
    static byte[] bound(byte[] bound, boolean isDescending) {
        int last = bound.length == 0 ? -1 : bound[bound.length - 1];
        byte[] form = Arrays.copyOf(bound, Math.max(0, bound.length - 1));
        if (!isDescending) {
            return last == KeyText.SEPARATOR ? with(form, JOINT) : bound;
        }
        if (last < 0 && bound.length == 0) {
            // All values are before an absent one.
            return new byte[] {ABSENT};
        }
        if (last == KeyText.SEPARATOR) {
            return with(reversed(form), (byte) LEAST);
        }
        if (last == LEAST) {
            return reversed(form);
        }
        byte[] start = complement(bound);
        start[start.length - 1]++;
        return start;
    }

    private static byte[] with(byte[] bytes, byte last) {
        byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
        more[bytes.length] = last;
        return more;
    }

    private static TableException malformed(byte[] bytes, String why) {
        return new TableException(TableException.Reason.KEY, "no value is " + Bytes.of(bytes) + ": " + why + " (B8)");
    }
}
