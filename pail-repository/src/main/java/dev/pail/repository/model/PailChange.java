package dev.pail.repository.model;

import dev.pail.Pail;

/**
 * Makes the next version of a pail, or refuses to by an exception. {@link dev.pail.repository.Repository#update(String, String, PailChange)} says what it may do.
 *
 * <pre>{@code
 * PailChange<RuntimeException> clear = pail -> pail.deletePrefix("draft/");
 * Updated cleared = repository.update("main", "clear drafts", clear);
 * }</pre>
 *
 * @param <E> the exception that it may throw
 */
@FunctionalInterface
public interface PailChange<E extends Exception> {
    /** Returns the next version, made from the given one. */
    Pail apply(Pail pail) throws E;
}
