package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Prints the bytes behind a value. */
final class CatCommand extends Command {
    CatCommand() {
        super(
                "cat",
                "Prints the bytes of a value; with --json, in base64.",
                "They are the block that the value names, or are in the value itself if it is an identity CID.");
        parameter("KEY", "1..*", "The keys. Their bytes follow each other, with nothing between.");
        inNamespace();
        readsAt();
        examples("  pail cat readme", "  pail cat readme --at @{1}");
    }

    @Override
    int run(Call call) {
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
                print(call.terminal(), key, value, bytes(call, versions, key, value));
            }
            return Exit.DONE;
        }
    }

    private static byte[] bytes(Call call, Versions versions, String key, Cid value) {
        return Values.inlined(value)
                .or(() -> versions.blocks().getChecked(value).map(Block::bytes))
                .orElseThrow(() -> absent(call, value, key));
    }

    private static RuntimeException absent(Call call, Cid value, String key) {
        return Block.isVerifiable(value)
                ? new Failure.Found(
                        Exit.DAMAGED,
                        "missing-block",
                        "not here: " + value + ", the value of " + Escapes.brief(key),
                        call.misnamed(value)
                                .orElse("fetch it with an IPFS tool, such as: ipfs dag export " + value
                                        + " | pail import -"))
                : new UnsupportedHashException(value);
    }

    private static void print(Terminal terminal, String key, Cid value, byte[] bytes) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("key", key);
                json.writeStringField("value", value.toString());
                json.writeBinaryField("bytes", bytes);
            });
        } else {
            terminal.write(bytes);
        }
    }
}
