package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.MalformedBlockException;
import dev.pail.Pail;
import dev.pail.clock.Event;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.wire.WireJson;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.WireText;
import dev.pail.unixfs.FolderLink;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.UnixFsNode;
import dev.pail.unixfs.WalkLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers what a CID is the name of, or with its bytes. */
final class NodeEndpoint implements Endpoint {
    private final BlockStore blocks;

    NodeEndpoint(BlockStore blocks) {
        this.blocks = blocks;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters parameters = Parameters.of(request, "cid", "format", "after", "limit");
        String text = parameters.require("cid");
        Cid cid =
                RequestedVersions.parse(text).orElseThrow(() -> Refusal.malformed("not a CID: " + Escapes.brief(text)));
        boolean isBytes = ServedValue.isAsked(request, parameters);
        int limit = parameters.limit();
        ServedValue value = ServedValue.read(blocks, cid);
        response.getHeaders().put(ServedValue.BY_ACCEPT);
        if (isBytes) {
            value.answer(request, response, callback);
        } else {
            WireJson.Fields fields = fields(cid, value, parameters.find("after"), limit);
            JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
                json.writeStringField("cid", cid.toString());
                fields.writeTo(json);
            });
        }
    }

    private WireJson.Fields fields(Cid cid, ServedValue value, Optional<String> after, int limit) {
        if (value.node().isPresent()) {
            UnixFsNode node = value.node().get();
            return switch (node.kind()) {
                case FILE -> sized("file", node.size());
                case LINK ->
                    json -> {
                        json.writeStringField("kind", "link");
                        json.writeStringField("target", node.target());
                    };
                case FOLDER -> folder(cid, after, limit);
            };
        }
        long size = value.size().orElseThrow();
        if (cid.codec() == Cid.RAW) {
            return sized("file", size);
        }
        return value.block().flatMap(block -> ofPail(block, size)).orElseGet(() -> json -> {
            writeSized(json, "data", size);
            if (value.unreadable().isPresent()) {
                json.writeStringField(
                        "unreadable", WireText.of(value.unreadable().get()));
            }
        });
    }

    private static WireJson.Fields sized(String kind, long size) {
        return json -> writeSized(json, kind, size);
    }

    private static void writeSized(JsonGenerator json, String kind, long size) throws IOException {
        json.writeStringField("kind", kind);
        json.writeNumberField("size", size);
    }

    /** An event, or the root of a pail. */
    private Optional<WireJson.Fields> ofPail(Block block, long size) {
        try {
            Cid root = Event.fromBlock(block).root();
            return Optional.of(json -> {
                writeSized(json, "event", size);
                json.writeStringField("root", root.toString());
            });
        } catch (MalformedBlockException e) {
            return ofRoot(block.cid(), size);
        }
    }

    private Optional<WireJson.Fields> ofRoot(Cid cid, long size) {
        try {
            String format = Pail.open(blocks, cid).format().name();
            return Optional.of(json -> {
                writeSized(json, "pail", size);
                json.writeStringField("format", format);
            });
        } catch (MalformedBlockException e) {
            return Optional.empty();
        }
    }

    private WireJson.Fields folder(Cid cid, Optional<String> after, int limit) {
        List<FolderLink> entries = new ArrayList<>();
        Iterator<FolderLink> links = links(cid, after);
        while (entries.size() < limit && links.hasNext()) {
            entries.add(links.next());
        }
        boolean isMore = links.hasNext();
        return json -> {
            json.writeStringField("kind", "folder");
            json.writeArrayFieldStart("entries");
            for (FolderLink entry : entries) {
                json.writeStartObject();
                json.writeStringField("name", entry.name());
                json.writeStringField("cid", entry.cid().toString());
                json.writeEndObject();
            }
            json.writeEndArray();
            MapEndpoints.writeNext(
                    json, isMore ? Optional.of(entries.get(limit - 1).name()) : Optional.empty());
        };
    }

    private Iterator<FolderLink> links(Cid folder, Optional<String> after) {
        try {
            return UnixFs.links(blocks, folder, after, WalkLimits.DEFAULT);
        } catch (IllegalArgumentException e) {
            throw Refusal.malformed("after is the name of an entry: " + e.getMessage());
        }
    }
}
