package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.BlockSource;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The remotes of a repository, for blocks that are lost in it. Nothing is read or loaded before the first block is missing, so a command that
 * misses none pays nothing.
 */
final class HealingSource implements BlockSource {
    private final Terminal terminal;
    private final Supplier<SortedMap<String, String>> remotes;
    private volatile @Nullable BlockSource opened;

    /** @param remotes the addresses of the remotes by their names */
    HealingSource(Terminal terminal, Supplier<SortedMap<String, String>> remotes) {
        this.terminal = terminal;
        this.remotes = remotes;
    }

    @Override
    public void fetch(List<Cid> cids, BlockStore target) {
        BlockSource source = opened;
        if (source == null) {
            source = Healing.source(terminal, remotes.get());
            opened = source;
        }
        source.fetch(cids, target);
    }

    @Override
    public void close() {
        BlockSource source = opened;
        if (source != null) {
            source.close();
        }
    }
}
