package dev.pail.repository.spi;

import dev.pail.ShardFormat;
import java.util.Objects;

/**
 * The open stores of a repository, as a {@link RepositoryLocator} finds them. {@link dev.pail.repository.Repository#open(RepositoryStores)} makes a repository
 * of them, and closes both with it.
 *
 * <pre>{@code
 * String url = "postgresql://app@db.example/store?repository=notes";
 * RepositoryStores stores = RepositoryLocator.find(url).orElseThrow().open(url, Duration.ofSeconds(10));
 * try (Repository notes = Repository.open(stores)) {
 *     System.out.println(notes.branches().names());
 * }
 * }</pre>
 *
 * @param refs the store of branches and tags
 * @param blocks the store of the blocks of all versions
 * @param format the format of new pails
 */
public record RepositoryStores(RefStore refs, RepositoryBlocks blocks, ShardFormat format) implements AutoCloseable {
    public RepositoryStores {
        Objects.requireNonNull(refs, "refs");
        Objects.requireNonNull(blocks, "blocks");
        Objects.requireNonNull(format, "format");
    }

    /** Closes both stores. Only if no repository was made of them. */
    @Override
    public void close() {
        try (refs) {
            blocks.close();
        }
    }
}
