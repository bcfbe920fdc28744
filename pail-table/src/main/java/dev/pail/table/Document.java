package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.bytes.PlainItems;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.table.document.DagCbor;
import dev.pail.table.document.JsonReader;
import dev.pail.table.document.JsonText;
import dev.pail.table.document.Patches;
import dev.pail.table.document.Values;
import dev.pail.table.index.InlineRows;
import dev.pail.table.merge.FieldMerge;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object, and the block that stores it: dag-cbor if that can hold all of it, else JSON in a raw block (spec rules D1 to
 * D4). In dag-cbor, documents with the same content have the same CID: the order of the fields makes no difference. {@link #raw} keeps
 * the bytes of a document instead.
 *
 * <p>Immutable, equal by its CID, and safe for use by several threads.
 *
 * <pre>{@code
 * Document ann = Document.parse("{\"name\":\"Ann\",\"address\":{\"city\":\"Oslo\"}}");
 * Optional<Scalar> city = ann.get(FieldPath.parse("address.city")); // Optional["Oslo"]
 * String json = ann.json(); // the fields in the order of dag-cbor
 * }</pre>
 */
@CheckReturnValue
public final class Document {
    /** The maximum size of a document's block, in bytes: 8 MiB. Rule D4. */
    public static final int MAX_SIZE = Block.MAX_SIZE;

    /** How deep arrays and maps are nested in dag-cbor, at most. */
    private static final int MAX_CBOR_DEPTH = 128;

    /** What {@link #block} has, decoded when it is first needed as a whole. */
    private volatile @Nullable Object tree;

    private final Block block;

    private Document(@Nullable Object tree, Block block) {
        this.tree = tree;
        this.block = block;
    }

    /**
     * Parses a document.
     *
     * @throws DocumentException if the text is not one JSON object, is nested more than 500 deep, has a name twice in an object, or
     *     its block would be larger than 8 MiB
     */
    public static Document parse(String json) {
        return ofTree(JsonReader.value(json));
    }

    /**
     * Merges documents field by field (spec rule D6): objects recursively, lists and all other values as a whole. The result has the
     * fields that either side changed since the base.
     *
     * <pre>{@code
     * Document base = Document.parse("{\"city\":\"Oslo\",\"age\":30}");
     * Document ours = Document.parse("{\"city\":\"Rome\",\"age\":30}");
     * Document theirs = Document.parse("{\"city\":\"Oslo\",\"age\":31}");
     * Optional<Document> merged = Document.merge(Optional.of(base), ours, theirs); // Rome, 31
     * }</pre>
     *
     * @param base the document that both come from, if there is one
     * @return empty if both changed a field in different ways, if a document has something that JSON lacks, or if the merged one would
     *     be larger than 8 MiB
     */
    public static Optional<Document> merge(Optional<Document> base, Document ours, Document theirs) {
        if (!ours.isJson() || !theirs.isJson() || !base.map(Document::isJson).orElse(true)) {
            return Optional.empty();
        }
        Map<?, ?> origin =
                base.<Map<?, ?>>map(document -> (Map<?, ?>) document.tree()).orElse(Map.of());
        Map<String, Object> merged = FieldMerge.of(origin, (Map<?, ?>) ours.tree(), (Map<?, ?>) theirs.tree());
        if (merged == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ofTree(merged));
        } catch (DocumentException e) {
            return Optional.empty();
        }
    }

    /**
     * Changes the fields of a JSON merge patch (RFC 7396): its objects are merged with those of this document, a null removes a field, and any
     * other value replaces what is there.
     *
     * <pre>{@code
     * Document next = Document.parse("{\"city\":\"Oslo\",\"age\":30}").patched(Document.parse("{\"city\":null,\"age\":31}"));
     * String json = next.json(); // {"age":31}
     * }</pre>
     *
     * @throws DocumentException if the document would have more than 8 MiB
     */
    public Document patched(Document patch) {
        return ofTree(Patches.merged(tree(), patch.tree()));
    }

    /**
     * Returns the document with another value at a path. A value on the way that is no object is replaced by one.
     *
     * @param json the value as JSON
     * @throws DocumentException if the text is not JSON, or the document would have more than 8 MiB or be nested more than 500 deep
     */
    public Document with(FieldPath path, String json) {
        return ofTree(path.with(tree(), JsonReader.value(json, -path.depth())));
    }

    /** Returns the document without what is at a path; the same content if there is nothing. */
    public Document without(FieldPath path) {
        return ofTree(path.with(tree(), null));
    }

    /** Whether JSON has all of the document: dag-cbor of other programs may have links, bytes and a negative zero. */
    private boolean isJson() {
        return block.cid().codec() == Cid.RAW || ofTree(tree()).cid().equals(block.cid());
    }

    /** @param tree nested no deeper than one that {@link JsonReader#value(String)} gives */
    static Document ofTree(Object tree) {
        checkIsObject(tree);
        boolean cbor = DagCbor.holds(tree, MAX_CBOR_DEPTH);
        byte[] bytes = cbor ? DagCbor.encode(tree) : Utf8.encode(JsonText.of(tree));
        checkSize(bytes.length);
        return new Document(tree, UnsafeBlocks.of(cbor ? Cid.DAG_CBOR : Cid.RAW, bytes));
    }

    /** A document with these values in fields; nothing stands for an absent one. */
    static Document ofFields(Map<FieldPath, Optional<Object>> fields) {
        Map<String, Object> tree = new TreeMap<>(JsonReader::compareNames);
        new TreeMap<>(fields).forEach((path, value) -> value.ifPresent(found -> path.put(tree, found)));
        return ofTree(tree);
    }

    private static void checkSize(int size) {
        if (size > MAX_SIZE) {
            throw new DocumentException(0, 1, "a document of " + size + " bytes: " + MAX_SIZE + " are the most (D4)");
        }
    }

    /**
     * Parses a document and keeps its bytes as they are: the block is raw and has these bytes, with their spaces and the order of their
     * fields. Rule D5. {@link #json()} and all that reads fields is as for {@link #parse(byte[])}.
     *
     * @throws DocumentException if {@link #parse(byte[])} throws it, or there are more than 8 MiB
     */
    public static Document raw(byte[] json) {
        return raw(JsonReader.value(utf8(json)), json.clone());
    }

    /** @param json the text of the tree */
    static Document raw(Object tree, String json) {
        int lone = Utf8.loneSurrogate(json);
        if (lone >= 0) {
            throw new DocumentException(0, 1, "a lone surrogate at index " + lone + ", which UTF-8 does not have");
        }
        return raw(tree, Utf8.encode(json));
    }

    private static Document raw(Object tree, byte[] json) {
        checkIsObject(tree);
        checkSize(json.length);
        return new Document(tree, UnsafeBlocks.of(Cid.RAW, json));
    }

    private static void checkIsObject(Object tree) {
        if (!(tree instanceof Map<?, ?>)) {
            throw new DocumentException(0, 1, "a document is an object (D1)");
        }
    }

    private static String utf8(byte[] json) {
        int malformed = Utf8.firstMalformed(json, 0, json.length);
        if (malformed >= 0) {
            throw new DocumentException(0, 1, "not UTF-8 at byte " + malformed);
        }
        return Utf8.decode(json, 0, json.length);
    }

    /**
     * As {@link #parse(String)}, of a text in UTF-8.
     *
     * @throws DocumentException also if the bytes are not UTF-8
     */
    public static Document parse(byte[] json) {
        return parse(utf8(json));
    }

    /**
     * Reads the document that is the value of a row: in the CID itself, or in a block.
     *
     * <pre>{@code
     * Cid value = pail.get(Tables.of(pail).table("people").key("ann")).orElseThrow();
     * Document ann = Document.read(pail.blocks(), value);
     * }</pre>
     *
     * @throws MissingBlockException if its block is missing
     * @throws TableException if the block is no document
     */
    public static Document read(BlockStore blocks, Cid value) {
        return of(InlineRows.read(blocks, value));
    }

    /**
     * Reads the document in a block. It checks the whole block at once, and decodes values when they are asked for.
     *
     * @throws TableException if the block is no document
     */
    public static Document of(Block block) {
        try {
            return new Document(checked(block.cid(), UnsafeBlocks.bytes(block)), block);
        } catch (MalformedDataException | DocumentException e) {
            throw notDocument(block.cid(), e.getMessage(), e);
        }
    }

    /** Checks that bytes are a document. Returns its tree, or null for a plain map: its values can be read later. */
    private static @Nullable Object checked(Cid cid, byte[] bytes) {
        Object tree;
        if (cid.codec() == Cid.DAG_CBOR) {
            if (PlainItems.isPlainMap(bytes)) {
                return null;
            }
            tree = DagCbor.decode(bytes);
        } else {
            tree = JsonReader.value(json(cid, bytes));
        }
        if (!(tree instanceof Map<?, ?>)) {
            throw notDocument(cid, "it is not an object", null);
        }
        return tree;
    }

    private static String json(Cid cid, byte[] bytes) {
        if (cid.codec() != Cid.RAW) {
            throw notDocument(cid, "its codec is neither dag-cbor nor raw", null);
        }
        int malformed = Utf8.firstMalformed(bytes, 0, bytes.length);
        if (malformed >= 0) {
            throw notDocument(cid, "it is not UTF-8 at byte " + malformed, null);
        }
        return Utf8.decode(bytes, 0, bytes.length);
    }

    private static TableException notDocument(Cid cid, @Nullable String why, @Nullable Throwable cause) {
        return new TableException(
                TableException.Reason.DAMAGED, "the block " + cid + " is no document: " + why + " (D2)", cause);
    }

    /** Returns the CID of the block. */
    public Cid cid() {
        return block.cid();
    }

    /** Returns the block that stores the document. */
    public Block block() {
        return block;
    }

    /**
     * Returns the value at a path, for comparison as in indexes. Empty if there is none, or it is a list or an object. For its text, use
     * {@link #plain}.
     */
    public Optional<Scalar> get(FieldPath path) {
        Object found = at(path);
        return found != null && Values.isScalar(found) ? Optional.of(new Scalar(found)) : Optional.empty();
    }

    /** Returns the value at a path as {@link #json} does, if there is one. */
    public Optional<String> json(FieldPath path) {
        Object found = at(path);
        return found == null ? Optional.empty() : Optional.of(JsonText.of(found));
    }

    /**
     * Returns the paths to all values except objects with fields, each with its value: texts as they are, other values as JSON. If the
     * paths in an object are too long for a {@link FieldPath}, the object itself is such a value. In the order of {@link #json}.
     */
    public Map<String, String> flat() {
        return flat(Document::plain);
    }

    /** As {@link #flat}, with each value as JSON: different values have different texts. */
    public Map<String, String> flatJson() {
        return flat(JsonText::of);
    }

    private Map<String, String> flat(Function<Object, String> form) {
        Map<String, String> flat = new LinkedHashMap<>();
        flatten("", (Map<?, ?>) tree(), form, flat);
        return flat;
    }

    private static void flatten(
            String path, Map<?, ?> fields, Function<Object, String> form, Map<String, String> flat) {
        fields.forEach((name, value) -> {
            String inner = path + ((String) name).replace("\\", "\\\\").replace(".", "\\.");
            // The path is there once more for each of the fields: it must not be of any length.
            if (value instanceof Map<?, ?> map && !map.isEmpty() && FieldPath.isShort(inner)) {
                flatten(inner + ".", map, form, flat);
            } else {
                flat.put(inner, form.apply(value));
            }
        });
    }

    private static String plain(Object value) {
        return value instanceof String text ? text : JsonText.of(value);
    }

    /** Returns the value at a path, if there is one: a text as it is, other values as JSON. */
    public Optional<String> plain(FieldPath path) {
        Object found = at(path);
        return found == null ? Optional.empty() : Optional.of(plain(found));
    }

    /** What is at a path, or null. */
    @Nullable
    Object at(FieldPath path) {
        Object known = tree;
        return known == null ? DagCbor.find(UnsafeBlocks.bytes(block), path.names()) : path.in(known);
    }

    Object tree() {
        Object known = tree;
        if (known == null) {
            known = DagCbor.decode(UnsafeBlocks.bytes(block));
            tree = known;
        }
        return known;
    }

    /** Returns the document as JSON on one line. Fields with shorter names come first, those of equal length in byte order. */
    public String json() {
        return JsonText.of(tree());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Document document && cid().equals(document.cid());
    }

    @Override
    public int hashCode() {
        return cid().hashCode();
    }

    /** The document in JSON. */
    @Override
    public String toString() {
        return json();
    }
}
