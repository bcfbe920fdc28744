package dev.pail.car;

import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The header of a CAR.
 *
 * <pre>{@code
 * try (CarReader reader = CarReader.open(file)) {
 *     CarHeader header = reader.header();
 *     System.out.println("version " + header.version() + ", roots " + header.roots());
 * }
 * }</pre>
 *
 * @param version 1 or 2
 * @param roots the CIDs of its roots: a set, in the order of the file. Their blocks may be elsewhere
 */
public record CarHeader(int version, List<Cid> roots) {
    /** The maximum number of roots. Rule CAR3. */
    public static final int MAX_ROOTS = 1000;

    /** The maximum size of a header, in bytes: 1 MiB. */
    public static final int MAX_SIZE = 1 << 20;

    /** The version of the pragma of version 2, which is a header without roots. */
    static final int PRAGMA = 2;

    public CarHeader {
        roots = roots.stream().distinct().toList();
    }

    /**
     * Reads a header of version 1, or the pragma of version 2. The fields may be in any order: js-car and go-car read both.
     * Rule CAR2.
     *
     * @throws MalformedDataException if it is neither
     */
    static CarHeader decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        List<Cid> roots = new ArrayList<>();
        Set<String> fields = new HashSet<>();
        long version = 0;
        for (int pairs = reader.readMap(); pairs > 0; pairs--) {
            // Each item has a reader of its own, as one reader of the map would insist on the order of its keys.
            int at = reader.position();
            reader = from(at, bytes);
            String field = reader.readText();
            reader = from(reader.position(), bytes);
            if (field.equals("roots")) {
                readRoots(reader, roots);
            } else if (field.equals("version")) {
                version = reader.readLong();
            } else {
                throw new MalformedDataException(
                        at,
                        "a header has roots and a version, and this has another field, " + Escapes.brief(field)
                                + " (CAR2)");
            }
            if (!fields.add(field)) {
                throw new MalformedDataException(at, "a map has each key once (C5)");
            }
        }
        reader.end();
        boolean rooted = fields.contains("roots");
        // Rule CAR1.
        if (version != 1 && version != PRAGMA) {
            throw new MalformedDataException(0, "the version is 1 or 2 (CAR1)");
        }
        if (rooted != (version == 1)) {
            throw new MalformedDataException(
                    0, "a header of version 1 has roots, the pragma of version 2 has none (CAR2)");
        }
        return new CarHeader((int) version, roots);
    }

    private static DagCborReader from(int at, byte[] bytes) {
        return new DagCborReader(bytes, at, bytes.length);
    }

    private static void readRoots(DagCborReader reader, List<Cid> roots) {
        int at = reader.position();
        int count = reader.readArray();
        if (count > MAX_ROOTS) {
            throw new MalformedDataException(at, "there are at most " + MAX_ROOTS + " roots (CAR3)");
        }
        for (int i = 0; i < count; i++) {
            roots.add(reader.readLink());
        }
    }

    /** The header of version 1 with these roots. */
    byte[] encode() {
        DagCborWriter writer = new DagCborWriter().map(2).text("roots").array(roots.size());
        roots.forEach(writer::link);
        return writer.text("version").integer(1).toByteArray();
    }
}
