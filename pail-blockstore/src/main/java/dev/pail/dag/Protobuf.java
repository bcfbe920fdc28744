package dev.pail.dag;

import dev.pail.ipld.MalformedDataException;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes the fields of protobuf messages that dag-pb and UnixFS need: numbers and byte strings. */
public final class Protobuf {
    private static final int NUMBER = 0;
    private static final int EIGHT_BYTES = 1;
    private static final int BYTES = 2;
    private static final int FOUR_BYTES = 5;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int SEVEN_BITS = 0x7f;

    /** By how much the tenth byte of a number is shifted; one bit of it is left. */
    private static final int LAST_SHIFT = 63;

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

        /** Adds a field with a number of four bytes. */
        public Writer fixed(int field, int value) {
            varint(field << 3 | FOUR_BYTES);
            byte[] four = new byte[Integer.BYTES];
            INTS.set(four, 0, value);
            out.writeBytes(four);
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
        private final boolean isStrict;
        private int at;
        private int field;
        private int kind;
        private int from;
        private long value;

        public Reader(ByteSpan message) {
            this(message, false);
        }

        private Reader(ByteSpan message, boolean isStrict) {
            this.bytes = message.array();
            this.at = message.from();
            this.end = message.to();
            this.isStrict = isStrict;
        }

        /** A reader that refuses numbers with more bytes than they need, so that a message has one form. */
        public static Reader strict(ByteSpan message) {
            return new Reader(message, true);
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
                case EIGHT_BYTES -> skip(Long.BYTES);
                case FOUR_BYTES -> skip(Integer.BYTES);
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
        public ByteSpan bytes() {
            require(BYTES);
            return new ByteSpan(bytes, from, at);
        }

        /** The number in the field, which is not negative. */
        public long number() {
            require(NUMBER);
            if (value < 0) {
                throw new MalformedDataException(at, "a number has at most 63 bits");
            }
            return value;
        }

        /** The number in the field, which may be negative. */
        public long signedNumber() {
            require(NUMBER);
            return value;
        }

        /** The number in a field of four bytes, without a sign. */
        public long fixedNumber() {
            require(FOUR_BYTES);
            return (int) INTS.get(bytes, from) & 0xffff_ffffL;
        }

        /** Where the field ends, as an index into the array of the message. */
        public int position() {
            return at;
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
                    if (isStrict && shift > 0 && (next == 0 || (shift == LAST_SHIFT && next > 1))) {
                        throw new MalformedDataException(at - 1, "a number has no more bytes than it needs");
                    }
                    return read;
                }
            }
            throw new MalformedDataException(at, "a number has at most 64 bits");
        }
    }
}
