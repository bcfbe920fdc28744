package dev.pail.cli.command.map;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.text.JsonTexts;
import dev.pail.cli.text.Lines;
import dev.pail.cli.text.NewValue;
import dev.pail.cli.text.Operations;
import dev.pail.cli.text.TextInputs;
import dev.pail.cli.text.ValueTexts;
import dev.pail.repository.Repository;
import dev.pail.values.LongBatch;
import dev.pail.values.OperationReader;
import java.io.IOException;
import java.io.InputStream;

/** Makes many changes. */
public final class ApplyCommand extends ChangeCommand {
    private static final Option.Flag EACH = Option.flag("One version for each line.", "--each");

    private static final Option.Flag CID =
            Option.flag("Take CIDs alone as \"value\". It refuses other text, and JSON.", "--cid");

    public ApplyCommand() {
        super(
                "apply",
                "Makes the changes in a JSON text, all in one new version, and prints its root.",
                "The text has one object a line, objects over several lines, or one array of objects. An object is one of",
                "  {\"op\":\"put\",\"key\":KEY,\"value\":VALUE}",
                "  {\"op\":\"put\",\"key\":KEY,\"text\":TEXT}",
                "  {\"op\":\"put\",\"key\":KEY,\"base64\":BYTES}",
                "  {\"op\":\"put\",\"key\":KEY,\"file\":PATH}",
                "  {\"op\":\"del\",\"key\":KEY}",
                "  {\"op\":\"batch\",\"ops\":[...]}",
                "VALUE is a CID or any other text, which is stored as a block; apply says how many were texts, and refuses what looks like a damaged CID. An object,",
                "an array, a number, true or false is stored as the JSON text that it is. TEXT is always a text.",
                "With \"if\":CID, a put or del is made only if the key has this value then; with \"ifAbsent\":true, a put if it has none.",
                "With --each, each line is one object and makes one version. apply answers it with a line: {\"root\":CID}, or {\"error\":TEXT,\"code\":CODE}",
                "with the type key, limit, value, condition or syntax. The exit status is 1 if there was an error.");
        parameter("FILE", "0..1", "The file to read; - or none: standard input.");
        takes(EACH, CID);
        takesMessage();
        examples("  pail apply changes.ndjson", "  generate | pail apply --each");
    }

    @Override
    public int run(Call call) {
        boolean isEach = call.get(EACH);
        ValueTexts values = new ValueTexts(
                call.get(CID) ? ValueTexts.Meaning.CIDS : ValueTexts.Meaning.EITHER,
                "{\"op\":\"put\",\"key\":KEY,\"text\":TEXT}",
                "the field \"text\"");
        try (Repository repository = call.toWrite();
                Lines lines = isEach
                        ? TextInputs.once(call.terminal(), call.optionalParameter(0))
                        : TextInputs.of(call.terminal(), call.optionalParameter(0));
                Progress progress = call.progress("operations", lines)) {
            Operations operations = new Operations(
                    lines,
                    isEach ? JsonTexts.Layout.ONE_A_LINE : JsonTexts.Layout.FREE,
                    values,
                    path -> file(call, repository, path));
            int status = isEach
                    ? applyEach(call, repository, operations, progress)
                    : applyAll(call, repository, operations, progress);
            progress.hide();
            values.note(call.terminal());
            return status;
        }
    }

    private static NewValue file(Call call, Repository repository, String path) {
        if (path.equals(Inputs.STANDARD)) {
            throw new Failure.Found(Exit.FAILED, "bad-value", "the value of a line is no standard input", null);
        }
        try (InputStream in = Inputs.open(call.terminal(), path)) {
            return NewValue.ofFile(in, repository::blocks);
        } catch (IOException e) {
            throw Inputs.failure(path, e);
        }
    }

    private static int applyAll(Call call, Repository repository, Operations operations, Progress progress) {
        Pail changed = repository
                .update(call.branch(repository), pail -> apply(pail, operations, progress))
                .pail();
        printRoot(call, changed);
        return Exit.DONE;
    }

    private static Pail apply(Pail pail, Operations operations, Progress progress) {
        operations.restart();
        progress.restart();
        try {
            LongBatch batch = new LongBatch(pail);
            for (OperationReader.Change next = operations.next(); next != null; next = operations.next()) {
                batch.change(next::applyTo);
                progress.step();
            }
            return batch.commit();
        } catch (RuntimeException e) {
            throw Operations.at("line " + operations.line(), e);
        }
    }

    private static int applyEach(Call call, Repository repository, Operations operations, Progress progress) {
        int status = Exit.DONE;
        while (true) {
            try {
                OperationReader.Change operation = operations.next();
                if (operation == null) {
                    return status;
                }
                Pail changed = repository
                        .update(call.branch(repository), pail -> {
                            Batch batch = pail.batch();
                            operation.applyTo(batch);
                            return batch.commit();
                        })
                        .pail();
                call.terminal().changed = "the root is " + changed.root();
                call.terminal()
                        .printJson(json ->
                                json.writeStringField("root", changed.root().toString()));
            } catch (RuntimeException e) {
                Failure failure = Failure.of(e);
                if (!Operations.isOfALine(failure)) {
                    throw e;
                }
                status = Exit.NO;
                call.terminal().printJson(json -> {
                    json.writeStringField("error", failure.message());
                    json.writeStringField("code", failure.code());
                });
            }
            call.terminal().flush();
            progress.step();
        }
    }
}
