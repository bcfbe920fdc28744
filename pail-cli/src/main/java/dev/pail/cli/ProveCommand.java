package dev.pail.cli;

import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes a proof. */
final class ProveCommand extends Command {
    /** In bytes: in the formats v1 and v2, the proof of a key is far smaller. */
    private static final int LARGE = 64 << 10;

    private static final String OUTPUT = "--output";
    private static final String PREFIX = "--prefix";

    ProveCommand() {
        super(
                "prove",
                "Writes a proof of the value of a key, or that it has none, to a CAR file.",
                "With --prefix or bounds, it proves all keys and values of that range. The file has the shards that pail check needs,",
                "and no values. The command prints the root that the proof is for: give it to the reader in another way.",
                "In the format v0 a proof is large: whole shards of up to 512 KiB.");
        parameter("KEY", "0..1", "The key.");
        option(String.class, "FILE", "Write this file; - for standard output.", "-o", OUTPUT);
        addRange(this);
        readsAt();
        examples(
                "  pail prove photos/1.jpg -o one.car",
                "  pail prove --prefix photos/ -o photos.car",
                "  pail prove --gte 2024-07 --lt 2024-08 --at v1 -o july.car");
    }

    /** Adds the options of a range to a command: {@link #query} heeds them. */
    static void addRange(Command command) {
        command.option(String.class, "PREFIX", "All keys that start with this.", PREFIX);
        command.hasBounds();
    }

    /**
     * What a proof is asked.
     *
     * @param key the key, if one was given
     * @param how a key is named
     */
    static Query query(Call call, @Nullable String key, String how) {
        String prefix = call.option(PREFIX);
        KeyRange range = call.bounded(prefix == null ? KeyRange.all() : KeyRange.prefix(prefix));
        boolean isRange =
                Stream.of(PREFIX, "--gt", "--gte", "--lt", "--lte").anyMatch(name -> call.option(name) != null);
        if ((key != null) == isRange) {
            throw Failure.usage(
                    isRange
                            ? "a key or a range: " + how + " is not for " + PREFIX + " and bounds"
                            : "name a key with " + how + ", or a range with " + PREFIX + ", --gte and --lt");
        }
        return key != null ? new Query.Key(key) : new Query.Range(range);
    }

    @Override
    int run(Call call) {
        Query query = query(call, call.optionalParameter(0), "KEY");
        String name = call.option(OUTPUT);
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
            Proof proof = Proof.of(pail, query, ProofLimits.DEFAULT);
            byte[] bytes = proof.bytes();
            if (standard) {
                terminal.write(bytes);
            } else {
                Outputs.write(terminal.path(name), out -> {
                    out.write(bytes);
                    return name;
                });
                terminal.changed = "wrote " + name;
                print(terminal, pail, proof, bytes.length);
            }
            if (bytes.length > LARGE && pail.format().name().equals("v0")) {
                terminal.warn("the proof has " + bytes.length
                        + " bytes, as shards of the format v0 are large; v1 has small ones: pail convert --format v1");
            }
            return Exit.DONE;
        }
    }

    private static void print(Terminal terminal, Pail pail, Proof proof, int size) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("root", pail.root().toString());
                json.writeNumberField("blocks", proof.blocks().size());
                json.writeNumberField("bytes", size);
            });
        } else if (!terminal.quiet) {
            terminal.print("blocks: " + proof.blocks().size() + ", bytes: " + size);
            terminal.print(pail.root().toString());
        }
    }
}
