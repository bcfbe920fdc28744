package dev.pail.content;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import dev.pail.table.TableException;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.FolderLink;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.WalkLimits;
import dev.pail.values.ValueBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the bytes of a value are. Immutable. */
public sealed interface Content {
    /** The largest value whose text or fields are read, in bytes. Of a larger one, only the size counts. */
    int MOST_BYTES = 1 << 20;

    /** The most entries of a folder that are read. */
    int MOST_NAMES = 10_000;

    /** There is no value. */
    record Nothing() implements Content {}

    /**
     * A block of the value is not here.
     *
     * @param value the CID of the value
     */
    record Absent(Cid value) implements Content {}

    /**
     * A text.
     *
     * @param lines its lines, each with its newline; the last one may have none
     */
    record Text(List<String> lines) implements Content {
        public Text {
            lines = List.copyOf(lines);
        }

        /** Splits a text. */
        public static Text of(String text) {
            List<String> lines = new ArrayList<>();
            int from = 0;
            for (int to = text.indexOf('\n') + 1; to > 0; to = text.indexOf('\n', from) + 1) {
                lines.add(text.substring(from, to));
                from = to;
            }
            if (from < text.length()) {
                lines.add(text.substring(from));
            }
            return new Text(lines);
        }

        /** The text that these bytes are, if they are one. As git decides: a zero byte is in no text. */
        public static Optional<String> decoded(byte[] bytes) {
            for (byte each : bytes) {
                if (each == 0) {
                    return Optional.empty();
                }
            }
            return Utf8.firstMalformed(bytes, 0, bytes.length) < 0
                    ? Optional.of(Utf8.decode(bytes, 0, bytes.length))
                    : Optional.empty();
        }
    }

    /**
     * An object of JSON or a map of dag-cbor.
     *
     * @param values the paths to its fields, as tables write them, with their values as JSON
     * @param text the text; empty for dag-cbor
     */
    record Fields(Map<String, String> values, Optional<Text> text) implements Content {}

    /**
     * A folder of UnixFS.
     *
     * @param entries the names with their values
     */
    record Folder(Map<String, Cid> entries) implements Content {}

    /**
     * Other bytes, or more than are read.
     *
     * @param value the CID of the value
     * @param size in bytes; -1 for a folder with more than 10,000 names, or what this reads no bytes of
     */
    record Bytes(Cid value, long size) implements Content {}

    /** Reads a value as JSON, dag-cbor, text, a folder or bytes. Reads at most 1 MiB and 10,000 names. */
    static Content read(BlockStore blocks, Optional<Cid> value) {
        if (value.isEmpty()) {
            return new Nothing();
        }
        Cid cid = value.get();
        if (ValueBytes.inlined(cid).isEmpty() && !Block.isVerifiable(cid)) {
            return new Bytes(cid, -1);
        }
        try {
            return ValueBytes.isFolder(blocks, cid) ? folder(blocks, cid) : file(blocks, cid);
        } catch (MissingBlockException e) {
            return new Absent(cid);
        }
    }

    /**
     * Returns the text of a value: of a raw block, or of a document of dag-cbor as JSON. Empty for other values, and for one whose block is
     * not here.
     */
    static Optional<String> text(BlockStore blocks, Cid value) {
        if (value.codec() != Cid.RAW && value.codec() != Cid.DAG_CBOR) {
            return Optional.empty();
        }
        try {
            return ValueBytes.inlined(value)
                    .or(() -> blocks.getChecked(value).map(Block::bytes))
                    .flatMap(bytes -> text(value, bytes));
        } catch (BlockException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the text of a value whose block was read.
     *
     * @param bytes those of the block
     */
    static Optional<String> text(Cid value, byte[] bytes) {
        if (value.codec() != Cid.DAG_CBOR) {
            return value.codec() == Cid.RAW ? Text.decoded(bytes) : Optional.empty();
        }
        try {
            return Optional.of(Document.of(Block.of(Cid.DAG_CBOR, bytes)).json());
        } catch (TableException e) {
            return Optional.empty();
        }
    }

    private static Content folder(BlockStore blocks, Cid folder) {
        Map<String, Cid> entries = new LinkedHashMap<>();
        Iterator<FolderLink> each = UnixFs.links(blocks, folder, Optional.empty(), WalkLimits.DEFAULT);
        while (each.hasNext()) {
            if (entries.size() == MOST_NAMES) {
                return new Bytes(folder, -1);
            }
            FolderLink entry = each.next();
            entries.put(entry.name(), entry.cid());
        }
        return new Folder(entries);
    }

    private static Content file(BlockStore blocks, Cid cid) {
        try (ValueBytes value = ValueBytes.open(blocks, cid).orElseThrow(() -> new MissingBlockException(cid))) {
            if (value.size() > MOST_BYTES) {
                return new Bytes(cid, value.size());
            }
            try (InputStream in = value.all()) {
                return file(cid, in.readNBytes(MOST_BYTES));
            }
        } catch (DamagedFileException | ValueBytes.NoFileException e) {
            return new Bytes(cid, -1);
        } catch (IOException e) {
            throw new IllegalStateException("blocks can be read", e);
        }
    }

    private static Content file(Cid cid, byte[] bytes) {
        if (cid.codec() == Cid.DAG_CBOR) {
            try {
                return new Fields(Document.of(Block.of(Cid.DAG_CBOR, bytes)).flatJson(), Optional.empty());
            } catch (TableException e) {
                return new Bytes(cid, bytes.length);
            }
        }
        Optional<String> decoded = Text.decoded(bytes);
        if (decoded.isEmpty()) {
            return new Bytes(cid, bytes.length);
        }
        Text text = Text.of(decoded.get());
        if (!decoded.get().stripLeading().startsWith("{")) {
            return text;
        }
        try {
            return new Fields(Document.parse(decoded.get()).flatJson(), Optional.of(text));
        } catch (DocumentException e) {
            return text;
        }
    }
}
