package dev.pail.unixfs;

import dev.pail.ipld.MalformedDataException;
import java.io.ByteArrayOutputStream;

/** Reads and writes the fields of protobuf messages that dag-pb and UnixFS need: numbers and byte strings. */
final class Protobuf {
    static final int NUMBER = 0;
    static final int BYTES = 2;

    private static final int SEVEN_BITS = 0x7f;

    private Protobuf() {}

    /** Writes the fields of one message, in the order of the calls. */
    static final class Writer {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Writer number(int field, long value) {
            varint(field << 3 | NUMBER);
            varint(value);
            return this;
        }

        Writer bytes(int field, byte[] value) {
            varint(field << 3 | BYTES);
            varint(value.length);
            out.writeBytes(value);
            return this;
        }

        private void varint(long value) {
            long rest = value;
            for (; (rest & ~SEVEN_BITS) != 0; rest >>>= 7) {
                out.write((int) (rest & SEVEN_BITS) | 0x80);
            }
            out.write((int) rest);
        }

        byte[] toByteArray() {
            return out.toByteArray();
        }
    }

    /** Goes through the fields of one message: a range of bytes. */
    static final class Reader {
        private final byte[] bytes;
        private final int end;
        private int at;
        private int field;
        private int kind;
        private int from;
        private int to;
        private long value;

        Reader(byte[] bytes, int from, int end) {
            this.bytes = bytes;
            this.at = from;
            this.end = end;
        }

        /** Goes to the next field, and says whether there is one. */
        boolean next() {
            if (at == end) {
                return false;
            }
            long key = varint();
            field = (int) Math.min(key >>> 3, Integer.MAX_VALUE);
            kind = (int) (key & 7);
            switch (kind) {
                case NUMBER -> value = varint();
                case BYTES -> span(varint());
                case 1 -> span(Long.BYTES);
                case 5 -> span(Integer.BYTES);
                default -> throw new MalformedDataException(at, "a field of protobuf has kind 0, 1, 2 or 5");
            }
            return true;
        }

        private void span(long length) {
            if (length < 0 || length > end - at) {
                throw new MalformedDataException(at, "a field ends within what it is in");
            }
            from = at;
            at += (int) length;
            to = at;
        }

        int field() {
            return field;
        }

        /** Where the bytes of the field start. */
        int from() {
            require(BYTES);
            return from;
        }

        /** Where the bytes of the field end. */
        int to() {
            require(BYTES);
            return to;
        }

        /** The number in the field, which is not negative. */
        long number() {
            require(NUMBER);
            if (value < 0) {
                throw new MalformedDataException(at, "a number has at most 63 bits");
            }
            return value;
        }

        private void require(int wanted) {
            if (kind != wanted) {
                throw new MalformedDataException(at, "field " + field + " has kind " + wanted);
            }
        }

        private long varint() {
            long read = 0;
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                if (at == end) {
                    throw new MalformedDataException(at, "a number ends within what it is in");
                }
                byte next = bytes[at++];
                read |= (long) (next & SEVEN_BITS) << shift;
                if (next >= 0) {
                    return read;
                }
            }
            throw new MalformedDataException(at, "a number has at most 64 bits");
        }
    }
}
