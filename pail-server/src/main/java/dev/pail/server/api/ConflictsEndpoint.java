package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Conflict;
import dev.pail.Escapes;
import dev.pail.clock.Description;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.OpenConflict;
import dev.pail.ipld.Cid;
import dev.pail.remote.RemoteBranch;
import dev.pail.repository.Repository;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.table.TableConflict;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Lists the open conflicts of a branch, and decides one of them. */
final class ConflictsEndpoint implements Endpoint {
    private static final String BASE = "base";
    private static final String NOW = "now";

    private final Repository repository;
    private final Writes writes;

    ConflictsEndpoint(Writes writes) {
        this.repository = writes.repository();
        this.writes = writes;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD, POST");
        if (request.getMethod().equals("POST")) {
            decide(request, response, callback);
        } else {
            list(request, response, callback);
        }
    }

    private void list(Request request, Response response, Callback callback) {
        Parameters parameters = Parameters.of(request, "branch", "after", "limit");
        String branch = parameters.find("branch").orElse(Repository.MAIN);
        int limit = parameters.limit();
        String after = parameters.find("after").orElse("");
        List<ConflictEntry> all = repository.conflicts().of(branch);
        List<ConflictEntry> open = all.stream()
                .filter(each -> after.isEmpty() || each.conflict().key().compareTo(after) > 0)
                .toList();
        List<ConflictEntry> page = open.subList(0, Math.min(limit, open.size()));
        MerkleClock clock = MerkleClock.open(repository.blocks());
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("name", branch);
            json.writeNumberField("count", all.size());
            json.writeArrayFieldStart("conflicts");
            for (ConflictEntry each : page) {
                json.writeStartObject();
                write(json, clock, each);
                json.writeEndObject();
            }
            json.writeEndArray();
            if (page.size() < open.size()) {
                json.writeStringField(
                        "next", page.get(page.size() - 1).conflict().key());
            }
        });
    }

    private static void write(JsonGenerator json, MerkleClock clock, ConflictEntry entry) throws IOException {
        Conflict conflict = entry.conflict();
        json.writeStringField("key", conflict.key());
        if (conflict instanceof TableConflict found) {
            KeyNames.write(json, found);
        }
        JsonReply.writeCid(json, BASE, conflict.base());
        JsonReply.writeCid(json, NOW, entry.stands());
        json.writeArrayFieldStart("sides");
        for (OpenConflict.Side side : entry.sides()) {
            json.writeStartObject();
            json.writeStringField("event", side.event().toString());
            JsonReply.writeCid(json, "value", side.value());
            Optional<Description> description = clock.event(side.event()).description();
            if (description.flatMap(Description::time).isPresent()) {
                json.writeStringField(
                        "time", description.flatMap(Description::time).get().toString());
            }
            JsonReply.writeNote(json, description.map(Note::of).orElse(Note.NONE));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Takes the value that one event put, that of the base, or the one that stands. */
    private void decide(Request request, Response response, Callback callback) {
        Parameters parameters = Parameters.of(request, "branch", "key", "take");
        String branch = parameters.require("branch");
        String key = parameters.text("key");
        String take = parameters.require("take");
        writes.check(request, branch);
        var unused = repository
                .withNote(Caller.of(request).note())
                .conflicts()
                .resolve(branch, List.of(key), (entry, blocks) -> value(entry, take));
        Snapshot now = repository.snapshot(branch);
        RemoteBranch made = new RemoteBranch(branch, now.generation(), now.head());
        JsonReply.sendBranch(request, response, callback, made, Optional.of(now.root()));
    }

    private static Optional<Cid> value(ConflictEntry entry, String take) {
        return switch (take) {
            case BASE -> entry.conflict().base();
            case NOW -> entry.stands();
            default ->
                entry.sides().stream()
                        .filter(side -> side.event().toString().equals(take))
                        .findFirst()
                        .orElseThrow(() -> new RepositoryException(
                                RepositoryException.Reason.NO_CONFLICT,
                                "no side of the conflict: " + Escapes.brief(take),
                                "take is " + BASE + ", " + NOW + ", or the event of a side",
                                null))
                        .value();
        };
    }
}
