package dev.pail.cli;

import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.repository.Repository;
import java.util.ArrayList;
import java.util.List;

/** Removes keys. */
final class RmCommand extends ChangeCommand {
    RmCommand() {
        super(
                "rm",
                "Removes keys, all in one change, and prints the new root. Exit status 1 if one of them was not there.");
        parameter("KEY", "1..*", "The keys.");
        examples("  pail rm photos/1.jpg photos/2.jpg", "  pail rm -- -key-that-starts-with-a-dash");
    }

    @Override
    int run(Call call) {
        List<String> absent = new ArrayList<>();
        try (Repository repository = call.repository()) {
            Pail changed = repository.update(call.branch(), pail -> {
                Batch batch = pail.batch();
                for (String key : call.parameters(0)) {
                    if (pail.get(key).isEmpty()) {
                        absent.add(key);
                    }
                    batch.delete(key);
                }
                return batch.commit();
            });
            printRoot(call, changed);
        }
        for (String key : absent) {
            call.terminal().fail(new Failure(Exit.NO, "absent", "no such key: " + Escapes.quote(key), null));
        }
        return absent.isEmpty() ? Exit.DONE : Exit.NO;
    }
}
