package dev.pail.repository;

/** A listener that is told of new heads, until this is closed, which may be done twice. */
public interface Registration extends AutoCloseable {
    @Override
    void close();
}
