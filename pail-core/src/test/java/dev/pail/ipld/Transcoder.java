package dev.pail.ipld;

/** Copies dag-cbor, item after item, from a reader to a writer. */
final class Transcoder {
    private Transcoder() {}

    /** What the writer makes of the items that the reader finds. */
    static byte[] transcode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        DagCborWriter writer = new DagCborWriter();
        long due = 1;
        while (due > 0) {
            due += copy(reader, writer) - 1;
        }
        reader.end();
        return writer.toByteArray();
    }

    /** Reads and checks everything, keeping nothing. */
    static void check(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        reader.skip();
        reader.end();
    }

    /** Copies one item, or the head of a container, and returns how many items that head promises. */
    private static long copy(DagCborReader reader, DagCborWriter writer) {
        switch (reader.peek()) {
            case ARRAY -> {
                int items = reader.readArray();
                writer.array(items);
                return items;
            }
            case MAP -> {
                int pairs = reader.readMap();
                writer.map(pairs);
                return 2L * pairs;
            }
            case INTEGER -> writer.integer(reader.readInteger());
            case BYTES -> writer.bytes(reader.readBytes());
            case TEXT -> writer.text(reader.readText());
            case LINK -> writer.link(reader.readLink());
            case BOOLEAN -> writer.bool(reader.readBoolean());
            case FLOAT -> writer.number(reader.readDouble());
            case NULL -> {
                reader.readNull();
                writer.nothing();
            }
        }
        return 0;
    }
}
