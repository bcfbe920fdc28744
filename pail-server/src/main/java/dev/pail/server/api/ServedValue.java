package dev.pail.server.api;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.unixfs.DamagedFileException;
import dev.pail.unixfs.NodeKind;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The bytes of a value: those of a UnixFS file, of its block, or of the CID itself. Its root block was read. Immutable. */
final class ServedValue {
    static final String TYPE = "application/octet-stream";
    static final HttpField BY_ACCEPT = new PreEncodedHttpField(HttpHeader.VARY, "Accept");

    private final BlockStore blocks;
    private final Cid cid;

    /** None of an identity CID. */
    private final Optional<Block> block;

    private final Optional<UnixFsNode> node;

    /** Why a node of dag-pb has no bytes that can be sent. */
    private final Optional<DamagedFileException> unreadable;

    private ServedValue(
            BlockStore blocks,
            Cid cid,
            Optional<Block> block,
            Optional<UnixFsNode> node,
            Optional<DamagedFileException> unreadable) {
        this.unreadable = unreadable;
        this.blocks = blocks;
        this.cid = cid;
        this.block = block;
        this.node = node;
    }

    /** Whether a request asks for bytes, and not for JSON. */
    static boolean isAsked(Request request, Parameters parameters) {
        return switch (parameters.text("format")) {
            case "" -> request.getHeaders().contains(HttpHeader.ACCEPT, TYPE);
            case "json" -> false;
            case "raw" -> true;
            default ->
                throw Refusal.malformed("format is json or raw, not " + Escapes.brief(parameters.text("format")));
        };
    }

    /**
     * Reads the root block of a value.
     *
     * @throws MissingBlockException if it is not here
     */
    static ServedValue read(BlockStore blocks, Cid value) {
        Optional<Block> block =
                value.hashFunction() == Cid.IDENTITY ? Optional.empty() : Optional.of(blocks.require(value));
        if (value.codec() != Cid.DAG_PB) {
            return new ServedValue(blocks, value, block, Optional.empty(), Optional.empty());
        }
        try {
            Optional<UnixFsNode> node = Optional.of(UnixFs.value(blocks, value));
            return new ServedValue(blocks, value, block, node, Optional.empty());
        } catch (DamagedFileException e) {
            return new ServedValue(blocks, value, block, Optional.empty(), Optional.of(e));
        }
    }

    /** Why the bytes of a value of dag-pb cannot be read, if they cannot. Its block may be read all the same. */
    Optional<DamagedFileException> unreadable() {
        return unreadable;
    }

    /** The root block; none of an identity CID. */
    Optional<Block> block() {
        return block;
    }

    /** What a block of dag-pb says as a node of UnixFS, if it is one. */
    Optional<UnixFsNode> node() {
        return node;
    }

    /** How many bytes there are; nothing for a folder or a link of UnixFS. */
    OptionalLong size() {
        if (node.isPresent()) {
            return node.get().kind() == NodeKind.FILE
                    ? OptionalLong.of(node.get().size())
                    : OptionalLong.empty();
        }
        return OptionalLong.of(block.map(Block::size).orElse(cid.digest().length));
    }

    /** Answers with the bytes. */
    void answer(Request request, Response response, Callback callback) {
        InputStream in = open();
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, TYPE);
        // Bytes of a stranger are not shown as a page of this origin.
        headers.put("Content-Disposition", "attachment; filename=\"value.bin\"");
        headers.put(JsonReply.NOT_STORED);
        headers.put(JsonReply.NO_SNIFFING);
        headers.put(HttpHeader.CONTENT_LENGTH, size().orElseThrow());
        if (!HttpMethod.HEAD.is(request.getMethod())) {
            copy(in, response);
        }
        response.write(true, ByteBuffer.allocate(0), callback);
    }

    private InputStream open() {
        if (unreadable.isPresent()) {
            throw unreadable.get();
        }
        if (node.isPresent()) {
            NodeKind kind = node.get().kind();
            if (kind != NodeKind.FILE) {
                throw Refusal.noFile("the value " + cid + " is a " + (kind == NodeKind.FOLDER ? "folder" : "link")
                        + " of UnixFS and has no bytes");
            }
            return UnixFs.openValue(blocks, cid);
        }
        return new ByteArrayInputStream(block.map(Block::bytes).orElseGet(cid::digest));
    }

    /** A damaged file ends the response before its end, and so the connection. */
    private static void copy(InputStream in, Response response) {
        // Closing the stream would end the response as if it were whole.
        @SuppressWarnings("resource")
        OutputStream out = Content.Sink.asOutputStream(response);
        try {
            in.transferTo(out);
            out.flush();
        } catch (BlockException e) {
            throw Refusal.root(e);
        } catch (IOException e) {
            throw new StoreIOException("cannot send", "the bytes of a value", e);
        }
    }
}
