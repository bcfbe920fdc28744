package dev.pail.content.merge;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.content.Content;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import dev.pail.table.TableException;
import dev.pail.values.ValueBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * A value that a merge can look into: the block of a text or of dag-cbor, or a file of UnixFS with neither permissions nor a time. Rule VM3.
 *
 * @param text the text; empty for dag-cbor
 * @param document the object, if the value is one
 */
record ReadValue(Optional<String> text, Optional<Document> document) {
    /** Reads a value; empty if a block is not here, or a merge cannot look into it. */
    static Optional<ReadValue> of(BlockStore blocks, Cid value) {
        if (value.codec() != Cid.DAG_CBOR && value.codec() != Cid.RAW && value.codec() != Cid.DAG_PB) {
            return Optional.empty();
        }
        return bytes(blocks, value).flatMap(bytes -> of(value.codec(), bytes));
    }

    /** Reads the value that a merge made. */
    static Optional<ReadValue> of(Block block) {
        return of(block.cid().codec(), block.bytes());
    }

    private static Optional<ReadValue> of(long codec, byte[] bytes) {
        return codec == Cid.DAG_CBOR ? cbor(bytes) : Content.Text.decoded(bytes).map(ReadValue::ofText);
    }

    private static Optional<byte[]> bytes(BlockStore blocks, Cid value) {
        if (ValueBytes.inlined(value).isEmpty() && !Block.isVerifiable(value)) {
            return Optional.empty();
        }
        try (ValueBytes read = ValueBytes.open(blocks, value).orElse(null)) {
            if (read == null
                    || read.size() > Content.MOST_BYTES
                    || read.mode().isPresent()
                    || read.mtime().isPresent()) {
                return Optional.empty();
            }
            try (InputStream in = read.all()) {
                return Optional.of(in.readNBytes(Content.MOST_BYTES));
            }
        } catch (BlockException | UnsupportedHashException | ValueBytes.NoFileException e) {
            // The conflict stays, as that of any other value.
            return Optional.empty();
        } catch (IOException e) {
            throw new IllegalStateException("blocks can be read", e);
        }
    }

    private static ReadValue ofText(String text) {
        try {
            return new ReadValue(Optional.of(text), Optional.of(Document.parse(text)));
        } catch (DocumentException e) {
            return new ReadValue(Optional.of(text), Optional.empty());
        }
    }

    private static Optional<ReadValue> cbor(byte[] bytes) {
        try {
            Document document = Document.of(Block.of(Cid.DAG_CBOR, bytes));
            return Optional.of(new ReadValue(Optional.empty(), Optional.of(document)));
        } catch (TableException e) {
            return Optional.empty();
        }
    }
}
