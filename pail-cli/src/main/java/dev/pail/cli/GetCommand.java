package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;

/** Prints the value of a key. */
final class GetCommand extends Command {
    GetCommand() {
        super("get", "Prints the CID that is the value of a key. Exit status 1 if there is no such key.");
        parameter("KEY", "1", "The key.");
        examples("  pail get photos/1.jpg");
    }

    @Override
    int run(Call call) {
        String key = call.parameter(0);
        try (Repository repository = call.repository()) {
            Cid value = value(repository.pail(call.branch()), key);
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

    static Cid value(Pail pail, String key) {
        return pail.get(key)
                .orElseThrow(() -> new Failure.Found(Exit.NO, "absent", "no such key: " + Escapes.quote(key), null));
    }
}
