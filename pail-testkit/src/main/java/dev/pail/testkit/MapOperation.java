package dev.pail.testkit;

import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A change of a map, for tests that make many.
 *
 * <pre>{@code
 * MapOperation operation = new MapOperation.Put("title", value);
 * Map<String, Cid> model = new TreeMap<>();
 * operation.applyTo(model);
 * Pail next = operation.applyTo(Pail.create(blocks)); // has what the model has
 * }</pre>
 */
public sealed interface MapOperation {
    /** Makes the change in a pail. A batch is one commit. */
    default Pail applyTo(Pail pail) {
        Batch batch = pail.batch();
        applyTo(batch);
        return batch.commit();
    }

    /** Makes the change in a batch, without a commit. */
    void applyTo(Batch batch);

    /** Makes the change in a map, which serves as the model. */
    void applyTo(Map<String, Cid> entries);

    /** Puts an entry. */
    record Put(String key, Cid value) implements MapOperation {
        @Override
        public Pail applyTo(Pail pail) {
            return pail.put(key, value);
        }

        @Override
        public void applyTo(Batch batch) {
            batch.put(key, value);
        }

        @Override
        public void applyTo(Map<String, Cid> entries) {
            entries.put(key, value);
        }

        @Override
        public String toString() {
            return "put " + Escapes.quote(key) + " " + value;
        }
    }

    /** Deletes an entry, if it is there. */
    record Delete(String key) implements MapOperation {
        @Override
        public Pail applyTo(Pail pail) {
            return pail.delete(key);
        }

        @Override
        public void applyTo(Batch batch) {
            batch.delete(key);
        }

        @Override
        public void applyTo(Map<String, Cid> entries) {
            entries.remove(key);
        }

        @Override
        public String toString() {
            return "delete " + Escapes.quote(key);
        }
    }

    /** A batch: all of the operations, or none. */
    record Several(List<MapOperation> operations) implements MapOperation {
        /** A batch of these operations, in this order. */
        public Several {
            operations = List.copyOf(operations);
        }

        @Override
        public void applyTo(Batch batch) {
            operations.forEach(each -> each.applyTo(batch));
        }

        @Override
        public void applyTo(Map<String, Cid> entries) {
            operations.forEach(each -> each.applyTo(entries));
        }

        @Override
        public String toString() {
            return operations.stream().map(Object::toString).collect(Collectors.joining("; ", "batch {", "}"));
        }
    }
}
