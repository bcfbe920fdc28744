package dev.pail.remote.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.ShardFormat;
import dev.pail.bytes.Utf8;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.remote.FetchRequest;
import dev.pail.remote.NextReads;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.RemoteInfo;
import dev.pail.remote.RemoteState;
import dev.pail.remote.RemoteTag;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RefToken;
import dev.pail.sign.HeadNote;
import dev.pail.sign.InvalidNoteException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What clients and servers write to each other beside CARs, as JSON. Rule SY2.
 *
 * <p>All methods that read throw {@link MalformedDataException} if bytes are no such message.
 */
public final class Messages {
    /** The header with the generation of the branch that a CAR comes from. */
    public static final String GENERATION = "Pail-Generation";

    /** The media type of a CAR in which shards may be deltas (CAR13). Rule SY11. */
    public static final String DELTA = "application/vnd.pail.delta";

    private Messages() {}

    /** An error: a sentence, a code for programs, and what else there is to say. */
    public record Problem(String message, String code, Optional<Cid> cid, Optional<RemoteBranch> current) {}

    /** What a server says of itself. */
    public static byte[] info(RemoteInfo info) {
        return WireJson.write(json -> write(json, info));
    }

    /** What a server says of itself, and where its branches stand. */
    public static byte[] state(RemoteState state) {
        return WireJson.write(json -> {
            write(json, state.info());
            write(json, state.branches());
            if (state.root().isPresent()) {
                json.writeStringField("root", state.root().get().toString());
            }
        });
    }

    /** Reads {@link #state}; empty, if the answer is {@link #info} alone. */
    public static Optional<RemoteState> readState(byte[] bytes) {
        return reading(
                bytes,
                fields -> fields.containsKey("branches")
                        ? Optional.of(new RemoteState(info(fields), branches(fields), root(fields)))
                        : Optional.empty());
    }

    /** Reads the root of {@link #branch}, if it is there. */
    public static Optional<Cid> readRoot(byte[] bytes) {
        return reading(bytes, Messages::root);
    }

    private static Optional<Cid> root(Map<?, ?> fields) {
        return fields.containsKey("root") ? Optional.of(Cid.parse(of(fields, "root", String.class))) : Optional.empty();
    }

    private static void write(JsonGenerator json, RemoteInfo info) throws IOException {
        json.writeObjectFieldStart("format");
        json.writeStringField("name", info.format().name());
        for (Map.Entry<String, Integer> each : info.format().configuration().entrySet()) {
            json.writeNumberField(each.getKey(), each.getValue());
        }
        json.writeEndObject();
        json.writeStringField("current", info.current());
        json.writeNumberField("maxBody", info.maxBody());
        if (!info.needs().isEmpty()) {
            WireJson.writeTexts(json, "needs", info.needs());
        }
        if (info.id().isPresent()) {
            json.writeStringField("id", info.id().get());
        }
        json.writeArrayFieldStart("features");
        for (String feature : List.of(
                "fetch", "push", "merge", "blocks", "delta", "events", "missing", "tags", "signed-heads", "reads")) {
            json.writeString(feature);
        }
        json.writeEndArray();
    }

    /** Reads {@link #info}. */
    public static RemoteInfo readInfo(byte[] bytes) {
        return reading(bytes, Messages::info);
    }

    private static RemoteInfo info(Map<?, ?> fields) {
        Map<String, Integer> configuration = new TreeMap<>();
        String name = "";
        Map<?, ?> format = of(fields, "format", Map.class);
        for (Map.Entry<?, ?> each : format.entrySet()) {
            if (each.getValue() instanceof Long number) {
                configuration.put(String.valueOf(each.getKey()), Math.toIntExact(number));
            } else if ("name".equals(each.getKey())) {
                name = String.valueOf(each.getValue());
            }
        }
        return new RemoteInfo(
                ShardFormat.of(name, configuration),
                of(fields, "current", String.class),
                of(fields, "maxBody", Long.class),
                texts(fields, "needs"),
                fields.containsKey("id") ? Optional.of(of(fields, "id", String.class)) : Optional.empty());
    }

    /** A list of branches. */
    public static byte[] branches(List<RemoteBranch> branches) {
        return WireJson.write(json -> write(json, branches));
    }

    private static void write(JsonGenerator json, List<RemoteBranch> branches) throws IOException {
        json.writeArrayFieldStart("branches");
        for (RemoteBranch branch : branches) {
            json.writeStartObject();
            write(json, branch, Optional.empty());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Reads {@link #branches}. */
    public static List<RemoteBranch> readBranches(byte[] bytes) {
        return reading(bytes, Messages::branches);
    }

    private static List<RemoteBranch> branches(Map<?, ?> fields) {
        List<RemoteBranch> branches = new ArrayList<>();
        for (Object each : of(fields, "branches", List.class)) {
            branches.add(branch(as(each, Map.class)));
        }
        return branches;
    }

    /** A branch. */
    public static byte[] branch(RemoteBranch branch, Optional<Cid> root) {
        return WireJson.write(json -> write(json, branch, root));
    }

    /** Reads {@link #branch}. */
    public static RemoteBranch readBranch(byte[] bytes) {
        return reading(bytes, Messages::branch);
    }

    private static void write(JsonGenerator json, RemoteBranch branch, Optional<Cid> root) throws IOException {
        json.writeStringField("name", branch.name());
        json.writeNumberField("generation", branch.generation());
        WireJson.writeCids(json, "head", branch.head().events());
        if (root.isPresent()) {
            json.writeStringField("root", root.get().toString());
        }
    }

    private static RemoteBranch branch(Map<?, ?> fields) {
        return new RemoteBranch(
                of(fields, "name", String.class), of(fields, "generation", Long.class), Head.of(cids(fields, "head")));
    }

    /** Reads a list of tags, as the API has it. */
    public static List<RemoteTag> readTags(byte[] bytes) {
        return reading(bytes, fields -> {
            List<RemoteTag> tags = new ArrayList<>();
            for (Object each : of(fields, "tags", List.class)) {
                tags.add(tag(as(each, Map.class)));
            }
            return tags;
        });
    }

    /** A tag. */
    public static byte[] tag(RemoteTag tag) {
        return WireJson.write(json -> {
            json.writeStringField("name", tag.name());
            WireJson.writeCids(json, "head", tag.head().events());
        });
    }

    /** Reads {@link #tag}. */
    public static RemoteTag readTag(byte[] bytes) {
        return reading(bytes, Messages::tag);
    }

    private static RemoteTag tag(Map<?, ?> fields) {
        return new RemoteTag(of(fields, "name", String.class), Head.of(cids(fields, "head")));
    }

    /** Notes of signed heads. */
    public static byte[] headNotes(List<HeadNote> notes) {
        return WireJson.write(json -> WireJson.writeTexts(
                json, "notes", notes.stream().map(HeadNote::toString).toList()));
    }

    /** Reads {@link #headNotes}. */
    public static List<HeadNote> readHeadNotes(byte[] bytes) {
        return reading(bytes, fields -> {
            List<HeadNote> notes = new ArrayList<>();
            for (Object each : of(fields, "notes", List.class)) {
                try {
                    notes.add(HeadNote.parse(Utf8.encode(as(each, String.class))));
                } catch (InvalidNoteException e) {
                    throw new MalformedDataException(0, e.reason());
                }
            }
            return notes;
        });
    }

    /** A request for a branch. */
    public static byte[] fetch(FetchRequest request) {
        return WireJson.write(json -> {
            json.writeArrayFieldStart("want");
            json.writeString(request.branch());
            json.writeEndArray();
            WireJson.writeCids(json, "have", request.have());
            writeUnderstood(json, request);
            json.writeBooleanField("values", request.hasValues());
            if (request.unless().isPresent()) {
                writeUnless(json, request.unless().get());
            }
        });
    }

    /** A server of version 0.2.0 reads a number only, and would compare the number alone. So it is not given one. */
    private static void writeUnless(JsonGenerator json, RefToken state) throws IOException {
        if (state.hash().isPresent()) {
            json.writeStringField("unlessToken", state.toString());
        } else {
            json.writeNumberField("unless", state.generation());
        }
    }

    private static Optional<RefToken> unless(Map<?, ?> fields) {
        if (fields.containsKey("unlessToken")) {
            String text = of(fields, "unlessToken", String.class);
            return Optional.of(RefToken.parse(text)
                    .orElseThrow(() -> new MalformedDataException(0, "\"unlessToken\" is no token")));
        }
        return fields.containsKey("unless")
                ? Optional.of(RefToken.ofGeneration(of(fields, "unless", Long.class)))
                : Optional.empty();
    }

    /** A request for the first events that a fetch would bring. */
    public static byte[] events(FetchRequest request) {
        return WireJson.write(json -> {
            json.writeBooleanField("events", true);
            json.writeArrayFieldStart("want");
            json.writeString(request.branch());
            json.writeEndArray();
            WireJson.writeCids(json, "have", request.have());
            writeUnderstood(json, request);
        });
    }

    private static void writeUnderstood(JsonGenerator json, FetchRequest request) throws IOException {
        if (!request.understands().isEmpty()) {
            WireJson.writeTexts(json, "understands", Need.list(request.understands()));
        }
    }

    /** Words of this version; a receiver may understand more. */
    private static Set<Need> understood(Map<?, ?> fields) {
        List<String> words = texts(fields, "understands");
        return Arrays.stream(Need.values())
                .filter(need -> words.contains(need.word()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static List<String> texts(Map<?, ?> fields, String name) {
        List<String> texts = new ArrayList<>();
        if (fields.containsKey(name)) {
            for (Object each : of(fields, name, List.class)) {
                texts.add(as(each, String.class));
            }
        }
        return texts;
    }

    /** Whether a request for a branch is {@link #events}. */
    public static boolean isEvents(byte[] bytes) {
        return reading(bytes, fields -> Boolean.TRUE.equals(fields.get("events")));
    }

    /** Reads {@link #fetch}. */
    public static FetchRequest readFetch(byte[] bytes) {
        return reading(bytes, fields -> {
            List<?> want = of(fields, "want", List.class);
            if (want.size() != 1) {
                throw new MalformedDataException(0, "\"want\" has the name of one branch");
            }
            boolean hasValues = !fields.containsKey("values") || of(fields, "values", Boolean.class);
            List<Cid> have = fields.containsKey("have") ? cids(fields, "have") : List.of();
            return new FetchRequest(as(want.get(0), String.class), have, hasValues, understood(fields), unless(fields));
        });
    }

    /** A request for blocks. */
    public static byte[] blocks(List<Cid> cids) {
        return WireJson.write(json -> WireJson.writeCids(json, "cids", cids));
    }

    /** A request for blocks, and for those that are read next. */
    public static byte[] blocks(List<Cid> cids, NextReads next) {
        return WireJson.write(json -> {
            WireJson.writeCids(json, "cids", cids);
            json.writeObjectFieldStart("next");
            json.writeNumberField("most", next.most());
            if (next instanceof NextReads.Entries entries) {
                WireJson.writeCids(json, "path", entries.path());
                write(json, entries.range());
            } else if (next instanceof NextReads.Changes changes) {
                WireJson.writeCids(json, "versions", List.of(changes.before(), changes.after()));
                write(json, changes.range());
            }
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, KeyRange range) throws IOException {
        if (range.lower().isPresent()) {
            json.writeStringField("from", range.lower().get());
        }
        if (range.upper().isPresent()) {
            json.writeStringField(
                    range.isPastUpper() ? "prefix" : "through", range.upper().get());
        }
        if (range.isDescending()) {
            json.writeBooleanField("descending", true);
        }
    }

    /** Reads what is read next, if a request for blocks says that. */
    public static Optional<NextReads> readNext(byte[] bytes) {
        return reading(bytes, fields -> {
            if (!fields.containsKey("next")) {
                return Optional.empty();
            }
            Map<?, ?> next = of(fields, "next", Map.class);
            int most = Math.toIntExact(of(next, "most", Long.class));
            if (next.containsKey("path")) {
                return Optional.of(new NextReads.Entries(cids(next, "path"), range(next), most));
            }
            if (next.containsKey("versions")) {
                List<Cid> versions = cids(next, "versions");
                if (versions.size() != 2) {
                    throw new MalformedDataException(0, "\"versions\" has two roots");
                }
                return Optional.of(new NextReads.Changes(versions.get(0), versions.get(1), range(next), most));
            }
            return Optional.of(new NextReads.History(most));
        });
    }

    private static KeyRange range(Map<?, ?> fields) {
        try {
            KeyRange range = KeyRange.all();
            if (fields.containsKey("from")) {
                range = range.from(of(fields, "from", String.class));
            }
            if (fields.containsKey("through")) {
                range = range.through(of(fields, "through", String.class));
            } else if (fields.containsKey("prefix")) {
                range = range.throughPrefix(of(fields, "prefix", String.class));
            }
            return Boolean.TRUE.equals(fields.get("descending")) ? range.descending() : range;
        } catch (KeyNotAllowedException e) {
            throw new MalformedDataException(0, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads {@link #blocks}.
     *
     * @param most how many CIDs it may have
     */
    public static List<Cid> readBlocks(byte[] bytes, int most) {
        return reading(bytes, fields -> {
            List<Cid> cids = cids(fields, "cids");
            if (cids.size() > most) {
                throw new MalformedDataException(0, "\"cids\" has at most " + most);
            }
            return cids;
        });
    }

    /** That a fetch should name older events. */
    public static byte[] moreHaves() {
        return WireJson.write(json -> json.writeStringField("need", "more-haves"));
    }

    /** Whether this is {@link #moreHaves}. */
    public static boolean isMoreHaves(byte[] bytes) {
        return reading(bytes, fields -> "more-haves".equals(fields.get("need")));
    }

    /** An error. */
    public static byte[] problem(Problem problem) {
        return WireJson.write(json -> {
            json.writeStringField("error", problem.message());
            json.writeStringField("code", problem.code());
            if (problem.cid().isPresent()) {
                json.writeStringField("cid", problem.cid().get().toString());
            }
            if (problem.current().isPresent()) {
                json.writeObjectFieldStart("current");
                write(json, problem.current().get(), Optional.empty());
                json.writeEndObject();
            }
        });
    }

    /** Reads {@link #problem}. */
    public static Problem readProblem(byte[] bytes) {
        return reading(
                bytes,
                fields -> new Problem(
                        of(fields, "error", String.class),
                        of(fields, "code", String.class),
                        fields.containsKey("cid")
                                ? Optional.of(Cid.parse(of(fields, "cid", String.class)))
                                : Optional.empty(),
                        fields.containsKey("current")
                                ? Optional.of(branch(of(fields, "current", Map.class)))
                                : Optional.empty()));
    }

    private interface Reading<T> {
        T from(Map<?, ?> fields);
    }

    private static <T> T reading(byte[] bytes, Reading<T> reading) {
        try {
            return reading.from(WireJson.read(bytes));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new MalformedDataException(0, String.valueOf(e.getMessage()));
        }
    }

    private static List<Cid> cids(Map<?, ?> fields, String name) {
        List<Cid> cids = new ArrayList<>();
        for (Object each : of(fields, name, List.class)) {
            cids.add(Cid.parse(as(each, String.class)));
        }
        return cids;
    }

    private static <T> T of(Map<?, ?> fields, String name, Class<T> type) {
        Object value = fields.get(name);
        if (!type.isInstance(value)) {
            throw new MalformedDataException(0, "a message lacks \"" + name + "\"");
        }
        return type.cast(value);
    }

    private static <T> T as(Object value, Class<T> type) {
        if (!type.isInstance(value)) {
            throw new MalformedDataException(0, "a message has a value of another type");
        }
        return type.cast(value);
    }
}
