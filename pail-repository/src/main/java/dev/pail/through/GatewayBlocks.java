package dev.pail.through;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.HttpGateway;
import dev.pail.repository.update.Arrived;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The blocks of a trustless gateway of IPFS, behind those of a cache, so that one version can be read by its CID from any gateway. Each block
 * is compared with its CID, so nothing that the gateway says is believed. Takes no blocks. Safe for use by several threads.
 *
 * <pre>{@code
 * HttpGateway gateway = HttpGateway.open("https://trustless-gateway.link", Optional.empty());
 * Cid root = Cid.parse("bafyreiawewwkqxmtjxwfcsbwuneqtlyu6fmmkcyyzte7ocvnllpbqi7dre");
 * try (BlockStore blocks = GatewayBlocks.open(gateway)) {
 *     Optional<Cid> title = Pail.open(blocks, root).get("title");
 * }
 * }</pre>
 */
public final class GatewayBlocks implements BlockStore {
    private final HttpGateway gateway;
    private final BlockStore cache;

    private GatewayBlocks(HttpGateway gateway, BlockStore cache) {
        this.gateway = gateway;
        this.cache = cache;
    }

    /**
     * Opens the blocks of a gateway.
     *
     * @param cache the folder of the cache, as that of {@link ServedRepository#open(dev.pail.remote.Remote, Path)}
     */
    public static GatewayBlocks open(HttpGateway gateway, Path cache) {
        return new GatewayBlocks(
                Objects.requireNonNull(gateway, "gateway"),
                BlockCache.in(cache.resolve(BlockCache.name(gateway.address()))));
    }

    /** Opens the blocks of a gateway, with a cache in memory alone, of at most 64 MiB. */
    public static GatewayBlocks open(HttpGateway gateway) {
        return new GatewayBlocks(Objects.requireNonNull(gateway, "gateway"), BlockCache.inMemory());
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Objects.requireNonNull(cid, "cid");
        return Optional.ofNullable(getAll(List.of(cid)).get(cid));
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        Map<Cid, Block> found = new LinkedHashMap<>();
        List<Cid> missing = new ArrayList<>();
        for (Cid cid : cids) {
            cache.get(cid).ifPresentOrElse(block -> found.put(cid, block), () -> missing.add(cid));
        }
        if (!missing.isEmpty()) {
            Arrived arrived = new Arrived(missing, cache::putAll);
            gateway.fetch(missing, arrived);
            found.putAll(arrived.wanted());
        }
        return found;
    }

    @Override
    public boolean has(Cid cid) {
        Objects.requireNonNull(cid, "cid");
        return get(cid).isPresent();
    }

    /** @throws UnsupportedOperationException always */
    @Override
    public void putAll(Collection<Block> blocks) {
        Objects.requireNonNull(blocks, "blocks");
        throw new UnsupportedOperationException("a gateway takes no blocks");
    }

    @Override
    public void close() {
        cache.close();
    }
}
