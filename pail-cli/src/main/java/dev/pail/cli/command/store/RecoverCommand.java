package dev.pail.cli.command.store;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Stores;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.repository.model.Recovered;
import java.util.Optional;

/** Rebuilds the refs of a repository in a shared store. */
public final class RecoverCommand extends Command {
    public RecoverCommand() {
        super(
                "recover",
                "Rebuilds the branches of a repository in PostgreSQL or S3 that has lost records of its refs.",
                "Use it if a command says that commits or records are missing, and no copy can be restored. Stop all other programs of the repository first.",
                "recover reads all events that are stored. Branches and tags stay where they are, as far as their newest record is there. For each event that",
                "no other one follows, it makes a branch: recovered/NAME, or main if that is lost and there is one such event. So an update that was undone",
                "may come back as a branch. The logs of branches begin anew. If nothing is missing, recover changes nothing.");
        examples(
                "  pail -C 's3://my-bucket/notes?region=eu-west-1' recover",
                "  pail -C 'postgresql://app@db/store?repository=notes' recover");
    }

    @Override
    public int run(Call call) {
        String url = call.url();
        if (url == null) {
            throw new Failure.Found(
                    Exit.USAGE,
                    "usage",
                    "recover is for a repository in PostgreSQL or S3",
                    "see what is damaged in a folder with: pail verify --all");
        }
        Optional<Recovered> found = Stores.recover(url, call.patience());
        Terminal terminal = call.terminal();
        if (found.isEmpty()) {
            if (!terminal.json && !terminal.quiet) {
                terminal.note("nothing is missing");
            }
            return Exit.DONE;
        }
        terminal.changed = "rebuilt the refs of " + url;
        Recovered recovered = found.get();
        if (terminal.json) {
            printJson(terminal, recovered);
        } else {
            print(terminal, recovered);
        }
        return Exit.DONE;
    }

    private static void printJson(Terminal terminal, Recovered recovered) {
        terminal.printJson(json -> json.writeNumberField("events", recovered.events()));
        for (String name : recovered.kept()) {
            terminal.printJson(json -> json.writeStringField("kept", name));
        }
        recovered
                .made()
                .forEach((branch, head) -> terminal.printJson(json -> {
                    json.writeStringField("made", branch);
                    Json.writeCids(json, "head", head.events());
                }));
    }

    private static void print(Terminal terminal, Recovered recovered) {
        recovered.kept().forEach(name -> terminal.print("kept\t" + name.replaceFirst("/", " ")));
        recovered.made().forEach((branch, head) -> terminal.print("made\tbranch " + branch + "\t" + brief(head)));
        if (!terminal.quiet) {
            terminal.note("read " + recovered.events() + " events");
        }
    }

    private static String brief(Head head) {
        return HistoryText.briefs(head.events());
    }
}
