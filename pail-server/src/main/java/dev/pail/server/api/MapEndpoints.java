package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardView;
import dev.pail.content.Content;
import dev.pail.content.ContentDiff;
import dev.pail.content.ContentJson;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.MemoryBudget;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers what a version has: keys, shards, changes and proofs. Each request reads about as much as it answers. */
final class MapEndpoints {
    /** How many bytes of blocks that are read for sizes end a page. */
    static final long MOST_READ = 64 << 20;

    private final RequestedVersions versions;

    MapEndpoints(RequestedVersions versions) {
        this.versions = versions;
    }

    void answerKeys(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters parameters = Parameters.of(
                request, "at", "prefix", "after", "delimiter", "limit", "contains", "from", "before", "sizes");
        int limit = parameters.limit();
        KeyListing listing = listing(parameters);
        boolean isSized = isSized(parameters);
        Pail pail = versions.at(parameters, "at");
        KeyListing.Page page = listing.page(pail, parameters.find("after"), limit);
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("root", pail.root().toString());
            json.writeArrayFieldStart("entries");
            long read = 0;
            Optional<String> next = page.next();
            for (Iterator<KeyListing.Item> each = page.items().iterator(); each.hasNext(); ) {
                KeyListing.Item item = each.next();
                json.writeStartObject();
                if (item.value().isPresent()) {
                    Cid value = item.value().get();
                    json.writeStringField("key", item.text());
                    json.writeStringField("value", value.toString());
                    read += isSized ? writeSize(json, pail.blocks(), value) : 0;
                } else {
                    json.writeStringField("prefix", item.text());
                }
                json.writeEndObject();
                if (read >= MOST_READ && each.hasNext()) {
                    next = Optional.of(item.text());
                    break;
                }
            }
            json.writeEndArray();
            writeNext(json, next);
        });
    }

    private static KeyListing listing(Parameters parameters) {
        Optional<Character> delimiter = delimiter(parameters);
        Optional<String> text = parameters.find("contains");
        if (delimiter.isPresent() && text.isPresent()) {
            throw Refusal.malformed("a request has delimiter or contains, and not both");
        }
        String prefix = parameters.text("prefix");
        KeyListing listing =
                text.isPresent() ? KeyListing.containing(text.get(), prefix) : new KeyListing(prefix, delimiter);
        listing = parameters.find("from").map(listing::from).orElse(listing);
        return parameters.find("before").map(listing::before).orElse(listing);
    }

    private static boolean isSized(Parameters parameters) {
        String text = parameters.text("sizes");
        if (!List.of("", "true", "false").contains(text)) {
            throw Refusal.malformed("sizes is true or false, not " + Escapes.brief(text));
        }
        return text.equals("true");
    }

    /** Writes how many bytes a value has, and gives how many were read for that. */
    private static long writeSize(JsonGenerator json, BlockStore blocks, Cid value) throws IOException {
        ServedValue bytes;
        try {
            bytes = ServedValue.read(blocks, value);
        } catch (BlockException | UnsupportedHashException e) {
            json.writeBooleanField("missing", true);
            return 0;
        }
        if (bytes.size().isPresent()) {
            json.writeNumberField("size", bytes.size().getAsLong());
        }
        return bytes.block().map(Block::size).orElse(0);
    }

    private static Optional<Character> delimiter(Parameters parameters) {
        return parameters.find("delimiter").map(text -> {
            if (text.length() != 1 || text.charAt(0) < ' ' || text.charAt(0) > '~') {
                throw Refusal.malformed("delimiter is one ASCII character, such as /, not " + Escapes.brief(text));
            }
            return text.charAt(0);
        });
    }

    /** What the client sends as {@code after} for the next page. */
    static void writeNext(JsonGenerator json, Optional<String> next) throws IOException {
        if (next.isPresent()) {
            json.writeStringField("next", next.get());
        }
    }

    void answerDiff(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters parameters = Parameters.of(request, "from", "to", "prefix", "after", "limit");
        int limit = parameters.limit();
        parameters.require("from");
        KeyRange range = behind(KeyRange.prefix(parameters.text("prefix")), parameters.find("after"));
        Pail from = versions.at(parameters, "from");
        Pail to = versions.at(parameters, "to");
        List<KeyChange> changes = new ArrayList<>();
        boolean isMore;
        try (Stream<KeyChange> keys = from.diff(to, range).keys()) {
            Iterator<KeyChange> each = keys.iterator();
            while (changes.size() < limit && each.hasNext()) {
                changes.add(each.next());
            }
            isMore = changes.size() == limit && each.hasNext();
        }
        KeyNames names = new KeyNames(changes.stream().map(KeyChange::key).toList(), List.of(() -> to, () -> from));
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("from", from.root().toString());
            json.writeStringField("to", to.root().toString());
            json.writeArrayFieldStart("changes");
            for (KeyChange change : changes) {
                json.writeStartObject();
                json.writeStringField("key", change.key());
                names.write(json, change.key());
                JsonReply.writeCid(json, "before", change.before());
                JsonReply.writeCid(json, "after", change.after());
                json.writeEndObject();
            }
            json.writeEndArray();
            if (isMore) {
                json.writeStringField("next", changes.get(limit - 1).key());
            }
        });
    }

    void answerValueDiff(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters parameters = Parameters.of(request, "from", "to", "key");
        String key = parameters.text("key");
        parameters.require("from");
        Pail from = versions.at(parameters, "from");
        Pail to = versions.at(parameters, "to");
        Optional<Cid> before = from.get(key);
        Optional<Cid> after = to.get(key);
        if (before.isEmpty() && after.isEmpty()) {
            throw Refusal.absent("no such key in both versions: " + Escapes.brief(key));
        }
        // Until both are read: the blocks of both, their texts, and the search for equal lines.
        MemoryBudget.take(request, MemoryBudget.Purpose.RESPONSE, Block.MAX_SIZE);
        ContentDiff diff = ContentDiff.of(Content.read(from.blocks(), before), Content.read(to.blocks(), after));
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("from", from.root().toString());
            json.writeStringField("to", to.root().toString());
            json.writeStringField("key", key);
            JsonReply.writeCid(json, "before", before);
            JsonReply.writeCid(json, "after", after);
            ContentJson.write(json, diff);
        });
    }

    static KeyRange behind(KeyRange range, Optional<String> key) {
        return key.map(range::after).orElse(range);
    }

    void answerShard(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters parameters = Parameters.of(request, "at", "prefix", "sizes");
        boolean isSized = isSized(parameters);
        Pail pail = versions.at(parameters, "at");
        ShardView shard = shard(pail, parameters.text("prefix"));
        List<ShardView.Item> items = shard.items().toList();
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("root", pail.root().toString());
            json.writeStringField("shard", shard.cid().toString());
            json.writeStringField("prefix", shard.prefix());
            json.writeNumberField("depth", shard.depth());
            json.writeNumberField("bytes", shard.size());
            long read = 0;
            json.writeArrayFieldStart("entries");
            for (ShardView.Item item : items) {
                json.writeStartObject();
                json.writeStringField("key", item.shardKey());
                JsonReply.writeCid(json, "value", item.data());
                JsonReply.writeCid(json, "shard", item.shard().map(ShardView::cid));
                if (isSized && item.shard().isPresent() && read < MOST_READ) {
                    read += writeSize(json, item.shard().get());
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /** Writes how large a shard is, and gives how many bytes were read for that. */
    private static long writeSize(JsonGenerator json, ShardView shard) throws IOException {
        long count;
        try {
            count = shard.items().count();
        } catch (BlockException e) {
            json.writeBooleanField("missing", true);
            return 0;
        }
        json.writeNumberField("bytes", shard.size());
        json.writeNumberField("count", count);
        return shard.size();
    }

    /** The shard in the place of a prefix. Of several links that lead there, where shards overlap, the longest key counts. */
    private static ShardView shard(Pail pail, String prefix) {
        ShardView shard = pail.shard();
        while (!shard.prefix().equals(prefix)) {
            String rest = prefix.substring(shard.prefix().length());
            ShardView next = null;
            for (Iterator<ShardView.Item> each = shard.items().iterator(); each.hasNext(); ) {
                ShardView.Item item = each.next();
                // Keys are in order, so a longer one that fits comes later.
                if (item.shard().isPresent() && rest.startsWith(item.shardKey())) {
                    next = item.shard().get();
                }
            }
            if (next == null || next.prefix().length() == shard.prefix().length()) {
                throw Refusal.absent("no shard has the prefix " + Escapes.brief(prefix));
            }
            shard = next;
        }
        return shard;
    }

    void answerProof(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters parameters = Parameters.of(request, "at", "key");
        String key = parameters.require("key");
        byte[] proof = versions.at(parameters, "at").prove(key).bytes();
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "application/vnd.ipld.car; version=1");
        headers.put("Content-Disposition", "attachment; filename=\"proof.car\"");
        headers.put(JsonReply.NOT_STORED);
        headers.put(JsonReply.NO_SNIFFING);
        headers.put(HttpHeader.CONTENT_LENGTH, proof.length);
        response.write(
                true,
                HttpMethod.HEAD.is(request.getMethod()) ? ByteBuffer.allocate(0) : ByteBuffer.wrap(proof),
                callback);
    }
}
