package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Null is refused at once. */
class NullsTest {
    @Test
    void nullIsRefusedAtOnce() throws Exception {
        FieldPath field = FieldPath.parse("name");
        Document document = Document.parse("{\"name\":\"ann\"}");
        Scalar value = Scalar.of("ann");
        Tables tables = Tables.of(Tables.of(Pail.create(new MemoryBlockStore()))
                .create("key")
                .createIndex(field)
                .put("row", document)
                .pail());
        Map<Class<?>, Callable<?>> samples = new HashMap<>();
        samples.put(String.class, () -> "key");
        samples.put(byte[].class, () -> new byte[1]);
        samples.put(BigInteger.class, () -> BigInteger.ONE);
        samples.put(BigDecimal.class, () -> BigDecimal.ONE);
        samples.put(List.class, List::of);
        samples.put(Optional.class, Optional::empty);
        samples.put(Supplier.class, () -> (Supplier<?>) () -> null);
        samples.put(LongConsumer.class, () -> (LongConsumer) given -> {});
        samples.put(Pail.class, tables::pail);
        samples.put(Block.class, document::block);
        samples.put(Bytes.class, () -> Bytes.of("row"));
        samples.put(Document.class, () -> document);
        samples.put(FieldPath.class, () -> field);
        samples.put(Scalar.class, () -> value);
        samples.put(ValueRange.class, () -> ValueRange.equal(value));
        samples.put(Filter.class, () -> new Filter.Exists(field));
        samples.put(Filter.Exists.class, () -> new Filter.Exists(field));
        samples.put(Filter.Compare.class, () -> new Filter.Compare(field, Filter.Comparison.EQUAL, value));
        samples.put(Filter.Contains.class, () -> new Filter.Contains(field, value));
        samples.put(Filter.Starts.class, () -> new Filter.Starts(field, "a"));
        samples.put(Filter.In.class, () -> new Filter.In(field, List.of(value)));
        samples.put(Filter.Not.class, () -> new Filter.Not(new Filter.Exists(field)));
        samples.put(Filter.And.class, () -> new Filter.And(List.of(new Filter.Exists(field))));
        samples.put(Filter.Or.class, () -> new Filter.Or(List.of(new Filter.Exists(field))));
        samples.put(Tables.class, () -> tables);
        samples.put(Table.class, () -> tables.table("key"));
        samples.put(TableBatch.class, tables::batch);
        samples.put(TableBatch.Load.class, () -> new TableBatch.Load(field, false));
        assertThat(new Nulls(samples).taken("dev.pail.table")).isEmpty();
    }
}
