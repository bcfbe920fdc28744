package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;

/** Prints the bytes behind a value. */
final class CatCommand extends Command {
    CatCommand() {
        super(
                "cat",
                "Prints the bytes that a key's value names, or has itself as an identity CID; with --json, in base64.");
        parameter("KEY", "1", "The key.");
        inNamespace();
        readsAt();
        examples("  pail cat readme", "  pail cat readme --at @{1}");
    }

    @Override
    int run(Call call) {
        try (Versions versions = call.versions()) {
            Pail pail = versions.pail();
            String key = call.parameter(0);
            Cid value = GetCommand.value(call, pail);
            byte[] bytes = Values.inlined(value)
                    .or(() -> versions.blocks().getChecked(value).map(Block::bytes))
                    .orElseThrow(() -> absent(call, value, key));
            if (call.terminal().json) {
                call.terminal().printJson(json -> {
                    json.writeStringField("key", key);
                    json.writeStringField("value", value.toString());
                    json.writeBinaryField("bytes", bytes);
                });
            } else {
                call.terminal().write(bytes);
            }
            return Exit.DONE;
        }
    }

    private static RuntimeException absent(Call call, Cid value, String key) {
        return Block.isVerifiable(value)
                ? new Failure.Found(
                        Exit.DAMAGED,
                        "missing",
                        "not here: " + value + ", the value of " + Escapes.brief(key),
                        call.misnamed(value)
                                .orElse("fetch it with an IPFS tool, such as: ipfs dag export " + value
                                        + " | pail import -"))
                : new UnsupportedHashException(value);
    }
}
