package dev.pail.cli;

import dev.pail.cli.command.Library;
import dev.pail.ipld.HashFunctions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The hash functions in {@code lib/hashes}, which is no part of the class path: few commands need them, and they are large. */
public final class LibraryHashes implements HashFunctions {
    private final List<HashFunctions> all = Library.load("hashes", HashFunctions.class);

    /** For {@link java.util.ServiceLoader}. */
    public LibraryHashes() {}

    private @Nullable HashFunctions with(long function) {
        return all.stream().filter(each -> each.has(function)).findFirst().orElse(null);
    }

    @Override
    public boolean has(long function) {
        return with(function) != null;
    }

    @Override
    public byte[] hash(long function, int length, byte[] bytes) {
        HashFunctions functions = with(function);
        if (functions == null) {
            throw new IllegalArgumentException("no hash function 0x" + Long.toHexString(function));
        }
        return functions.hash(function, length, bytes);
    }
}
