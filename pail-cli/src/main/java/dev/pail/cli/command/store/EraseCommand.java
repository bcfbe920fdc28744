package dev.pail.cli.command.store;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.map.GetCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Values;
import dev.pail.ipld.Cid;
import dev.pail.repository.Erasing;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.ErasurePlan;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Removes the bytes of values for good. */
public final class EraseCommand extends Command {
    private static final Option.Flag DRY_RUN =
            Option.flag("Print the blocks that would be erased, and change nothing.", "--dry-run");

    private static final Option.Flag ALLOW = Option.flag(
            "Lift the marks of these CIDs, so that the repository takes them in again. It brings no bytes back.",
            "--allow");

    public EraseCommand() {
        super(
                "erase",
                "Removes the bytes of values for good; without KEY, lists what was erased.",
                "It removes the block of a value from files, segments and the trash, with the blocks below it, such as the chunks of a file. A block to which",
                "another value of any version leads stays, unless that value is erased too. Versions stay: roots, keys and the CID of the value. The",
                "repository marks the blocks as erased: it says so when one is read, and does not take it in again. push and fetch carry the marks; a server",
                "needs a token with the right erase for that. Keys are in shards, which are not erased, and so are the indexed fields of tables. No file of the",
                "repository has the bytes then. File systems, backups, other clones and CAR files may: see docs/howto/erase-a-secret.md.");
        parameter(
                "KEY", "0..*", "A key, or the CID of a value. A word that is a key of the version is taken as a key.");
        takes(DRY_RUN, ALLOW);
        inNamespace();
        readsAt();
        takesMessage();
        examples(
                "  pail erase keys/api --dry-run",
                "  pail erase keys/api -m 'a password'",
                "  pail erase keys/api --at @{3}",
                "  pail erase");
    }

    @Override
    public int run(Call call) {
        List<String> words = call.parameters(0);
        if (call.get(ALLOW) && (call.get(DRY_RUN) || words.isEmpty())) {
            throw Failure.usage(ALLOW + " needs CIDs, and no " + DRY_RUN);
        }
        if (call.isCarFile()) {
            throw Failure.usage("nothing is erased in a CAR file: " + call.store());
        }
        try (Repository repository = call.toWrite(call.bareRepository());
                Progress progress = call.progress("blocks")) {
            Erasing erasing = repository.maintenance().erasing().withProgress(progress::step);
            if (words.isEmpty()) {
                list(call.terminal(), erasing);
            } else if (call.get(ALLOW)) {
                allow(call.terminal(), erasing, words);
            } else {
                erase(call, erasing, values(call, repository, words), progress);
            }
            return Exit.DONE;
        }
    }

    private static Set<Cid> values(Call call, Repository repository, List<String> words) {
        String at = call.get(Call.AT);
        Pail pail = at == null
                ? repository.pail(call.branch(repository))
                : repository.resolve(at).pail();
        Set<Cid> values = new LinkedHashSet<>();
        List<String> absent = new ArrayList<>();
        boolean isTable = false;
        for (String word : words) {
            Cid value = pail.get(call.key(pail, word)).orElse(null);
            isTable |= value != null && Tables.isReserved(call.key(pail, word));
            value = value == null ? Values.cid(Values.alone(word)) : value;
            if (value == null) {
                absent.add(word);
            } else {
                values.add(value);
            }
        }
        if (!absent.isEmpty()) {
            throw GetCommand.absent(absent);
        }
        if (isTable && Tables.mayBeIn(pail)) {
            call.terminal().alert("the indexed fields of a row are in keys, which are not erased");
        }
        return values;
    }

    private static void erase(Call call, Erasing erasing, Set<Cid> values, Progress progress) {
        boolean isReal = !call.get(DRY_RUN);
        if (isReal) {
            call.terminal().kept = () -> "bytes may be left; run the same command again to erase the rest";
        }
        ErasurePlan plan = isReal ? erasing.erase(values) : erasing.plan(values);
        progress.hide();
        Terminal terminal = call.terminal();
        terminal.kept = null;
        terminal.changed = isReal ? "values were erased" : null;
        for (Cid value : plan.unreferenced()) {
            terminal.warn("no version that is here has this value: " + value);
        }
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeBooleanField("dryRun", !isReal);
                Json.writeCids(json, "blocks", plan.blocks());
                Json.writeCids(json, "shared", plan.shared());
                json.writeNumberField("bytes", plan.bytes());
            });
        } else if (!terminal.quiet) {
            plan.values()
                    .forEach((cid, value) -> terminal.print((isReal ? "erased" : "would erase") + "\t" + cid + "\t"
                            + (cid.equals(value.raw()) ? "value" : "below " + value)));
            plan.shared().forEach(cid -> terminal.print("stays\t" + cid + "\tanother value leads to it"));
        }
    }

    private static void allow(Terminal terminal, Erasing erasing, List<String> words) {
        List<Cid> cids = words.stream().map(Values::parse).toList();
        for (Cid cid : cids) {
            List<Erasure> lifted = erasing.allow(cid);
            if (lifted.isEmpty()) {
                throw new Failure.Found(
                        Exit.NO, "absent", "not marked as erased: " + cid, "see all marks with: pail erase");
            }
            terminal.changed = "marks were lifted";
            lifted.forEach(record -> print(terminal, record));
        }
    }

    private static void list(Terminal terminal, Erasing erasing) {
        erasing.records().forEach(record -> print(terminal, record));
        int left = erasing.left().size();
        if (left > 0) {
            terminal.alert("unfinished: the bytes of " + left + (left == 1 ? " erased block" : " erased blocks")
                    + " may still be here; remove them with: pail gc");
        }
    }

    private static void print(Terminal terminal, Erasure record) {
        String state = record.state().name().toLowerCase(Locale.ROOT);
        String author = record.note().author().orElse("");
        String reason = record.note().message().orElse("");
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("state", state);
                json.writeStringField("cid", record.cid().toString());
                json.writeStringField("value", record.value().toString());
                json.writeStringField("time", record.time().toString());
                json.writeStringField("author", author);
                json.writeStringField("reason", reason);
            });
        } else if (!terminal.quiet) {
            terminal.print(state + "\t" + record.cid() + "\t" + record.value() + "\t" + record.time() + "\t"
                    + Escapes.escape(author) + "\t" + Escapes.escape(reason));
        }
    }
}
