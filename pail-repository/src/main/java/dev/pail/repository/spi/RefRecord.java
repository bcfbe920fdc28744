package dev.pail.repository.spi;

import dev.pail.bytes.Utf8;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.Tracking;
import dev.pail.sign.HeadNote;
import dev.pail.sign.InvalidNoteException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record of a branch or a tag as dag-cbor (Rule REF2). Two records with equal bytes are of the same update, as each
 * begins with a random number of its update.
 *
 * @param isPresent whether the branch or tag is there from then on
 * @param entry the ref update that it is; null, if it is none
 */
record RefRecord(
        long generation,
        boolean isPresent,
        Head head,
        @Nullable LogEntry entry) {
    /** Where the number of the update begins: behind the heads of an array and of a byte string. */
    private static final int UPDATE = 2;

    /** The byte whose upper half says what the number of the update is: 4 if it is all random, as in a UUID. */
    private static final int KIND = UPDATE + 6;

    private static final int BOUND = 0x80;

    /** Where the hash of name and number is. */
    private static final int SEAL = UPDATE + Long.BYTES;

    private static final int MAX_REASON = 1000;
    private static final int MAX_EVENTS = 1000;

    /** A reason as a record keeps it: its first characters, as Unicode text. */
    static String reason(String given) {
        StringBuilder kept = new StringBuilder(given.substring(0, Math.min(given.length(), MAX_REASON)));
        for (int at = Utf8.loneSurrogate(kept.toString()); at >= 0; at = Utf8.loneSurrogate(kept.toString())) {
            kept.setCharAt(at, '\ufffd');
        }
        return kept.toString();
    }

    byte[] toBytes() {
        DagCborWriter out = begin(5).integer(generation).bool(isPresent);
        write(head, out);
        if (entry == null) {
            return out.nothing().toByteArray();
        }
        write(entry.time(), out.array(6)).text(entry.reason());
        write(entry.from(), out);
        write(entry.note().author(), out);
        return write(entry.note().message(), out).toByteArray();
    }

    /** @throws MalformedDataException if these are not the bytes of a record */
    static RefRecord read(byte[] bytes) {
        return read(bytes, 5, in -> {
            long generation = in.readLong();
            boolean isPresent = in.readBoolean();
            Head head = readHead(in);
            LogEntry entry = null;
            if (in.peek() == DagCborReader.Kind.NULL) {
                in.readNull();
            } else {
                enter(in, 6);
                // Rule REF3.
                Instant time = readTime(in);
                String reason = in.readText();
                Head from = readHead(in);
                entry = new LogEntry(generation, time, reason, from, head, new Note(readText(in), readText(in)));
            }
            return new RefRecord(generation, isPresent, head, entry);
        });
    }

    /** The record of the name of the current branch. Rule REF4. */
    static byte[] current(String name) {
        return begin(2).text(name).toByteArray();
    }

    static String readCurrent(byte[] bytes) {
        return read(bytes, 2, in -> {
            String name = in.readText();
            RefName.check("a branch", name);
            return name;
        });
    }

    static byte[] epoch(Epoch epoch) {
        return write(epoch.logsKeptSince(), begin(4).integer(epoch.number())).toByteArray();
    }

    static Epoch readEpoch(byte[] bytes) {
        return read(bytes, 4, in -> new Epoch(in.readLong(), readTime(in)));
    }

    /** The record of a remote-tracking ref. Rule REF6. */
    static byte[] tracking(Optional<Tracking> tracking) {
        DagCborWriter out = begin(2);
        if (tracking.isEmpty()) {
            return out.nothing().toByteArray();
        }
        Tracking there = tracking.get();
        write(there.head(), out.array(3).integer(there.generation()).bool(there.hasValues()));
        return out.toByteArray();
    }

    static Optional<Tracking> readTracking(byte[] bytes) {
        return read(bytes, 2, in -> {
            if (in.peek() == DagCborReader.Kind.NULL) {
                in.readNull();
                return Optional.empty();
            }
            enter(in, 3);
            return Optional.of(new Tracking(in.readLong(), in.readBoolean(), readHead(in)));
        });
    }

    /** The record of the notes of signed heads of a branch or a tag. Rule REF9. */
    static byte[] headNotes(List<HeadNote> notes) {
        return begin(2).bytes(HeadNote.join(notes)).toByteArray();
    }

    static List<HeadNote> readHeadNotes(byte[] bytes) {
        return read(bytes, 2, in -> {
            byte[] notes = in.readBytes();
            try {
                return HeadNote.parseAll(notes);
            } catch (InvalidNoteException e) {
                throw new MalformedDataException(0, e.reason());
            }
        });
    }

    /** The record of a page of erased blocks: blocks with all else in common are in one group. Rule ER11. */
    static byte[] erasures(List<Erasure> records) {
        List<List<Erasure>> groups = new ArrayList<>();
        for (Erasure each : records) {
            if (groups.isEmpty() || !isLike(each, groups.get(groups.size() - 1).get(0))) {
                groups.add(new ArrayList<>());
            }
            groups.get(groups.size() - 1).add(each);
        }
        DagCborWriter out = begin(2).array(groups.size());
        for (List<Erasure> group : groups) {
            Erasure first = group.get(0);
            out.array(6)
                    .text(text(first.state()))
                    .link(first.value())
                    .integer(first.time().toEpochMilli());
            write(first.note().author(), out);
            write(first.note().message(), out).array(group.size());
            group.forEach(each -> out.link(each.cid()));
        }
        return out.toByteArray();
    }

    /** Whether all but the block is equal. */
    static boolean isLike(Erasure one, Erasure other) {
        return one.state() == other.state()
                && one.value().equals(other.value())
                && one.time().equals(other.time())
                && one.note().equals(other.note());
    }

    static List<Erasure> readErasures(byte[] bytes) {
        return read(bytes, 2, in -> {
            List<Erasure> records = new ArrayList<>();
            for (int groups = in.readArray(); groups > 0; groups--) {
                enter(in, 6);
                Erasure.State state = state(in);
                Cid value = in.readLink();
                Instant time = Instant.ofEpochMilli(in.readLong());
                Note note = new Note(readText(in), readText(in));
                for (int blocks = in.readArray(); blocks > 0; blocks--) {
                    records.add(new Erasure(state, in.readLink(), value, time, note));
                }
            }
            return records;
        });
    }

    private static String text(Erasure.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static Erasure.State state(DagCborReader in) {
        String text = in.readText();
        for (Erasure.State each : Erasure.State.values()) {
            if (text.equals(text(each))) {
                return each;
            }
        }
        throw new MalformedDataException(in.position(), "an unknown state of an erased block (ER11)");
    }

    private static DagCborWriter begin(int items) {
        UUID update = UUID.randomUUID();
        ByteBuffer number = ByteBuffer.allocate(16);
        number.putLong(update.getMostSignificantBits()).putLong(update.getLeastSignificantBits());
        return new DagCborWriter().array(items).bytes(number.array());
    }

    /** The same record, which says its name and number by the number of its update. Rule REF7. */
    static byte[] bound(byte[] record, String name, long number) {
        byte[] bound = record.clone();
        bound[KIND] = (byte) ((bound[KIND] & 0x0f) | BOUND);
        System.arraycopy(seal(bound, name, number), 0, bound, SEAL, Long.BYTES);
        return bound;
    }

    /** @throws MalformedDataException if a record says another name or number */
    static void checkBound(byte[] record, String name, long number) {
        boolean isBound = record.length >= SEAL + Long.BYTES && (record[KIND] & 0xf0) == BOUND;
        if (isBound && !Arrays.equals(record, SEAL, SEAL + Long.BYTES, seal(record, name, number), 0, Long.BYTES)) {
            throw new MalformedDataException(UPDATE, "it is the record of another name or number (REF7)");
        }
    }

    private static byte[] seal(byte[] record, String name, long number) {
        ByteBuffer named = ByteBuffer.allocate(2 * Long.BYTES + Utf8.encode(name).length);
        named.put(record, UPDATE, Long.BYTES).putLong(number).put(Utf8.encode(name));
        return Block.of(Cid.RAW, named.array()).cid().digest();
    }

    private static <T> T read(byte[] bytes, int items, Function<DagCborReader, T> content) {
        if (bytes.length > RefRecords.MAX_SIZE) {
            throw new MalformedDataException(0, "a record has at most " + RefRecords.MAX_SIZE + " bytes (REF1)");
        }
        DagCborReader in = new DagCborReader(bytes);
        enter(in, items);
        if (in.readBytes().length != 16) {
            throw new MalformedDataException(in.position(), "the number of an update has 16 bytes (REF2)");
        }
        try {
            T read = content.apply(in);
            in.end();
            return read;
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw new MalformedDataException(in.position(), String.valueOf(e.getMessage()));
        }
    }

    private static void enter(DagCborReader in, int items) {
        int at = in.position();
        if (in.readArray() != items) {
            throw new MalformedDataException(at, "an array of " + items + " items is expected (REF2)");
        }
    }

    private static DagCborWriter write(Instant time, DagCborWriter out) {
        return out.integer(time.getEpochSecond()).integer(time.getNano());
    }

    private static Instant readTime(DagCborReader in) {
        long seconds = in.readLong();
        long nanoseconds = in.readLong();
        if (nanoseconds < 0 || nanoseconds > 999_999_999) {
            throw new MalformedDataException(in.position(), "nanoseconds are less than a second (REF3)");
        }
        return Instant.ofEpochSecond(seconds, nanoseconds);
    }

    private static void write(Head head, DagCborWriter out) {
        out.array(head.size());
        head.events().forEach(out::link);
    }

    private static Head readHead(DagCborReader in) {
        int at = in.position();
        int size = in.readArray();
        if (size > MAX_EVENTS) {
            throw new MalformedDataException(at, "a head has at most " + MAX_EVENTS + " events (REP4)");
        }
        List<Cid> events = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            events.add(in.readLink());
        }
        Head head = Head.of(events);
        if (!head.events().equals(events)) {
            throw new MalformedDataException(at, "the events of a head are in order, each once (REP4)");
        }
        return head;
    }

    private static DagCborWriter write(Optional<String> text, DagCborWriter out) {
        return text.map(out::text).orElseGet(out::nothing);
    }

    private static Optional<String> readText(DagCborReader in) {
        if (in.peek() == DagCborReader.Kind.NULL) {
            in.readNull();
            return Optional.empty();
        }
        return Optional.of(in.readText());
    }
}
