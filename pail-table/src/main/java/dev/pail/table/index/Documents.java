package dev.pail.table.index;

import dev.pail.ipld.Cid;
import dev.pail.table.FieldPath;
import dev.pail.table.TableException;
import dev.pail.table.document.Values;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the documents of rows. */
public interface Documents {
    /**
     * Returns what the document of a row has in each field, as {@link Values} has it; null where it has nothing.
     *
     * @param key the key of the row
     * @throws dev.pail.MissingBlockException if the block of the document is missing
     * @throws dev.pail.CorruptBlockException if it is corrupt
     * @throws TableException if it is no document
     */
    Function<FieldPath, @Nullable Object> fields(String key, String id, Cid document);
}
