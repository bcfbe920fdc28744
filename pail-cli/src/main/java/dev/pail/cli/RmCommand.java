package dev.pail.cli;

import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.repository.Repository;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Removes keys. */
final class RmCommand extends ChangeCommand {
    RmCommand() {
        super(
                "rm",
                "Removes keys, all in one change, and prints the new root. Exit status 1 if one of them was not there.");
        parameter("KEY", "1..*", "The keys.");
        inNamespace();
        examples("  pail rm photos/1.jpg photos/2.jpg", "  pail rm -- -key-that-starts-with-a-dash");
    }

    @Override
    int run(Call call) {
        List<String> absent = new ArrayList<>();
        try (Repository repository = call.repository()) {
            Pail changed = repository.update(call.branch(repository), pail -> {
                absent.clear();
                Batch batch = pail.batch();
                for (String name : call.parameters(0)) {
                    String key = call.key(pail, name);
                    if (pail.get(key).isEmpty()) {
                        absent.add(name);
                    }
                    batch.delete(key);
                }
                return batch.commit();
            });
            printRoot(call, changed);
        }
        if (absent.isEmpty()) {
            return Exit.DONE;
        }
        String keys = absent.stream().map(Escapes::brief).collect(Collectors.joining(", "));
        throw new Failure.Found(Exit.NO, "absent", "no such key: " + keys, null);
    }
}
