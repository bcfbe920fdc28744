package dev.pail.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pail.Entry;
import dev.pail.ShardFormat;
import dev.pail.ipld.Cid;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The npm packages in one Node process, which answers request by request. */
final class InteropReplay implements AutoCloseable {
    private final Process node;
    private final BufferedWriter requests;
    private final BufferedReader answers;

    InteropReplay(InteropNode installed) {
        node = installed.start("replay.js");
        requests = node.outputWriter(StandardCharsets.UTF_8);
        answers = node.inputReader(StandardCharsets.UTF_8);
    }

    /** What a pail holds, and the size of its largest shard in bytes. */
    record Look(List<Entry> entries, int largestShard) {}

    /** An empty pail. Forgets all others. */
    InteropOutcome create(ShardFormat format) {
        ObjectNode request = request("create", format);
        request.set("configuration", InteropNode.JSON.valueToTree(format.configuration()));
        return outcome(ask(request));
    }

    InteropOutcome apply(ShardFormat format, Cid root, InteropHistory.Change change) {
        ObjectNode request;
        if (change instanceof InteropHistory.Put put) {
            request = set(request("put", format), put);
        } else if (change instanceof InteropHistory.Delete delete) {
            request = request("del", format).put("key", delete.key());
        } else {
            request = request("batch", format);
            for (InteropHistory.Put put : ((InteropHistory.Several) change).puts()) {
                set(request.withArray("ops").addObject(), put);
            }
        }
        return outcome(ask(request.put("root", root.toString())));
    }

    private static ObjectNode set(ObjectNode json, InteropHistory.Put put) {
        return json.put("key", put.key()).put("value", put.value().toString());
    }

    Look look(ShardFormat format, Cid root) {
        JsonNode answer = ask(request("look", format).put("root", root.toString()));
        if (answer.has("error")) {
            throw new AssertionError("cannot list " + root + ": " + answer);
        }
        return new Look(
                InteropRepository.entries(answer.get("entries")),
                answer.get("largest").asInt());
    }

    private static ObjectNode request(String op, ShardFormat format) {
        return InteropNode.JSON.createObjectNode().put("op", op).put("format", format.name());
    }

    private static InteropOutcome outcome(JsonNode answer) {
        if (answer.has("root")) {
            return InteropOutcome.root(Cid.parse(answer.get("root").asText()));
        }
        String error = answer.get("error").asText();
        if (error.equals("shard limit reached")) {
            return InteropOutcome.LIMIT;
        }
        boolean key = error.equals("key contains non-ASCII characters") || error.contains("key exceeds max size");
        return key ? InteropOutcome.KEY : InteropOutcome.failure(error);
    }

    private JsonNode ask(ObjectNode request) {
        try {
            requests.write(InteropNode.JSON.writeValueAsString(request));
            requests.write('\n');
            requests.flush();
            String answer = answers.readLine();
            if (answer == null) {
                throw new AssertionError("replay.js ended at " + request);
            }
            return InteropNode.JSON.readTree(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        node.destroy();
    }
}
