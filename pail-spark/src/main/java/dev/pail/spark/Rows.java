package dev.pail.spark;

import dev.pail.Escapes;
import dev.pail.ipld.Cid;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Keys and values in the rows of a DataFrame. */
final class Rows {
    private Rows() {}

    /** @throws IllegalArgumentException if the columns are not a key and a CID */
    static void check(StructType schema) {
        StructField[] columns = schema.fields();
        if (columns.length != 2
                || !(columns[0].dataType() instanceof StringType)
                || !(columns[1].dataType() instanceof StringType || columns[1].dataType() instanceof BinaryType)) {
            throw new IllegalArgumentException("a pail is built of two columns, a key (string) and a CID (string or"
                    + " binary), not of " + schema.catalogString() + ": select them first");
        }
    }

    static Tuple2<String, byte[]> entry(Row row) {
        return entry(row.getString(0), row.get(1));
    }

    /** @param value a CID, its text or its bytes */
    static Tuple2<String, byte[]> entry(@Nullable String key, @Nullable Object value) {
        if (key == null || value == null) {
            throw new IllegalArgumentException(
                    key == null ? "a row has no key" : "the key " + Escapes.brief(key) + " has no value");
        }
        if (value instanceof Cid cid) {
            return new Tuple2<>(key, cid.toBytes());
        }
        try {
            Cid cid = value instanceof byte[] bytes ? Cid.fromBytes(bytes) : Cid.parse((String) value);
            return new Tuple2<>(key, cid.toBytes());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "the value of the key " + Escapes.brief(key) + " is not a CID: " + e.getMessage(), e);
        }
    }
}
