package dev.pail.table.index;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.table.Orphans;
import dev.pail.table.RowMerge;
import dev.pail.table.TableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows under numbers that no table has (spec rules R4 and R9). A note beside them, under a key that can be none of a row, has the
 * name of the table that they were written to.
 */
public final class OrphanRows {
    private static final Cid NOTHING = IndexKeys.inline(new byte[0]);
    private static final String SEPARATOR = EscapedText.of(new byte[] {KeyText.SEPARATOR});

    private OrphanRows() {}

    private static String noteKey(int number, String table) {
        return KeyText.rows(number) + SEPARATOR + EscapedText.of(table);
    }

    /** Notes which table the rows under a number were written to, if the pail takes the key. */
    public static void note(Pail pail, Batch batch, int number, String table) {
        String key = noteKey(number, table);
        try {
            pail.format().checkKey(key);
        } catch (KeyNotAllowedException e) {
            // The rows are as well without.
            return;
        }
        batch.put(key, NOTHING);
    }

    /** Whether the rows under a number were written to a former table of this name. */
    public static boolean isNoted(Pail pail, int number, String table) {
        return pail.get(noteKey(number, table)).isPresent();
    }

    /** The table that the rows under a number were written to, if that is noted. */
    public static Optional<String> notedTable(Pail pail, int number) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(KeyText.rows(number) + SEPARATOR))) {
            return entries.flatMap(entry -> notedName(number, entry).stream()).findFirst();
        }
    }

    public static boolean hasKeys(Pail pail, int number) {
        return first(pail, KeyRange.prefix(KeyText.rows(number))).isPresent();
    }

    /** Reads the orphans, and one entry for each number that a table has. */
    public static List<Orphans> of(Pail pail) {
        Declarations declared = Declarations.of(pail);
        List<Orphans> found = new ArrayList<>();
        if (!declared.unreadable.isEmpty()) {
            // The rows may be those of a table that cannot be read.
            return found;
        }
        KeyRange all = KeyRange.prefix(KeyText.ROWS);
        Optional<Entry> next = first(pail, all);
        while (next.isPresent()) {
            String key = next.get().key();
            int number = KeyText.number(key);
            if (number < 0) {
                next = first(pail, all.after(key));
                continue;
            }
            if (declared.named(number).isEmpty()) {
                Orphans orphans = of(pail, number);
                if (orphans.rows() > 0) {
                    found.add(orphans);
                }
            }
            String behind = behind(number);
            next = behind == null ? Optional.empty() : first(pail, all.from(behind));
        }
        return found;
    }

    /** What the first key may be that is behind those of a number: the bytes of it are in the order of keys. */
    private static @Nullable String behind(int number) {
        int low = number & 0xff;
        int high = (number >> Byte.SIZE) + 1;
        if (high > 0xff) {
            high = 0;
            low++;
        }
        return low > 0xff ? null : KeyText.rows((high << Byte.SIZE) | low);
    }

    private static Orphans of(Pail pail, int number) {
        TableInfo nameless = TableInfo.of("", number, List.of(), RowMerge.WHOLE);
        long[] rows = new long[1];
        List<String> names = new ArrayList<>();
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(nameless.rows))) {
            entries.forEachOrdered(entry -> {
                if (nameless.rowId(entry.key()) != null) {
                    rows[0]++;
                } else {
                    notedName(number, entry).ifPresent(names::add);
                }
            });
        }
        return new Orphans(number, names.size() == 1 ? Optional.of(names.get(0)) : Optional.empty(), rows[0]);
    }

    private static Optional<String> notedName(int number, Entry entry) {
        return entry.value().equals(NOTHING) ? notedName(number, entry.key()) : Optional.empty();
    }

    /** The table that a key notes; nothing, if it is not the key of a note. */
    public static Optional<String> notedName(int number, String key) {
        String start = KeyText.rows(number) + SEPARATOR;
        if (!key.startsWith(start)) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(KeyText.text(EscapedText.bytes(key, start.length())));
        } catch (TableException e) {
            return Optional.empty();
        }
    }

    /** Puts notes back that a merge took away, if it left rows beside them. */
    public static Pail noteAgain(Pail pail, SortedMap<Integer, String> notes) {
        if (notes.isEmpty()) {
            return pail;
        }
        Declarations declared = Declarations.of(pail);
        Batch batch = pail.batch();
        notes.forEach((number, table) -> {
            if (declared.named(number).isEmpty() && of(pail, number).rows() > 0) {
                note(pail, batch, number, table);
            }
        });
        return batch.commit();
    }

    /** Gives the id and the entry of each row under a number. */
    public static void forEach(Pail pail, int number, BiConsumer<String, Entry> action) {
        TableInfo nameless = TableInfo.of("", number, List.of(), RowMerge.WHOLE);
        nameless.forEachRow(pail, entry -> {
            String id = nameless.rowId(entry.key());
            if (id != null) {
                action.accept(id, entry);
            }
        });
    }

    /** Takes rows away, and the note too when none is left. */
    public static Pail remove(Pail pail, int number, Collection<String> ids) {
        Batch batch = pail.batch();
        ids.forEach(id -> batch.delete(KeyText.rows(number) + EscapedText.of(id)));
        Pail less = batch.commit();
        if (of(less, number).rows() > 0) {
            return less;
        }
        Batch notes = less.batch();
        try (Stream<Entry> entries = less.entries(KeyRange.prefix(KeyText.rows(number) + SEPARATOR))) {
            entries.filter(entry -> notedName(number, entry).isPresent())
                    .forEachOrdered(entry -> notes.delete(entry.key()));
        }
        return notes.commit();
    }

    private static Optional<Entry> first(Pail pail, KeyRange range) {
        try (Stream<Entry> entries = pail.entries(range)) {
            return entries.findFirst();
        }
    }
}
