package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Escapes;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.ipld.Cid;
import dev.pail.remote.wire.WireJson;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.spi.RefLog;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers what happened: the ref updates of a branch, the tags, and the events of a version. */
final class HistoryEndpoints {
    static final String LOG = "/v1/log/";

    /** The most events that a request reads, where few of them have the key that it asks for. */
    static final int MOST_READ = 10_000;

    /** The most changes of an event in an answer. An event with more counts as several events that are read. */
    static final int MOST_CHANGES = 100;

    /** How many characters of keys end a page. */
    static final int MOST_CHARACTERS = 4 << 20;

    private static final Pattern LOG_TOKEN = Pattern.compile("([0-9]{1,18}):(.*)");

    private final Repository repository;
    private final RequestedVersions versions;

    HistoryEndpoints(Repository repository, RequestedVersions versions) {
        this.repository = repository;
        this.versions = versions;
    }

    void answerLog(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        String branch = Parameters.decode(request.getHttpURI().getPath().substring(LOG.length()));
        Parameters parameters = Parameters.of(request, "after", "limit");
        int limit = parameters.limit();
        Optional<String> after = parameters.find("after");
        List<LogEntry> entries = new ArrayList<>();
        boolean isMore = false;
        // A branch that is not there is refused here.
        Snapshot now = repository.snapshot(branch);
        try (RefLog log = after.isPresent()
                ? log(branch, after.get())
                : repository.refs().log(branch, now.head(), now.generation())) {
            LogEntry entry = log.next();
            for (; entry != null && entries.size() < limit; entry = log.next()) {
                entries.add(entry);
            }
            isMore = entry != null;
        } catch (RepositoryException e) {
            throw after.isPresent() && e.reason() == RepositoryException.Reason.DAMAGED
                    ? Refusal.malformed("after names no update of the log: " + e.getMessage())
                    : e;
        }
        boolean hasNext = isMore;
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("name", branch);
            json.writeArrayFieldStart("updates");
            for (LogEntry entry : entries) {
                json.writeStartObject();
                json.writeNumberField("generation", entry.generation());
                json.writeStringField("time", entry.time().toString());
                json.writeStringField("reason", entry.reason());
                JsonReply.writeNote(json, repository.history().note(entry));
                WireJson.writeCids(json, "from", entry.from().events());
                WireJson.writeCids(json, "to", entry.to().events());
                json.writeEndObject();
            }
            json.writeEndArray();
            if (hasNext) {
                LogEntry last = entries.get(entries.size() - 1);
                json.writeStringField(
                        "next", (last.generation() - 1) + ":" + text(last.from().events()));
            }
        });
    }

    void answerTags(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters.of(request);
        SortedMap<String, Head> tags = new TreeMap<>();
        for (String name : repository.tags().names()) {
            // It may have been removed meanwhile.
            repository.tags().head(name).ifPresent(head -> tags.put(name, head));
        }
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeArrayFieldStart("tags");
            for (Map.Entry<String, Head> tag : tags.entrySet()) {
                json.writeStartObject();
                json.writeStringField("name", tag.getKey());
                WireJson.writeCids(json, "head", tag.getValue().events());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /** The updates before a page, by the generation and the head of the newest of them. */
    private RefLog log(String branch, String token) {
        Matcher matcher = LOG_TOKEN.matcher(token);
        if (!matcher.matches()) {
            throw Refusal.malformed("after is what the page before has as next, not " + Escapes.brief(token));
        }
        return repository.refs().log(branch, Head.of(cids(matcher.group(2))), Long.parseLong(matcher.group(1)));
    }

    private static List<Cid> cids(String text) {
        // A branch that was removed has no events, and its log goes further back.
        return Stream.of(text.isEmpty() ? new String[0] : text.split(",", -1))
                .map(each -> RequestedVersions.parse(each)
                        .filter(Cid::isShardLink)
                        .orElseThrow(() -> Refusal.malformed("not the CID of an event: " + Escapes.brief(each))))
                .toList();
    }

    private static String text(Collection<Cid> cids) {
        return cids.stream().map(Cid::toString).collect(Collectors.joining(","));
    }

    void answerHistory(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Parameters parameters = Parameters.of(request, "at", "after", "key", "limit");
        int limit = parameters.limit();
        Optional<String> key = parameters.find("key");
        if (parameters.find("at").isPresent() && parameters.find("after").isPresent()) {
            throw Refusal.malformed("at is for the first page: after names what follows");
        }
        Head head = versions.headAt(parameters, parameters.find("after").isPresent() ? "after" : "at");
        Page page = page(head, key, limit);
        KeyNames names = new KeyNames(
                page.entries.stream()
                        .flatMap(entry -> shown(entry.changes()).stream())
                        .map(Operation.Change::key)
                        .toList(),
                List.of(() -> repository.pailAt(head)));
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeArrayFieldStart("events");
            for (HistoryEntry entry : page.entries) {
                json.writeStartObject();
                write(json, entry, names);
                json.writeEndObject();
            }
            json.writeEndArray();
            if (!page.next.isEmpty()) {
                json.writeStringField("next", text(page.next));
            }
        });
    }

    /** @param next the head of the events that are left; empty at the end */
    private record Page(List<HistoryEntry> entries, Collection<Cid> next) {}

    /**
     * Events come before those that they follow. So the parents of those that were read which were not read themselves lead to all that are
     * left, and to none that was read.
     */
    private Page page(Head head, Optional<String> key, int limit) {
        Set<Cid> open = new LinkedHashSet<>(head.events());
        List<HistoryEntry> found = new ArrayList<>();
        int read = 0;
        long characters = 0;
        try (Stream<HistoryEntry> entries = repository.history().of(head)) {
            Iterator<HistoryEntry> each = entries.iterator();
            // A next page has all open events in its address.
            while ((found.size() < limit && read < MOST_READ && characters < MOST_CHARACTERS)
                    || open.size() > RequestedVersions.MOST_EVENTS) {
                if (!each.hasNext()) {
                    return new Page(found, List.of());
                }
                HistoryEntry entry = each.next();
                read += 1 + entry.changes().size() / MOST_CHANGES;
                if (read > 2 * MOST_READ && open.size() > RequestedVersions.MOST_EVENTS) {
                    throw Refusal.tooMuch(
                            "more than " + RequestedVersions.MOST_EVENTS + " lines of work run side by side here");
                }
                open.remove(entry.event().cid());
                open.addAll(entry.parents());
                List<Operation.Change> changes = entry.changes().stream()
                        .filter(change -> key.isEmpty() || change.key().equals(key.get()))
                        .toList();
                if (!changes.isEmpty() || key.isEmpty()) {
                    characters += shown(changes).stream()
                            .mapToLong(change -> change.key().length())
                            .sum();
                    found.add(entry.with(changes));
                }
            }
        }
        return new Page(found, open);
    }

    private static List<Operation.Change> shown(List<Operation.Change> changes) {
        return changes.subList(0, Math.min(MOST_CHANGES, changes.size()));
    }

    private static void write(JsonGenerator json, HistoryEntry entry, KeyNames names) throws IOException {
        Event event = entry.event();
        json.writeStringField("event", event.cid().toString());
        json.writeStringField("root", event.root().toString());
        WireJson.writeCids(json, "parents", entry.parents());
        if (entry.time().isPresent()) {
            json.writeStringField("time", entry.time().get().toString());
        } else if (entry.origin().isPresent()) {
            json.writeStringField("imported", entry.origin().get().time().toString());
        }
        JsonReply.writeNote(json, entry.note());
        json.writeNumberField("count", entry.changes().size());
        json.writeArrayFieldStart("ops");
        for (Operation.Change change : shown(entry.changes())) {
            json.writeStartObject();
            json.writeStringField("op", change instanceof Operation.Put ? "put" : "del");
            json.writeStringField("key", change.key());
            names.write(json, change.key());
            if (change instanceof Operation.Put put) {
                json.writeStringField("value", put.value().toString());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
