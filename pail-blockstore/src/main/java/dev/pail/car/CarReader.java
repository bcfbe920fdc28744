package dev.pail.car;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a CAR of version 1 or 2, from its start to its end, once. It holds one section in memory at a time. It does not read
 * the index of version 2, nor anything else behind the data.
 *
 * <p>All methods throw {@link MalformedDataException} if the file breaks a rule of the format, and {@link StoreIOException} if reading
 * failed; after either, the reader cannot be used any more. For one thread at a time.
 *
 * <pre>{@code
 * try (CarReader reader = CarReader.open(file)) {
 *     reader.forEach(section -> System.out.println(section.offset() + " " + section.cid())); // one at a time
 * }
 * }</pre>
 */
public final class CarReader implements AutoCloseable {
    /** The maximum size of a section, in bytes: a block and a CID. */
    public static final int MAX_SECTION = Block.MAX_SIZE + Cid.MAX_BYTES;

    /** The size of the header of version 2, which is behind the pragma. */
    private static final int V2_HEADER = 40;

    private static final int V2_CHARACTERISTICS = 16;

    private final CarInput in;
    private final CarHeader header;

    /** Whether the header of version 2 names an index. */
    private boolean isIndexed;

    private boolean ended;

    /** The bytes of the last section; null if there was none, or if the next one was too large to be read again. */
    private byte @Nullable [] last;

    /** Where the section begins that was read last, or could not be. */
    private long begun;

    /** Why nothing more can be read. */
    private @Nullable PailException failed;

    private CarReader(CarInput in) {
        this.in = in;
        this.header = readFirst();
    }

    /** Reads the header. If the bytes are in another format that is known, the failure says in which. */
    private CarHeader readFirst() {
        try {
            return readHeader();
        } catch (MalformedDataException e) {
            byte[] begin = in.again(CarInput.BUFFER);
            String other = OtherFormat.of(Arrays.copyOf(begin, Math.min(begin.length, OtherFormat.BYTES)));
            String reason = other == null ? TextDamage.ofHeader(begin) : other;
            throw reason == null ? e : in.malformed(0, reason, e);
        }
    }

    /**
     * Opens a reader of a stream, which is closed with this reader. Reads the header at once.
     *
     * @param source the file or address, for messages; may be empty
     */
    public static CarReader of(InputStream in, String source) {
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(source, "source");
        return new CarReader(new CarInput(in, source));
    }

    /** Opens a reader of a file. Reads the header at once. */
    public static CarReader open(Path file) {
        return open(Disk.system(), file);
    }

    /** Opens a reader of a file of a disk. */
    public static CarReader open(Disk disk, Path file) {
        try {
            Disk.ReadableFile opened = disk.open(file);
            CarInput in = new CarInput(new FileInput(opened), file.toString());
            try {
                return new CarReader(in);
            } catch (RuntimeException | Error e) {
                opened.close();
                throw e;
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot open a CAR", file.toString(), e);
        }
    }

    /** Returns the header of the file. */
    public CarHeader header() {
        return header;
    }

    /** Returns the file or address, for messages. */
    public String source() {
        return in.source();
    }

    private CarHeader readHeader() {
        CarHeader first = readCbor();
        if (first.version() == 1) {
            return first;
        }
        readV2Header();
        long at = in.position();
        CarHeader inner = readCbor();
        if (inner.version() != 1) {
            throw in.malformed(at, "the data of version 2 are a CAR of version 1 (CAR8)");
        }
        return new CarHeader(CarHeader.PRAGMA, inner.roots());
    }

    private CarHeader readCbor() {
        long at = in.position();
        long length = in.readVarint("the length of the header");
        if (length == 0 || length > CarHeader.MAX_SIZE) {
            throw in.malformed(at, "a header has 1 to " + CarHeader.MAX_SIZE + " bytes (CAR3)");
        }
        long start = in.position();
        byte[] bytes = in.read((int) length, "the header");
        try {
            return CarHeader.decode(bytes);
        } catch (MalformedDataException e) {
            throw in.malformed(start + e.offset(), e.rule(), e);
        }
    }

    /** Reads the header that is behind the pragma. Rule CAR8. */
    private void readV2Header() {
        long at = in.position();
        ByteBuffer fields = ByteBuffer.wrap(in.read(V2_HEADER, "the header of version 2"))
                .order(ByteOrder.LITTLE_ENDIAN)
                .position(V2_CHARACTERISTICS);
        long data = fields.getLong();
        long size = fields.getLong();
        isIndexed = fields.getLong() != 0;
        if (data == 0 && size == 0) {
            throw in.malformed(
                    at + V2_CHARACTERISTICS,
                    "the header says nothing of the data, because the program that wrote the file never finished it (CAR9)");
        }
        if (data < in.position()) {
            throw in.malformed(at + V2_CHARACTERISTICS, "the data begin behind the header (CAR9)");
        }
        if (size <= 0 || size > Long.MAX_VALUE - 1 - data) {
            throw in.malformed(
                    at + V2_CHARACTERISTICS + Long.BYTES, "the data have a size that a file can have (CAR9)");
        }
        // Rule CAR9.
        in.skipTo(data, "the padding before the data");
        in.limit(data + size);
    }

    /** Returns the number of bytes that were read. During an import, another thread reads, and this may be a little behind. */
    public long position() {
        return in.position();
    }

    /**
     * Reads the next section. Empty only at a verified end. Passes over sections that say what a reader must understand (CAR14), if this
     * one does.
     *
     * @throws MalformedDataException if the file is malformed or truncated; each later call throws it again
     * @throws StoreIOException if reading failed; each later call throws it again
     */
    public Optional<CarSection> next() {
        PailException before = failed;
        if (before != null) {
            throw before;
        }
        try {
            Optional<CarSection> next = read();
            // It is checked, and of no use to a caller.
            while (next.isPresent() && CarNeeds.is(next.get().cid())) {
                next = read();
            }
            return next;
        } catch (MalformedDataException e) {
            MalformedDataException named = named(e);
            failed = named;
            throw named;
        } catch (StoreIOException e) {
            failed = e;
            throw e;
        }
    }

    /** A failure with what happened to the file, if the bytes prove it. */
    private MalformedDataException named(MalformedDataException e) {
        byte[] rest = in.again(CarInput.BUFFER);
        String reason = rest.length == 0 ? null : TextDamage.ofSections(last, rest, rest.length < CarInput.BUFFER);
        return reason == null ? e : in.malformed(begun, reason, e);
    }

    /** Reads a section. Rule CAR4. */
    private Optional<CarSection> read() {
        if (ended) {
            return Optional.empty();
        }
        if (in.isAtEnd()) {
            end();
            return Optional.empty();
        }
        long offset = in.position();
        begun = offset;
        long length = in.readVarint("the length of a section");
        if (length == 0) {
            throw in.malformed(offset, "a section is not empty (CAR4)");
        }
        if (length > MAX_SECTION) {
            throw in.malformed(offset, "a section has at most " + MAX_SECTION + " bytes (CAR4)");
        }
        long start = in.position();
        if (length > CarInput.BUFFER) {
            // Two sections in memory would be one too many.
            last = null;
        }
        byte[] bytes = in.read((int) length, "a section");
        CarSection section = section(offset, start, bytes);
        last = bytes;
        return Optional.of(section);
    }

    /** Passes all remaining sections to an action. */
    public void forEach(Consumer<CarSection> action) {
        for (Optional<CarSection> next = next(); next.isPresent(); next = next()) {
            action.accept(next.get());
        }
    }

    private CarSection section(long offset, long start, byte[] bytes) {
        int length;
        Cid cid;
        try {
            length = Cid.lengthAt(bytes, 0, bytes.length);
            cid = Cid.fromBytes(bytes, 0, length);
        } catch (MalformedDataException e) {
            if (isHeader(bytes)) {
                throw joined(offset);
            }
            throw in.malformed(start + e.offset(), e.rule(), e);
        }
        String need = CarNeeds.unknown(cid);
        if (need != null) {
            throw in.malformed(
                    offset,
                    "the CAR needs readers that understand " + Escapes.brief(need)
                            + ", which this version does not know: use a newer version (CAR14)");
        }
        if (bytes.length - length > Block.MAX_SIZE) {
            throw in.malformed(start + length, "a block has at most " + Block.MAX_SIZE + " bytes (CAR4)");
        }
        return new CarSection(in.source(), offset, cid, bytes, length);
    }

    /** Refuses a file of version 2 with another CAR behind its data. Nothing else behind the data is of interest. */
    private void end() {
        ended = true;
        if (header.version() == 1 || isIndexed) {
            return;
        }
        in.limit(Long.MAX_VALUE);
        long offset = in.position();
        try {
            readCbor();
        } catch (MalformedDataException e) {
            return;
        }
        throw joined(offset);
    }

    private MalformedDataException joined(long offset) {
        return in.malformed(offset, "another CAR begins here: files were joined that are to be read one by one (CAR4)");
    }

    private static boolean isHeader(byte[] bytes) {
        try {
            CarHeader.decode(bytes);
            return true;
        } catch (MalformedDataException e) {
            return false;
        }
    }

    @Override
    public void close() {
        in.close();
    }
}
