package dev.pail.segment.format;

import dev.pail.ipld.Block;
import java.io.IOException;

/**
 * The packed form of a delta: what the segment has shortly in front of its record is copied from there. Begins with the size of the delta
 * and its checksum, since another record may have changed. Rule SEG20.
 */
final class PackedDelta {
    /** How far in front of the record a copy may begin, in bytes. */
    static final int REACH = 1 << 16;

    /** As many bytes can be read in the time that one more call takes. */
    private static final int A_CALL = 2 * 1024;

    private PackedDelta() {}

    /** What the packed form of a delta begins with. */
    static Output begin(byte[] delta) {
        return new Output(delta.length)
                .varint(delta.length)
                .integer(Output.CHECKSUM, Output.checksum(0, delta, 0, delta.length));
    }

    /** The bytes that a segment has in front of a record. */
    interface Front {
        /**
         * Reads some of them.
         *
         * @param distance how far in front of the record the first one is
         */
        void read(int distance, byte[] target, int at, int length) throws IOException;

        /** Prepares for reading many of them. */
        void prepare(int distance) throws IOException;
    }

    /**
     * Makes the delta from its packed form.
     *
     * @param most how many bytes the segment has in front of the record, behind its beginning
     * @throws DamageException if it is no packed form, or what it copies has changed
     */
    static byte[] unpack(byte[] packed, long most, Front front) throws IOException {
        Input in = new Input(packed, 0, packed.length);
        int size = in.varint(Block.MAX_SIZE);
        int checksum = in.integer();
        int least = -(int) Math.min(REACH, most);
        Reach reach = new Reach();
        Delta.read(packed, in.position(), least, 0, size, reach);
        if (reach.isWorthAll()) {
            front.prepare(reach.farthest);
        }
        byte[] delta = new byte[size];
        Delta.read(packed, in.position(), least, 0, size, new Delta.Parts<IOException>() {
            @Override
            public void literal(byte[] from, int start, int at, int length) {
                System.arraycopy(from, start, delta, at, length);
            }

            @Override
            public void copy(int from, int at, int length) throws IOException {
                front.read(-from, delta, at, length);
            }
        });
        if (Output.checksum(0, delta, 0, size) != checksum) {
            throw new DamageException("a packed delta, and what it copies is not as it was");
        }
        return delta;
    }

    /** How far in front of a record its copies begin, and how many there are. */
    private static final class Reach implements Delta.Parts<DamageException> {
        private int farthest;
        private int copies;

        @Override
        public void literal(byte[] from, int start, int at, int length) {
            // It copies nothing.
        }

        @Override
        public void copy(int from, int at, int length) {
            farthest = Math.max(farthest, -from);
            copies++;
        }

        /** Whether to read all bytes in one call takes less time than each copy in its own. */
        boolean isWorthAll() {
            return farthest < copies * (long) A_CALL;
        }
    }
}
