package dev.pail.server.gateway;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.server.http.BudgetedOutput;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.EntityTags;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.MemoryBudget;
import dev.pail.server.http.Refusal;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers requests for blocks and CARs: a trustless gateway over one block store. Safe for use by several threads. */
public final class Gateway implements Endpoint {
    private static final HttpField FOR_EVER =
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "public, max-age=29030400, immutable");

    private static final HttpField NO_RANGES = new PreEncodedHttpField(HttpHeader.ACCEPT_RANGES, "none");
    private static final HttpField RANGES = new PreEncodedHttpField(HttpHeader.ACCEPT_RANGES, "bytes");
    private static final HttpField BY_ACCEPT = new PreEncodedHttpField(HttpHeader.VARY, "Accept");

    /** X-Ipfs-Roots is left out if it is longer. */
    private static final int MOST_ROOTS = 8 << 10;

    /** A block of fewer bytes is no more than the buffers of its connection. */
    private static final int SMALL = 64 << 10;

    private final BlockStore blocks;

    public Gateway(BlockStore blocks) {
        this.blocks = blocks;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        if (request.getHeaders().contains("Service-Worker", "script")) {
            throw Refusal.malformed("the gateway gives no script for a service worker");
        }
        GatewayRequest asked = GatewayRequest.of(request);
        try {
            if (asked.variant().format() == Variant.Format.RAW) {
                answerBlock(asked, request, response, callback);
            } else {
                answerCar(asked, request, response, callback);
            }
        } catch (MissingBlockException e) {
            // Rule GW8: the server fetches nothing from elsewhere, so a missing block is not cached either.
            throw request.getHeaders().contains(HttpHeader.CACHE_CONTROL, "only-if-cached") ? Refusal.notCached(e) : e;
        }
    }

    /** Rule GW3. */
    private void answerBlock(GatewayRequest asked, Request request, Response response, Callback callback) {
        Cid cid = asked.cid();
        ByteBuffer bytes = cid.hashFunction() == Cid.IDENTITY ? ByteBuffer.wrap(cid.digest()) : read(cid, request);
        if (EntityTags.isKnown(request, asked.etag())) {
            notModified(asked, response, callback);
            return;
        }
        int size = bytes.remaining();
        Optional<ByteRange> range = ByteRange.of(request, asked.etag(), size);
        if (range.isPresent()) {
            if (!range.get().isSatisfiable()) {
                throw Refusal.notSatisfiable(size);
            }
            bytes = bytes.slice(
                    range.get().first(), range.get().end() - range.get().first());
            response.setStatus(HttpStatus.PARTIAL_CONTENT_206);
            response.getHeaders()
                    .put(
                            HttpHeader.CONTENT_RANGE,
                            "bytes " + range.get().first() + "-" + (range.get().end() - 1) + "/" + size);
        }
        describe(asked, asked.text(), response);
        response.getHeaders().put(RANGES);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, bytes.remaining());
        response.write(true, HttpMethod.HEAD.is(request.getMethod()) ? ByteBuffer.allocate(0) : bytes, callback);
    }

    /** Reads a block. A large one stays within the budget until its client has it. */
    private ByteBuffer read(Cid cid, Request request) {
        MemoryBudget.Share share = MemoryBudget.take(request, MemoryBudget.Purpose.RESPONSE, Block.MAX_SIZE);
        Block block = blocks.require(cid);
        share.shrinkTo(block.size() < SMALL ? 0 : block.size());
        return block.buffer();
    }

    private void answerCar(GatewayRequest asked, Request request, Response response, Callback callback) {
        CarBody car = CarBody.of(blocks, asked);
        if (EntityTags.isKnown(request, asked.etag())) {
            notModified(asked, response, callback);
            return;
        }
        boolean isHead = HttpMethod.HEAD.is(request.getMethod());
        if (!isHead && request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0) {
            throw Refusal.oldVersion();
        }
        describe(asked, car.roots(), response);
        if (!isHead) {
            // Closing the stream would end the response as if it were whole.
            @SuppressWarnings("resource")
            OutputStream out = new BudgetedOutput(request, Content.Sink.asOutputStream(response));
            car.writeTo(out, request.getHttpURI().getPath());
            response.write(true, ByteBuffer.allocate(0), callback);
            return;
        }
        // With the last bytes, Jetty would send how many there are, which is not the length of the CAR.
        response.write(
                false,
                ByteBuffer.allocate(0),
                Callback.from(() -> response.write(true, ByteBuffer.allocate(0), callback), callback::failed));
    }

    private static void notModified(GatewayRequest asked, Response response, Callback callback) {
        response.setStatus(HttpStatus.NOT_MODIFIED_304);
        identify(asked, response.getHeaders());
        response.write(true, ByteBuffer.allocate(0), callback);
    }

    private static void identify(GatewayRequest asked, HttpFields.Mutable headers) {
        headers.put(HttpHeader.ETAG, asked.etag());
        headers.put(FOR_EVER);
        headers.put(BY_ACCEPT);
        if (asked.variant().isNegotiated()) {
            headers.put(HttpHeader.CONTENT_LOCATION, asked.location());
        }
    }

    /** Rule GW11. */
    private static void describe(GatewayRequest asked, String roots, Response response) {
        HttpFields.Mutable headers = response.getHeaders();
        identify(asked, headers);
        headers.put(HttpHeader.CONTENT_TYPE, asked.variant().contentType());
        headers.put("Content-Disposition", asked.disposition());
        headers.put(JsonReply.NO_SNIFFING);
        headers.put(NO_RANGES);
        headers.put("X-Ipfs-Path", asked.path());
        headers.put("Ipfs-Uri", asked.uri());
        if (roots.length() <= MOST_ROOTS) {
            headers.put("X-Ipfs-Roots", roots);
        }
    }
}
