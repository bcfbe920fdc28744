package dev.pail.bench;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Row;
import dev.pail.table.Scalar;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.Tables;
import dev.pail.table.ValueRange;
import java.util.Iterator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A table of this project over a memory store. What is handed over is a document that is decoded. */
final class PailPeople implements PeopleTable {
    private static final String NAME = "people";
    private static final FieldPath ID = FieldPath.parse("id");
    private static final FieldPath CITY = FieldPath.parse("address.city");
    private static final FieldPath AGE = FieldPath.parse("age");
    private static final FieldPath POINTS = FieldPath.parse("points");

    private Table table;

    PailPeople(ShardFormat format) {
        table = Tables.of(Pail.create(new MemoryBlockStore(), format))
                .create(NAME)
                .createIndex(CITY)
                .createIndex(AGE);
    }

    @Override
    public void load(List<String> lines) {
        TableBatch batch = Tables.of(table.pail()).batch();
        Iterator<String> rest = lines.iterator();
        batch.load(NAME, () -> rest.hasNext() ? rest.next() : null, new TableBatch.Load(ID, false), count -> {});
        table = batch.commit().table(NAME);
    }

    @Override
    public void get(String id, BiConsumer<String, Object> found) {
        hand(table.get(id).stream(), found);
    }

    @Override
    public void inCity(String city, BiConsumer<String, Object> found) {
        hand(table.find(CITY, ValueRange.equal(Scalar.of(city))), found);
    }

    @Override
    public void aged(int from, int before, BiConsumer<String, Object> found) {
        hand(table.find(AGE, ValueRange.from(Scalar.of(from)).and(ValueRange.before(Scalar.of(before)))), found);
    }

    @Override
    public void withPoints(int points, BiConsumer<String, Object> found) {
        hand(table.rows(new Filter.Compare(POINTS, Filter.Comparison.EQUAL, Scalar.of(points))), found);
    }

    private static void hand(Stream<Row> rows, BiConsumer<String, Object> found) {
        rows.forEachOrdered(row -> found.accept(row.id(), row.document()));
    }

    @Override
    public void close() {}
}
