package dev.pail.table;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.index.Cover;
import dev.pail.table.index.InlineRows;
import dev.pail.table.index.TableText;
import dev.pail.table.query.RowWalk;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table: its id and its document. Each call of {@link #document} reads the document.
 *
 * <pre>{@code
 * Optional<Row> ann = Tables.of(pail).table("people").get("ann");
 * ann.ifPresent(row -> System.out.println(row.id() + " " + row.document().json())); // reads the document
 * }</pre>
 */
public final class Row {
    private final BlockStore blocks;
    private final String key;
    private final String id;
    private final Cid cid;

    /** What may have the document already. */
    private final RowWalk.@Nullable Ahead ahead;

    private final Map<FieldPath, Optional<Object>> known;

    /** @param key what the pail has the row under */
    Row(BlockStore blocks, String key, String id, Cid cid) {
        this(blocks, key, id, cid, null);
    }

    Row(BlockStore blocks, String key, String id, Cid cid, RowWalk.@Nullable Ahead ahead) {
        this(blocks, key, id, cid, ahead, Map.of());
    }

    /** @param known what a covering index has of fields */
    Row(
            BlockStore blocks,
            String key,
            String id,
            Cid cid,
            RowWalk.@Nullable Ahead ahead,
            Map<FieldPath, Optional<Object>> known) {
        this.known = known;
        this.blocks = blocks;
        this.key = key;
        this.id = id;
        this.cid = cid;
        this.ahead = ahead;
    }

    /** What the entry of a covering index has of these fields; nothing, if it has a document alone. */
    static Map<FieldPath, Optional<Object>> known(List<FieldPath> covered, @Nullable Cid link) {
        Cover cover = link == null ? null : Cover.read(link, covered.size());
        Map<FieldPath, Optional<Object>> known = new HashMap<>();
        for (int i = 0; cover != null && i < covered.size(); i++) {
            known.put(covered.get(i), Optional.ofNullable(cover.values().get(i)));
        }
        return known;
    }

    /** Returns the id of the row in its table. */
    public String id() {
        return id;
    }

    /** Returns the CID of the document. If the document is in the map, the CID has its bytes: see {@link #isInline}. */
    public Cid cid() {
        return cid;
    }

    /** Whether the document is in the map itself, and not in a block: see {@link Tables#create(String, RowMerge, int)}. */
    public boolean isInline() {
        return cid.hashFunction() == Cid.IDENTITY;
    }

    /**
     * Reads the document.
     *
     * @throws MissingBlockException if its block is missing
     * @throws CorruptBlockException if its block is corrupt
     * @throws TableException if the block is no document: the key may then not belong to a table
     */
    public Document document() {
        Block fetched = ahead == null || isInline() ? null : ahead.take(cid);
        Block block = fetched == null ? InlineRows.read(blocks, cid) : fetched;
        try {
            return Document.of(block);
        } catch (TableException e) {
            throw new TableException(
                    TableException.Reason.KEY,
                    "the key " + TableText.quoted(key) + " is where the row " + TableText.quoted(id)
                            + " of a table would be: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns a document with the same values in some fields. If a query found the row by a covering index that has all of them, this reads no
     * block, and the document has only the fields of the index. Else it is {@link #document()}.
     *
     * @throws MissingBlockException as {@link #document()} throws
     */
    public Document document(Collection<FieldPath> fields) {
        return !Objects.requireNonNull(fields, "fields").isEmpty()
                        && known.keySet().containsAll(fields)
                ? Document.ofFields(known)
                : document();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Row row && id.equals(row.id) && cid.equals(row.cid);
    }

    @Override
    public int hashCode() {
        return 31 * id.hashCode() + cid.hashCode();
    }

    /** The id and the CID. */
    @Override
    public String toString() {
        return TableText.quoted(id) + " " + cid;
    }
}
