package dev.pail.cli.command.exchange;

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
import dev.pail.ipld.Cid;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes a proof. */
public final class ProveCommand extends Command {
    private static final Option.Text OUTPUT =
            Option.text("FILE", "Write this file; - for standard output.", "-o", "--output");

    private static final Option.Text FROM =
            Option.text("REVISION", "Prove what differs from this version: one as for --at.", "--from");

    private static final Option.Text PREFIX = Option.text("PREFIX", "All keys that start with this.", "--prefix");

    /** In bytes: in the formats v1 and v2, the proof of a key is far smaller. */
    private static final int LARGE = 64 << 10;

    public ProveCommand() {
        super(
                "prove",
                "Writes a proof of the value of a key, or that it has none, to a CAR file.",
                "With --prefix or bounds, it proves all keys and values of that range. With --from, it proves which keys differ from that",
                "version, of all keys, of a range, or of one key. The file has the shards that pail check needs,",
                "and no values. The command prints the root that the proof is for, with --from both roots: give it to the reader in another way.",
                "In the format v0 a proof is large: whole shards of up to 512 KiB.");
        parameter("KEY", "0..1", "The key.");
        takes(OUTPUT, FROM);
        addRange(this);
        inNamespace();
        readsAt();
        examples(
                "  pail prove photos/1.jpg -o one.car",
                "  pail prove ann --namespace users/eu -o ann.car",
                "  pail prove --prefix photos/ -o photos.car",
                "  pail prove --gte 2024-07 --lt 2024-08 --at v1 -o july.car",
                "  pail prove --from @{1} -o changes.car");
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

    @Override
    public int run(Call call) {
        String key = call.optionalParameter(0);
        checkAsked(call, key, "KEY");
        String from = call.get(FROM);
        String name = call.get(OUTPUT);
        Terminal terminal = call.terminal();
        if (name == null) {
            throw Failure.usage("name the file to write with -o FILE");
        }
        boolean standard = name.equals(Inputs.STANDARD);
        if (standard && terminal.isOutTerminal()) {
            throw Failure.usage("a CAR is not for a terminal: give a file, or redirect standard output");
        }
        try (Versions versions = call.versions()) {
            Pail pail = versions.pail();
            if (!standard) {
                Outputs.checkReplaceable(terminal.path(name));
            }
            List<Cid> roots = new ArrayList<>();
            Proof proof;
            if (from == null) {
                proof = pail.prove(query(call, pail, key), ProofLimits.DEFAULT);
            } else {
                Pail before = versions.find(from).pail();
                roots.add(before.root());
                proof = before.proveDiff(pail, range(call, key), ProofLimits.DEFAULT);
            }
            roots.add(pail.root());
            byte[] bytes = proof.bytes();
            if (standard) {
                terminal.write(bytes);
            } else {
                Outputs.write(terminal.path(name), out -> {
                    out.write(bytes);
                    return name;
                });
                terminal.changed = "wrote " + name;
                print(terminal, roots, proof.blocks().size(), bytes.length);
            }
            if (bytes.length > LARGE && pail.format().name().equals("v0")) {
                terminal.warn("the proof has " + bytes.length
                        + " bytes, as shards of the format v0 are large; v1 has small ones: pail convert --format v1");
            }
            return Exit.DONE;
        }
    }

    /** @param roots that of the version, and before it that of the earlier one in a diff */
    private static void print(Terminal terminal, List<Cid> roots, int blocks, int bytes) {
        if (terminal.json) {
            terminal.printJson(json -> {
                if (roots.size() > 1) {
                    json.writeStringField("from", roots.get(0).toString());
                }
                json.writeStringField("root", roots.get(roots.size() - 1).toString());
                json.writeNumberField("blocks", blocks);
                json.writeNumberField("bytes", bytes);
            });
        } else if (!terminal.quiet) {
            terminal.print("blocks: " + blocks + ", bytes: " + bytes);
            roots.forEach(root -> terminal.print(root.toString()));
        }
    }
}
