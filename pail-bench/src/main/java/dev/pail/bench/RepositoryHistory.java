package dev.pail.bench;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The branch main of a repository in a folder, with its blocks in segments. A change is an update of the branch. */
final class RepositoryHistory implements History {
    private final Path folder;
    private Repository repository;
    private Pail pail;

    /** @param format of a repository that is not there yet */
    RepositoryHistory(Path folder, ShardFormat format) {
        this.folder = folder;
        this.repository = Files.exists(folder)
                ? FileRepository.open(folder)
                : FileRepository.init(folder, format, BlockStorage.SEGMENTS);
        this.pail = repository.pail();
    }

    @Override
    public void apply(Step step) {
        pail = repository
                .update(
                        Repository.MAIN,
                        before ->
                                step.value() == null ? before.delete(step.key()) : before.put(step.key(), step.value()))
                .pail();
    }

    @Override
    public void fill(List<Step> puts) {
        try {
            batch(puts::forEach);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Puts that come one after the other. */
    interface Source {
        void forEach(Consumer<Step> action) throws IOException;
    }

    /** Makes all these changes, which are puts, at once. */
    void batch(Source puts) throws IOException {
        pail = repository
                .update(Repository.MAIN, before -> {
                    Batch batch = before.batch();
                    puts.forEach(put -> batch.put(put.key(), Objects.requireNonNull(put.value())));
                    return batch.commit();
                })
                .pail();
    }

    @Override
    public void reopen() {
        repository.close();
        repository = FileRepository.open(folder);
        pail = repository.pail();
    }

    @Override
    public boolean get(String key) {
        return pail.get(key).isPresent();
    }

    @Override
    public void forEach(BiConsumer<String, Cid> action) {
        try (Stream<Entry> entries = pail.entries()) {
            entries.forEach(entry -> action.accept(entry.key(), entry.value()));
        }
    }

    /** The events of the version that was made last. */
    Head head() {
        return repository.head(Repository.MAIN);
    }

    /** Lists the keys whose values differ from those of a head, and returns their number. */
    long diff(Head before) {
        return repository.pailAt(before).diff(pail).keys().count();
    }

    @Override
    public Map<String, Cid> version(int changes) {
        return PailHistory.entries(pail);
    }

    @Override
    public int versions() {
        return 1;
    }

    @Override
    public void close() {
        repository.close();
    }
}
