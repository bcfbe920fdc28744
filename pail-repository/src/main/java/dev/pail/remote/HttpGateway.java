package dev.pail.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.BlockSource;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The blocks of a trustless gateway of IPFS, such as {@code pail serve} and public ones are: each by a request for
 * {@code /ipfs/CID?format=raw}. Compares each with its CID. Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * BlockSource gateway = HttpGateway.open("https://trustless-gateway.link", Optional.empty());
 * Repository healed = repository.readingThrough(gateway); // lost blocks are read from the gateway
 * }</pre>
 */
public final class HttpGateway implements BlockSource {
    private static final int GONE = 410;

    private final HttpCalls calls;

    private HttpGateway(HttpCalls calls) {
        this.calls = calls;
    }

    /**
     * Opens a gateway at an address. Sends nothing yet. Throws as {@link HttpRemote#open} does.
     *
     * @param address {@code https://HOST[:PORT][/PATH]}, before {@code /ipfs}
     * @param token the token for the gateway, if it needs one
     */
    public static HttpGateway open(String address, Optional<String> token) {
        return new HttpGateway(
                HttpCalls.of(Objects.requireNonNull(address, "address"), Objects.requireNonNull(token, "token")));
    }

    /** Returns this gateway with connections that are made elsewhere, as {@link HttpRemote#withConnector}. */
    @CheckReturnValue
    public HttpGateway withConnector(HttpConnector other) {
        return new HttpGateway(calls.withConnector(Objects.requireNonNull(other, "other")));
    }

    /** Returns its address, for messages. */
    public String address() {
        return calls.address();
    }

    /**
     * Puts those of some blocks into a store that the gateway has.
     *
     * @throws dev.pail.CorruptBlockException if an answer does not match its CID
     * @throws RemoteException if the gateway refuses
     * @throws dev.pail.StoreIOException if it cannot be reached, or the connection ends too early
     */
    @Override
    public void fetch(List<Cid> cids, BlockStore target) {
        Objects.requireNonNull(target, "target");
        for (Cid cid : List.copyOf(cids)) {
            if (cid.canNameBlock()) {
                block(cid).ifPresent(target::put);
            }
        }
    }

    private Optional<Block> block(Cid cid) {
        return calls.call(
                "GET",
                "/ipfs/" + cid + "?format=raw",
                header -> header.setRequestProperty("Accept", HttpRemote.RAW),
                null,
                answer -> answer.status == HttpURLConnection.HTTP_NOT_FOUND || answer.status == GONE
                        ? absent(answer)
                        : Optional.of(block(cid, answer)));
    }

    private static Optional<Block> absent(HttpAnswer answer) {
        answer.end();
        return Optional.empty();
    }

    private static Block block(Cid cid, HttpAnswer answer) throws IOException {
        answer.require(HttpURLConnection.HTTP_OK);
        answer.requireBlocks();
        byte[] bytes = answer.body().readNBytes(Block.MAX_SIZE + 1);
        if (bytes.length > Block.MAX_SIZE) {
            throw answer.foreign("a block of more than " + Block.MAX_SIZE + " bytes: " + cid);
        }
        return UnsafeBlocks.verified(cid, bytes);
    }
}
