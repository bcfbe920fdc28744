package dev.pail.cli.command.exchange;

import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Outputs;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.clock.proof.FollowsProof;
import dev.pail.ipld.Cid;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes a proof. */
public final class ProveCommand extends Command {
    private static final Option.Text OUTPUT =
            Option.text("FILE", "Write this file; - for standard output.", "-o", "--output");

    private static final Option.Text FROM =
            Option.text("REVISION", "Prove what differs from this version: one as for --at.", "--from");

    private static final Option.Text PREFIX = Option.text("PREFIX", "All keys that start with this.", "--prefix");

    private static final Option.Text FOLLOWS = Option.text(
            "REVISION", "Prove that the event of the version follows this one: one as for --at.", "--follows");

    /** In bytes: in the formats v1 and v2, the proof of a key is far smaller. */
    private static final int LARGE = 64 << 10;

    public ProveCommand() {
        super(
                "prove",
                "Writes a proof of the value of a key, or that it has none, to a CAR file.",
                "With --prefix or bounds, it proves all keys and values of that range. With --from, it proves which keys differ from that",
                "version, of all keys, of a range, or of one key. The file has the shards that pail check needs,",
                "and no values. The command prints the root that the proof is for, with --from both roots: give it to the reader in another way.",
                "In the format v0 a proof is large: whole shards of up to 512 KiB. With --follows, it proves that the newest event of the version follows",
                "an older one: the history was added to, and not replaced. This file has events only, and the command prints both of them. It is small if",
                "the events have trees, as pail writes them in a folder. The exit status is 1 if it does not follow.");
        parameter("KEY", "0..1", "The key.");
        takes(OUTPUT, FROM, FOLLOWS);
        addRange(this);
        inNamespace();
        readsAt();
        examples(
                "  pail prove photos/1.jpg -o one.car",
                "  pail prove ann --namespace users/eu -o ann.car",
                "  pail prove --prefix photos/ -o photos.car",
                "  pail prove --gte 2024-07 --lt 2024-08 --at v1 -o july.car",
                "  pail prove --from @{1} -o changes.car",
                "  pail prove --follows @{1} -o follows.car");
    }

    /** Adds the options of a range to a command: {@link #range} heeds them. */
    static void addRange(Command command) {
        command.takes(PREFIX);
        command.hasBounds();
    }

    /**
     * Refuses what no proof can be of.
     *
     * @param key the key, if one was given
     * @param how a key is named
     */
    static void checkAsked(Call call, @Nullable String key, String how) {
        boolean isDiff = call.get(FROM) != null;
        boolean isRange =
                Stream.of(PREFIX, Call.GT, Call.GTE, Call.LT, Call.LTE).anyMatch(call::isGiven);
        if (key != null && isRange) {
            throw Failure.usage("a key or a range: " + how + " is not for " + PREFIX + " and bounds");
        }
        if (key == null && !isRange && !isDiff) {
            throw Failure.usage("name a key with " + how + ", or a range with " + PREFIX + ", --gte and --lt");
        }
        if (call.isInNamespace() && (key == null || isDiff)) {
            throw Failure.usage(
                    "a proof in a namespace is of one key: --namespace is not for " + PREFIX + ", bounds and " + FROM);
        }
    }

    /**
     * What one version is asked.
     *
     * @param pail of the format of the version
     * @param key the key, if one was given
     */
    static Query query(Call call, Pail pail, @Nullable String key) {
        return key == null ? new Query.Range(range(call, null)) : new Query.Key(call.key(pail, key));
    }

    /** The keys that are compared: that key alone, if one was given. */
    static KeyRange range(Call call, @Nullable String key) {
        if (key != null) {
            return KeyRange.all().from(key).through(key);
        }
        String prefix = call.get(PREFIX);
        return call.bounded(prefix == null ? KeyRange.all() : KeyRange.prefix(prefix));
    }

    /** Refuses what a proof of events does not ask. */
    static void checkNoKeys(Call call, @Nullable String key, Option follows, Option... others) {
        Option[] all = {PREFIX, Call.GT, Call.GTE, Call.LT, Call.LTE};
        if (key != null
                || call.isInNamespace()
                || Stream.concat(Stream.of(all), Stream.of(others)).anyMatch(call::isGiven)) {
            throw Failure.usage(follows + " is of two events, without a key, a range or a root");
        }
    }

    @Override
    public int run(Call call) {
        String key = call.optionalParameter(0);
        String follows = call.get(FOLLOWS);
        if (follows == null) {
            checkAsked(call, key, "KEY");
        } else {
            checkNoKeys(call, key, FOLLOWS, FROM);
        }
        String name = call.get(OUTPUT);
        Terminal terminal = call.terminal();
        if (name == null) {
            throw Failure.usage("name the file to write with -o FILE");
        }
        if (name.equals(Inputs.STANDARD) && terminal.isOutTerminal()) {
            throw Failure.usage("a CAR is not for a terminal: give a file, or redirect standard output");
        }
        try (Versions versions = call.versions()) {
            if (follows == null) {
                ofKeys(call, versions, key, name);
            } else {
                ofEvents(call, versions, follows, name);
            }
            return Exit.DONE;
        }
    }

    private static void ofKeys(Call call, Versions versions, @Nullable String key, String name) {
        Pail pail = versions.pail();
        checkReplaceable(call, name);
        String from = call.get(FROM);
        Map<String, Cid> roots = new LinkedHashMap<>();
        Proof proof;
        if (from == null) {
            proof = pail.prove(query(call, pail, key), ProofLimits.DEFAULT);
        } else {
            Pail before = versions.find(from).pail();
            roots.put("from", before.root());
            proof = before.proveDiff(pail, range(call, key), ProofLimits.DEFAULT);
        }
        roots.put("root", pail.root());
        byte[] bytes = proof.bytes();
        write(call.terminal(), name, bytes, proof.blocks().size(), roots);
        if (bytes.length > LARGE && pail.format().name().equals("v0")) {
            call.terminal()
                    .warn(
                            "the proof has " + bytes.length
                                    + " bytes, as shards of the format v0 are large; v1 has small ones: pail convert --format v1");
        }
    }

    private static void ofEvents(Call call, Versions versions, String follows, String name) {
        Cid older = event(versions.headOf(follows), follows);
        Cid newer = event(versions.head(), "the version");
        checkReplaceable(call, name);
        FollowsProof proof = FollowsProof.of(versions.blocks(), newer, older, ProofLimits.DEFAULT)
                .orElseThrow(() -> new Failure.Found(
                        Exit.NO,
                        "does-not-follow",
                        newer + " does not follow " + older,
                        "see what a version follows with: pail log"));
        Map<String, Cid> events = new LinkedHashMap<>();
        events.put("follows", older);
        events.put("event", newer);
        write(call.terminal(), name, proof.bytes(), proof.blocks().size(), events);
    }

    /** The one event of a head. */
    private static Cid event(Optional<Head> head, String what) {
        List<Cid> events = head.orElseThrow(() -> Versions.withoutHistory(what)).events();
        if (events.size() != 1) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "ambiguous-version",
                    (events.isEmpty() ? "no event: " : "more than one event: ") + Escapes.brief(what),
                    "name one event, as pail log shows them");
        }
        return events.get(0);
    }

    private static void checkReplaceable(Call call, String name) {
        if (!name.equals(Inputs.STANDARD)) {
            Outputs.checkReplaceable(call.terminal().path(name));
        }
    }

    /** @param cids what the reader needs to know, by the names of JSON */
    private static void write(Terminal terminal, String name, byte[] bytes, int blocks, Map<String, Cid> cids) {
        if (name.equals(Inputs.STANDARD)) {
            terminal.write(bytes);
            return;
        }
        Outputs.write(terminal.path(name), out -> {
            out.write(bytes);
            return name;
        });
        terminal.changed = "wrote " + name;
        if (terminal.json) {
            terminal.printJson(json -> {
                for (Map.Entry<String, Cid> each : cids.entrySet()) {
                    json.writeStringField(each.getKey(), each.getValue().toString());
                }
                json.writeNumberField("blocks", blocks);
                json.writeNumberField("bytes", bytes.length);
            });
        } else if (!terminal.quiet) {
            terminal.print("blocks: " + blocks + ", bytes: " + bytes.length);
            cids.values().forEach(cid -> terminal.print(cid.toString()));
        }
    }
}
