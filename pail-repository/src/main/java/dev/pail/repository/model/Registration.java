package dev.pail.repository.model;

/**
 * The registration of a listener, which receives new heads until this is closed. May be closed twice.
 *
 * <pre>{@code
 * Registration registration = repository.listen(move -> System.out.println(move.branch()));
 * Updated next = repository.update("main", before -> before.put("title", value)); // prints main
 * registration.close(); // nothing is printed any more
 * }</pre>
 */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
