package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;

/** Prints the bytes behind a value. */
final class CatCommand extends Command {
    CatCommand() {
        super("cat", "Prints the bytes of the block that a key's value names.");
        parameter("KEY", "1", "The key.");
        examples("  pail cat readme");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.repository()) {
            Pail pail = repository.pail(call.branch());
            String key = call.parameter(0);
            Cid value = GetCommand.value(pail, key);
            byte[] bytes = repository
                    .blocks()
                    .get(value)
                    .orElseThrow(() -> new Failure.Found(
                            Exit.DAMAGED,
                            "missing",
                            "not in this repository: " + value + ", the value of " + Escapes.quote(key),
                            "fetch it with an IPFS tool"))
                    .bytes();
            call.terminal().write(bytes);
            return Exit.DONE;
        }
    }
}
