package dev.pail.repository.files;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.repository.model.Need;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.repository.spi.RepositoryStores;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Repositories in folders, by {@code file} URLs. {@link RepositoryLocator#find} finds it. Safe for use by several threads.
 *
 * <pre>{@code
 * try (Repository notes = Repository.open(folder.toUri())) {
 *     System.out.println(notes.branches().names());
 * }
 * }</pre>
 */
public final class FileLocator implements RepositoryLocator {
    /** For {@link java.util.ServiceLoader}. */
    public FileLocator() {}

    @Override
    public boolean accepts(String url) {
        return url.startsWith("file:/");
    }

    @Override
    public RepositoryStores open(String url, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        return FileRepository.stores(Disk.system(), FileRepository.in(Path.of(URI.create(url))), patience);
    }

    @Override
    public RepositoryStores init(String url, ShardFormat format, Set<Need> needs, Duration patience) {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(needs, "needs");
        Objects.requireNonNull(patience, "patience");
        Path folder = Path.of(URI.create(url));
        InitOptions options = InitOptions.of(format);
        FileRepository.init(folder, needs.contains(Need.EVENTS) ? options : options.withPlainEvents())
                .close();
        return FileRepository.stores(Disk.system(), folder, patience);
    }
}
