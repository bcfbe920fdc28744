package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.Iterator;
import java.util.Optional;
import java.util.stream.Stream;

/** What shows that a version has tables, to a program that cannot read them. Rule R10. */
final class TableKeys {
    private static final String DECLARATIONS = "T";
    private static final String ROWS = "P";

    /** The start of the keys of index entries: a letter and the separator. */
    private static final String ENTRIES = "F!O";

    private static final String REVERSE_ENTRIES = "R!O";

    /** A letter, and 255 bytes of a name with two characters each. */
    private static final int LONGEST_DECLARATION = 511;

    private TableKeys() {}

    /** Whether a key may belong to a table. */
    static boolean mayHave(String key) {
        return key.startsWith(DECLARATIONS)
                || key.startsWith(ROWS)
                || key.startsWith(ENTRIES)
                || key.startsWith(REVERSE_ENTRIES);
    }

    /** Returns a key that declares a table; empty if there is none. Reads each block of dag-cbor that may be a declaration. */
    static Optional<String> declaration(Pail pail) {
        String unreadable = null;
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(DECLARATIONS))) {
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                Entry entry = each.next();
                if (entry.value().codec() != Cid.DAG_CBOR || entry.key().length() > LONGEST_DECLARATION) {
                    continue;
                }
                Optional<Block> block = readable(pail, entry.value());
                if (block.isPresent() && isDeclaration(block.get())) {
                    return Optional.of(entry.key());
                }
                unreadable = block.isEmpty() && unreadable == null ? entry.key() : unreadable;
            }
        }
        // The block of a value may be absent in any map. The entries of an index are in a map with tables only.
        return Optional.ofNullable(unreadable).filter(key -> hasEntries(pail));
    }

    private static Optional<Block> readable(Pail pail, Cid cid) {
        try {
            return pail.blocks().getChecked(cid);
        } catch (CorruptBlockException e) {
            return Optional.empty();
        }
    }

    private static boolean isDeclaration(Block block) {
        try {
            DagCborReader reader = new DagCborReader(UnsafeBlocks.bytes(block));
            return reader.readMap() == 2 && reader.readText().equals("number");
        } catch (MalformedDataException e) {
            return false;
        }
    }

    private static boolean hasEntries(Pail pail) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix(REVERSE_ENTRIES))) {
            return entries.findFirst().isPresent();
        }
    }
}
