package dev.pail.dag;

import dev.pail.ipld.MalformedDataException;
import java.io.ByteArrayOutputStream;

/** Reads and writes the fields of protobuf messages that dag-pb and UnixFS need: numbers and byte strings. */
public final class Protobuf {
    private static final int NUMBER = 0;
    private static final int BYTES = 2;

    private static final int SEVEN_BITS = 0x7f;

    private Protobuf() {}

    /** Writes the fields of one message, in the order of the calls. */
    public static final class Writer {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        /** Adds a field with a number. */
        public Writer number(int field, long value) {
            varint(field << 3 | NUMBER);
            varint(value);
            return this;
        }

        /** Adds a field with bytes. */
        public Writer bytes(int field, byte[] value) {
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

        /** The message so far. */
        public byte[] toByteArray() {
            return out.toByteArray();
        }
    }

    /** Goes through the fields of one message. What is behind a field is looked at only when that is gone to. */
    public static final class Reader {
        private final byte[] bytes;
        private final int end;
        private int at;
        private int field;
        private int kind;
        private int from;
        private long value;

        public Reader(Span message) {
            this.bytes = message.array();
            this.at = message.from();
            this.end = message.to();
        }

        /**
         * Goes to the next field, and says whether there is one.
         *
         * @throws MalformedDataException if what is there is no field; so do the other methods, if the field is not what they give
         */
        public boolean next() {
            if (at == end) {
                return false;
            }
            long key = varint();
            field = (int) Math.min(key >>> 3, Integer.MAX_VALUE);
            kind = (int) (key & 7);
            switch (kind) {
                case NUMBER -> value = varint();
                case BYTES -> skip(varint());
                case 1 -> skip(Long.BYTES);
                case 5 -> skip(Integer.BYTES);
                default -> throw new MalformedDataException(at, "a field of protobuf has kind 0, 1, 2 or 5");
            }
            return true;
        }

        private void skip(long length) {
            if (length < 0 || length > end - at) {
                throw new MalformedDataException(at, "a field ends within what it is in");
            }
            from = at;
            at += (int) length;
        }

        /** The number of the field. */
        public int field() {
            return field;
        }

        /** Whether the field has bytes. */
        public boolean isBytes() {
            return kind == BYTES;
        }

        /** The bytes in the field. */
        public Span bytes() {
            require(BYTES);
            return new Span(bytes, from, at);
        }

        /** The number in the field, which is not negative. */
        public long number() {
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
