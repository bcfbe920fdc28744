package dev.pail.cli.command.map;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.KeyBytes;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import dev.pail.unixfs.UnixFs;
import dev.pail.unixfs.WalkLimits;
import dev.pail.values.ValueBytes;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Prints the bytes behind a value. */
public final class CatCommand extends Command {
    private static final Option.WholeNumber OFFSET =
            Option.number("N", "Begin at byte N of the value, from 0.", "--offset");

    private static final Option.WholeNumber LENGTH = Option.number("N", "Print at most N bytes.", "--length");

    private static final Option.Flag RAW = Option.flag("Print the block that the value names, as it is.", "--raw");

    /** How many bytes one line of JSON may have, before base64. */
    private static final int MAX_JSON = 8 << 20;

    public CatCommand() {
        super(
                "cat",
                "Prints the bytes of a value; with --json, in base64.",
                "They are those of a UnixFS file, of the block that the value names, or are in the value itself if it is an identity CID.",
                "Of a UnixFS folder, cat lists the entries: name, tab, CID.");
        parameter("KEY", "1..*", "The keys. Their bytes follow each other, with nothing between.");
        takes(OFFSET, LENGTH, RAW);
        inNamespace();
        readsAt();
        examples(
                "  pail cat readme",
                "  pail cat readme --at @{1}",
                "  pail cat films/1.mkv --offset 1000000 --length 4096 > part");
    }

    @Override
    public int run(Call call) {
        long offset = call.isGiven(OFFSET) ? call.limit(OFFSET) : 0;
        long length = call.limit(LENGTH);
        try (Versions versions = call.versions()) {
            Pail pail = versions.pail();
            Map<String, Cid> values = new LinkedHashMap<>();
            List<String> absent = new ArrayList<>();
            for (String key : call.parameters(0)) {
                pail.get(call.key(pail, key)).ifPresentOrElse(value -> values.put(key, value), () -> absent.add(key));
            }
            if (!absent.isEmpty()) {
                throw GetCommand.absent(absent);
            }
            for (String key : call.parameters(0)) {
                Cid value = Objects.requireNonNull(values.get(key));
                if (!call.get(RAW) && ValueBytes.isFolder(versions.blocks(), value)) {
                    list(call, key, value, versions.blocks());
                    continue;
                }
                try (ValueBytes bytes = call.get(RAW)
                        ? KeyBytes.block(call, versions.blocks(), key, value)
                        : KeyBytes.open(call, versions.blocks(), key, value)) {
                    print(call.terminal(), key, value, bytes.range(offset, length));
                }
            }
            return Exit.DONE;
        }
    }

    private static void list(Call call, String key, Cid folder, BlockStore blocks) {
        for (Option option : List.of(OFFSET, LENGTH)) {
            if (call.isGiven(option)) {
                throw Failure.usage(option + " is for bytes, and this is a folder: " + Escapes.brief(key));
            }
        }
        Terminal terminal = call.terminal();
        UnixFs.links(blocks, folder, Optional.empty(), WalkLimits.DEFAULT).forEachRemaining(entry -> {
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("key", key);
                    json.writeStringField("name", entry.name());
                    json.writeStringField("cid", entry.cid().toString());
                });
            } else {
                terminal.printStyled(Escapes.escape(entry.name()) + "\t"
                        + terminal.faint(entry.cid().toString()));
            }
        });
    }

    private static void print(Terminal terminal, String key, Cid value, InputStream in) {
        try {
            if (terminal.json) {
                byte[] bytes = in.readNBytes(MAX_JSON + 1);
                if (bytes.length > MAX_JSON) {
                    throw new Failure.Found(
                            Exit.FAILED,
                            "bad-value",
                            "a value of more than " + MAX_JSON + " bytes is not printed as JSON: " + Escapes.brief(key),
                            "print a part with --offset and --length, or all of it without --json");
                }
                terminal.printJson(json -> {
                    json.writeStringField("key", key);
                    json.writeStringField("value", value.toString());
                    json.writeBinaryField("bytes", bytes);
                });
                return;
            }
            byte[] portion = new byte[1 << 16];
            for (int count = in.read(portion); count >= 0; count = in.read(portion)) {
                terminal.data().write(portion, 0, count);
            }
        } catch (IOException e) {
            throw new Failure.Found(Exit.FAILED, "io", "cannot write: standard output", null);
        }
    }
}
