package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ipld.Cid;

/** Prints the value of a key. */
final class GetCommand extends Command {
    GetCommand() {
        super("get", "Prints the CID that is the value of a key. Exit status 1 if there is no such key.");
        parameter("KEY", "1", "The key.");
        inNamespace();
        readsAt();
        examples("  pail get photos/1.jpg", "  pail get photos/1.jpg --at @{1}", "  pail get ann --namespace users/eu");
    }

    @Override
    int run(Call call) {
        String key = call.parameter(0);
        try (Versions versions = call.versions()) {
            Cid value = value(call, versions.pail());
            if (call.terminal().json) {
                call.terminal().printJson(json -> {
                    json.writeStringField("key", key);
                    json.writeStringField("value", value.toString());
                });
            } else {
                call.terminal().print(value.toString());
            }
            return Exit.DONE;
        }
    }

    /** The value of the key that a command was called with. */
    static Cid value(Call call, Pail pail) {
        String key = call.parameter(0);
        return pail.get(call.key(pail, key))
                .orElseThrow(() -> new Failure.Found(Exit.NO, "absent", "no such key: " + Escapes.brief(key), null));
    }
}
