package dev.pail;

import java.util.List;
import java.util.stream.Collectors;

/** A change of a pail, for tests that make many. */
sealed interface Operation {
    record Put(String key, int value) implements Operation {
        @Override
        public String toString() {
            return "put " + Escapes.quote(key) + " " + value;
        }
    }

    record Delete(String key) implements Operation {
        @Override
        public String toString() {
            return "delete " + Escapes.quote(key);
        }
    }

    record Several(List<Operation> operations) implements Operation {
        @Override
        public String toString() {
            return operations.stream().map(Object::toString).collect(Collectors.joining("; ", "batch {", "}"));
        }
    }
}
