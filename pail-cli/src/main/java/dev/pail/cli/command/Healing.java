package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.car.CarBlockStore;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import dev.pail.remote.HttpRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.spi.BlockSource;
import dev.pail.through.BlockSources;
import dev.pail.through.RemoteReads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gets lost blocks from other repositories, and says so. */
public final class Healing {
    private Healing() {}

    /**
     * The blocks of some repositories. Each is opened when it is needed.
     *
     * @param places their addresses, by their names
     */
    static BlockSources source(Terminal terminal, Map<String, String> places) {
        return BlockSources.of(opening(terminal, places), new Telling(terminal));
    }

    /**
     * The blocks of the place that the call names, or else of the remotes of its repository.
     *
     * @param place a name of a remote, an address, or a CAR file; null for all remotes
     */
    public static BlockSources source(Terminal terminal, Repository repository, @Nullable String place) {
        Map<String, String> remotes = FileRepository.of(repository)
                .<Map<String, String>>map(FileRepository::remotes)
                .orElse(Map.of());
        if (place == null) {
            if (remotes.isEmpty()) {
                throw Failure.usage("there is no remote to take blocks from; name one with: --from REMOTE");
            }
            return BlockSources.of(opening(terminal, remotes), BlockSources.Listener.NONE);
        }
        String address = remotes.getOrDefault(place, place);
        return BlockSources.of(opening(terminal, Map.of(place, address)), BlockSources.Listener.NONE);
    }

    /** Says how many blocks came from elsewhere, and which place could not be asked. */
    public static void tell(Terminal terminal, BlockSources source) {
        long count = source.fetched();
        if (!terminal.quiet && count > 0) {
            terminal.note("fetched " + count + (count == 1 ? " block that was" : " blocks that were")
                    + " missing or damaged here");
        }
        source.failure().ifPresent(cause -> terminal.alert("a place could not be asked: " + Failure.message(cause)));
    }

    /** Lets a check of a part ask its remote which blocks are promised. */
    public static VerifyOptions asking(Terminal terminal, Repository repository, VerifyOptions options) {
        return repository
                .refs()
                .part()
                .flatMap(part -> FileRepository.of(repository)
                        .map(files -> options.withRemote(cids -> {
                            try (PromisedSource source = Stores.promised(terminal, files, part)) {
                                return BlockSources.which(source, cids);
                            }
                        })))
                .orElse(options);
    }

    private static Map<String, Supplier<BlockSource>> opening(Terminal terminal, Map<String, String> places) {
        Map<String, Supplier<BlockSource>> remotes = new TreeMap<>();
        places.forEach((name, place) -> remotes.put(name, () -> open(terminal, place)));
        return remotes;
    }

    private static BlockSource open(Terminal terminal, String place) {
        Path path = HttpRemote.isAddress(place) || Stores.isUrl(place) ? null : terminal.path(place);
        if (path != null && Files.isRegularFile(path)) {
            return new CarSource(CarBlockStore.open(path));
        }
        return RemoteReads.of(Stores.remote(terminal, place));
    }

    /** The blocks in a CAR file. */
    private record CarSource(CarBlockStore car) implements BlockSource {
        @Override
        public void fetch(List<Cid> cids, BlockStore target) {
            target.putAll(car.getAll(cids).values());
        }

        @Override
        public void close() {
            car.close();
        }
    }

    /** Tells once that something was lost here, and for each remote that it cannot be asked. */
    private record Telling(Terminal terminal, AtomicBoolean hasTold) implements BlockSources.Listener {
        Telling(Terminal terminal) {
            this(terminal, new AtomicBoolean());
        }

        @Override
        public void fetched(String remote, Cid first, int blocks) {
            if (!hasTold.getAndSet(true)) {
                terminal.alert("a block was missing or damaged here, and came from " + remote + ": " + first
                        + "; look for others with: pail verify --all --values --heal");
            }
        }

        @Override
        public void unreachable(String remote, PailException cause) {
            terminal.alert(
                    "blocks are missing here, and " + remote + " cannot be asked for them: " + Failure.message(cause));
        }
    }
}
