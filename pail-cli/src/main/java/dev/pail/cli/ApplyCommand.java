package dev.pail.cli;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.repository.Repository;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Set;

/** Makes many changes. */
final class ApplyCommand extends ChangeCommand {
    /** Failures that are the fault of a line, so that the next one may do better. */
    private static final Set<String> OF_A_LINE = Set.of("key", "limit", "value", "syntax");

    ApplyCommand() {
        super(
                "apply",
                "Makes the changes that lines of JSON say, all in one new version, and prints its root:",
                "  {\"op\":\"put\",\"key\":KEY,\"value\":CID}  {\"op\":\"del\",\"key\":KEY}  {\"op\":\"batch\",\"ops\":[...]}",
                "With --each, each line makes a version of its own and is answered by a line: {\"root\":CID}, or",
                "{\"error\":TEXT,\"type\":\"key\"|\"limit\"|\"value\"|\"syntax\"}; exit status 1 if there was such a line.");
        parameter("FILE", "0..1", "Where the lines are; - or nothing: standard input.");
        flag("One version for each line.", "--each");
        examples("  pail apply changes.ndjson", "  generate | pail apply --each");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.repository();
                InputStream in = open(call)) {
            Operations operations = new Operations(in);
            return call.flag("--each")
                    ? applyEach(call, repository, operations)
                    : applyAll(call, repository, operations);
        } catch (IOException e) {
            throw new Failure.Found(Exit.FAILED, "io", "cannot read operations: " + e.getMessage(), null);
        }
    }

    private static InputStream open(Call call) throws IOException {
        String file = call.optionalParameter(0);
        if (file == null || file.equals("-")) {
            return new BufferedInputStream(call.terminal().in());
        }
        try {
            return new BufferedInputStream(Files.newInputStream(call.terminal().path(file)));
        } catch (NoSuchFileException e) {
            throw new Failure.Found(Exit.FAILED, "io", "no such file: " + file, null);
        }
    }

    private static int applyAll(Call call, Repository repository, Operations operations) {
        Pail changed = repository.update(call.branch(), pail -> {
            try {
                Batch batch = pail.batch();
                for (Operations.Operation next = operations.next(); next != null; next = operations.next()) {
                    next.applyTo(batch);
                }
                return batch.commit();
            } catch (RuntimeException e) {
                Failure failure = Failure.of(e);
                if (!OF_A_LINE.contains(failure.type())) {
                    throw e;
                }
                throw new Failure.Found(
                        failure.exit(),
                        failure.type(),
                        "line " + operations.number() + ": " + failure.message(),
                        "nothing was changed");
            }
        });
        printRoot(call, changed);
        return Exit.DONE;
    }

    private static int applyEach(Call call, Repository repository, Operations operations) {
        int status = Exit.DONE;
        while (true) {
            try {
                Operations.Operation operation = operations.next();
                if (operation == null) {
                    return status;
                }
                Pail changed = repository.update(call.branch(), pail -> {
                    Batch batch = pail.batch();
                    operation.applyTo(batch);
                    return batch.commit();
                });
                call.terminal()
                        .printJson(json ->
                                json.writeStringField("root", changed.root().toString()));
            } catch (RuntimeException e) {
                Failure failure = Failure.of(e);
                if (!OF_A_LINE.contains(failure.type())) {
                    throw e;
                }
                status = Exit.NO;
                call.terminal().printJson(json -> {
                    json.writeStringField("error", failure.message());
                    json.writeStringField("type", failure.type());
                });
            }
            call.terminal().flush();
        }
    }
}
