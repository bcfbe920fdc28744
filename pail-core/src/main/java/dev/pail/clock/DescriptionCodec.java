package dev.pail.clock;

import dev.pail.bytes.Utf8;
import dev.pail.clock.Description.Part;
import dev.pail.clock.Description.Tree;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and writes the description in the data of an event. The fields of a map come in the order of their lengths, then of their bytes. */
final class DescriptionCodec {
    /** The most bytes of a description. Rule DE2. */
    static final int MAX_SIZE = 65_536;

    /** The most bytes of a description without its texts. */
    private static final int FRAME = 136;

    private final byte[] bytes;
    private final DagCborReader reader;

    /** Whether texts are decoded, or only checked. */
    private final boolean keeps;

    private int part;
    private int parts;
    private long time = -1;
    private @Nullable Tree tree;
    private @Nullable String author;
    private @Nullable String message;

    private DescriptionCodec(byte[] bytes, DagCborReader reader, boolean keeps) {
        this.bytes = bytes;
        this.reader = reader;
        this.keeps = keeps;
    }

    /** The size that a description does not exceed in an event, in bytes. */
    static int size(Description description) {
        return FRAME + size(description.author()) + size(description.message());
    }

    private static int size(Optional<String> text) {
        return text.map(each -> Utf8.encode(each).length).orElse(0);
    }

    /** Writes the field of a description that has any. Rule DE1. */
    static void write(DagCborWriter writer, Description description) {
        writer.text("meta").map(fields(description));
        description.part().ifPresent(part -> {
            writer.text("part").integer(part.number());
        });
        description.time().ifPresent(at -> writer.text("time").integer(at.toEpochMilli()));
        description
                .tree()
                .ifPresent(tree ->
                        writer.text("tree").array(2).integer(tree.size()).bytes(tree.root()));
        description.part().filter(Part::isLast).ifPresent(part -> {
            writer.text("parts").integer(part.number());
        });
        description.author().ifPresent(text -> writer.text("author").text(text));
        description.message().ifPresent(text -> writer.text("message").text(text));
    }

    /** The number of fields of a description. One without any is not written. */
    static int fields(Description description) {
        Optional<Part> part = description.part();
        return (int) Stream.of(
                        part,
                        part.filter(Part::isLast),
                        description.time(),
                        description.tree(),
                        description.author(),
                        description.message())
                .filter(Optional::isPresent)
                .count();
    }

    /**
     * Checks the map of a description.
     *
     * @throws MalformedDataException if a rule is broken
     */
    static void check(byte[] bytes, DagCborReader reader) {
        new DescriptionCodec(bytes, reader, false).fields();
    }

    /** Reads the map of a description, which {@link #check} has passed. */
    static Description read(byte[] bytes, int from) {
        DescriptionCodec codec = new DescriptionCodec(bytes, new DagCborReader(bytes, from, bytes.length), true);
        codec.fields();
        Optional<Part> part =
                codec.part == 0 ? Optional.empty() : Optional.of(new Part(codec.part, codec.parts == codec.part));
        return new Description(
                Optional.ofNullable(codec.author),
                Optional.ofNullable(codec.message),
                codec.time < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(codec.time)),
                part,
                Optional.ofNullable(codec.tree));
    }

    /** Rule DE3. */
    private void fields() {
        int from = reader.position();
        int count = reader.readMap();
        if (count == 0) {
            throw new MalformedDataException(from, "meta has a field (DE1)");
        }
        for (; count > 0; count--) {
            field();
            if (reader.position() - from > MAX_SIZE) {
                throw new MalformedDataException(from, "meta has " + MAX_SIZE + " bytes at most (DE2)");
            }
        }
        if (parts != 0 && (parts != part || parts < 2)) {
            throw new MalformedDataException(from, "parts is the number of the last part, 2 or more (DE6)");
        }
    }

    private void field() {
        String name = reader.readText();
        int at = reader.position();
        switch (name) {
            case "part" -> part = (int) integer(1, Integer.MAX_VALUE, "a part has a number from 1 to 2^31 - 1 (DE6)");
            case "parts" -> parts = (int) integer(1, Integer.MAX_VALUE, "parts is from 2 to 2^31 - 1 (DE6)");
            case "time" -> time = integer(0, Description.MAX_TIME, "a time is from 0 to 2^53 - 1 (DE5)");
            case "author" -> author = text(Description.MAX_AUTHOR, "an author");
            case "message" -> message = text(Description.MAX_MESSAGE, "a message");
            case "tree" -> tree(at);
            case "horizon" -> {
                if (reader.peek() != DagCborReader.Kind.BOOLEAN || !reader.readBoolean()) {
                    throw new MalformedDataException(at, "horizon is true (DE10)");
                }
            }
            case "replaces" -> replaces(at);
            default -> reader.skip();
        }
    }

    private long integer(long least, long most, String rule) {
        int at = reader.position();
        long value = reader.readLong();
        if (value < least || value > most) {
            throw new MalformedDataException(at, rule);
        }
        return value;
    }

    private String text(int most, String what) {
        int at = reader.position();
        int from = reader.readTextSpan();
        int length = reader.position() - from;
        if (length < 1 || length > most) {
            throw new MalformedDataException(at, what + " has 1 to " + most + " bytes (DE4)");
        }
        return keeps ? Utf8.decode(bytes, from, reader.position()) : "";
    }

    /** Rule DE10. */
    private void tree(int at) {
        if (reader.readArray() != 2) {
            throw notATree(at);
        }
        long size = integer(0, Description.MAX_TIME, "the size of a tree is from 0 to 2^53 - 1 (DE10)");
        byte[] root = reader.readBytes();
        if (root.length != HistoryTree.HASH) {
            throw notATree(at);
        }
        tree = keeps ? new Tree(size, root) : null;
    }

    private static MalformedDataException notATree(int at) {
        return new MalformedDataException(at, "a tree has a size and a root of " + HistoryTree.HASH + " bytes (DE10)");
    }

    private void replaces(int at) {
        int count = reader.readArray();
        if (count < 1 || count > Event.MAX_PARENTS) {
            throw new MalformedDataException(at, "an event replaces 1 to " + Event.MAX_PARENTS + " events (DE10)");
        }
        for (; count > 0; count--) {
            int link = reader.position();
            if (!reader.readLink().isShardLink()) {
                throw new MalformedDataException(link, "an event is dag-cbor, named by SHA2-256 (M1)");
            }
        }
    }
}
