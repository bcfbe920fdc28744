package dev.pail.repository;

/**
 * A listener that gets new heads until this is closed. It may be closed twice.
 *
 * <pre>{@code
 * Registration registration = repository.listen(move -> System.out.println(move.branch()));
 * Pail next = repository.update("main", before -> before.put("title", value)); // prints main
 * registration.close(); // nothing is printed any more
 * }</pre>
 */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
