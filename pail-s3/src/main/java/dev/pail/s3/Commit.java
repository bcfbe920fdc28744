package dev.pail.s3;

import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One change of a repository: an object of the log. Rule OS2.
 *
 * @param id of the attempt, by which its writer knows it again
 * @param at when it was made, by the clock of its writer
 * @param records new records of refs
 * @param added packs that are live from now on
 * @param condemned packs that go to the trash
 * @param merged live packs whose blocks are in an added one
 * @param deleted packs in the trash whose objects may be deleted
 * @param forgotten packs that no commit has named, whose objects may be deleted
 */
record Commit(
        String id,
        Instant at,
        List<Written> records,
        List<Pack> added,
        Set<String> condemned,
        Set<String> merged,
        Set<String> deleted,
        Set<String> forgotten) {
    private static final int VERSION = 1;
    private static final int FIELDS = 9;

    /**
     * A record of a ref.
     *
     * @param number of the record among those of its name
     * @param previous the commit with the record before it; 0, if this is the first commit with records of this name
     */
    @SuppressWarnings("ArrayRecordComponent") // Neither side changes the content of a record, as RefRecords says.
    record Written(String name, long number, long previous, byte[] content) {
        private static final int FIELDS = 4;

        void write(DagCborWriter out) {
            out.array(FIELDS).text(name).integer(number).integer(previous).bytes(content);
        }

        static Written read(DagCborReader in) {
            Frame.expect(in, FIELDS);
            return new Written(in.readText(), in.readLong(), in.readLong(), in.readBytes());
        }
    }

    private static final Pattern NUMBERED = Pattern.compile("([0-9]{20})-(r?)[0-9a-f]{32}");
    private static final int ATTEMPT_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A random text for the ids of an attempt, which may get one number after the other. */
    static String newAttempt() {
        byte[] random = new byte[ATTEMPT_BYTES];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** The id of an attempt that is to have a number. (OS12). */
    static String id(long number, String attempt) {
        return Keys.digits(number) + "-" + attempt;
    }

    /** The id of a commit that begins anew. (OS13). */
    static String recoveryId(long number, String attempt) {
        return Keys.digits(number) + "-r" + attempt;
    }

    /** The number that it says to have; empty, if a writer of version 0.2.0 has made it. */
    OptionalLong number() {
        Matcher matcher = NUMBERED.matcher(id);
        return matcher.matches() ? OptionalLong.of(Keys.number("", matcher.group(1))) : OptionalLong.empty();
    }

    /** Whether it begins anew, so that no commit before it counts. */
    boolean isRecovery() {
        Matcher matcher = NUMBERED.matcher(id);
        return matcher.matches() && !matcher.group(2).isEmpty();
    }

    byte[] encode() {
        DagCborWriter out = new DagCborWriter();
        out.array(FIELDS).integer(VERSION).text(id).integer(at.toEpochMilli());
        list(out, records, (each, to) -> each.write(to));
        list(out, added, (each, to) -> each.write(to));
        for (Set<String> names : List.of(condemned, merged, deleted, forgotten)) {
            list(out, List.copyOf(new TreeSet<>(names)), (each, to) -> to.text(each));
        }
        return Frame.of(out);
    }

    static <T> void list(DagCborWriter out, List<T> all, BiConsumer<T, DagCborWriter> writing) {
        out.array(all.size());
        all.forEach(each -> writing.accept(each, out));
    }

    /** Decodes the commit with a number, and refuses that of another. (OS12). */
    static Commit decode(byte[] frame, long number, String where) {
        Commit commit = decode(frame, where);
        if (commit.number().orElse(number) != number) {
            throw Frame.damaged(
                    "a damaged object: " + where + ": it is commit "
                            + commit.number().getAsLong(),
                    null);
        }
        return commit;
    }

    static Commit decode(byte[] frame, String where) {
        return Frame.read(frame, where, in -> {
            Frame.expect(in, FIELDS);
            checkVersion(in);
            return new Commit(
                    in.readText(),
                    Instant.ofEpochMilli(in.readLong()),
                    list(in, Written::read),
                    list(in, Pack::read),
                    names(in),
                    names(in),
                    names(in),
                    names(in));
        });
    }

    static void checkVersion(DagCborReader in) {
        long version = in.readLong();
        if (version != VERSION) {
            throw new MalformedDataException(
                    in.position(), "it is of version " + version + ", which a newer program has written");
        }
    }

    static int version() {
        return VERSION;
    }

    static <T> List<T> list(DagCborReader in, Function<DagCborReader, T> reading) {
        List<T> all = new ArrayList<>();
        for (int left = in.readArray(); left > 0; left--) {
            all.add(reading.apply(in));
        }
        return all;
    }

    private static Set<String> names(DagCborReader in) {
        return new TreeSet<>(list(in, Pack::name));
    }

    /** About what this takes in memory, in bytes. */
    int weight() {
        int names = added.size() + condemned.size() + merged.size() + deleted.size() + forgotten.size();
        return 300
                + 300 * names
                + records.stream().mapToInt(each -> 200 + each.content.length).sum();
    }

    /** Whether blocks are no longer there that a writer may have found before. */
    boolean takesAway() {
        return !deleted.isEmpty();
    }
}
