package dev.pail.cli.command.exchange;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.remote.Exchange;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.RemoteTag;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.Tracking;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists, adds, changes and removes remotes. */
public final class RemoteCommand extends Command {
    private static final String LIST = "list";
    private static final String SHOW = "show";
    private static final List<String> ACTIONS = List.of(LIST, SHOW, "add", "remove", "set-url");

    public RemoteCommand() {
        super(
                "remote",
                "Lists the remotes of the repository, or shows, adds, changes or removes one.",
                "A remote is another repository, which fetch, pull and push exchange versions with: http://HOST or https://HOST, as pail serve",
                "answers there, or a folder. Without ACTION, remote lists all. show asks the remote for its branches and tags, and says which of them are here. remove also forgets where the branches of the remote stood.",
                "A token for a server is read from PAIL_TOKEN, or from ~/.config/pail/tokens: lines of URL and TOKEN, in a file that only you can read.");
        parameter("ACTION", "0..1", "list, show, add, remove or set-url.", ACTIONS.toArray(String[]::new));
        parameter("NAME", "0..1", "The name of a remote; fetch, pull and push use origin if none is named.");
        parameter("URL", "0..1", "Its address, for add and set-url.");
        examples(
                "  pail remote add origin https://pail.example.org",
                "  pail remote add disk /media/disk/photos.pail",
                "  pail remote list",
                "  pail remote show origin");
        takes(Remotes.AUTHORITIES);
    }

    @Override
    public int run(Call call) {
        String action = call.optionalParameter(0) == null ? LIST : call.parameter(0);
        String name = call.optionalParameter(1);
        String url = call.optionalParameter(2);
        if (!ACTIONS.contains(action)) {
            throw Failure.usage("remote does one of: list, show, add, remove, set-url; not " + Escapes.brief(action));
        }
        int expected = action.equals(LIST) ? 0 : action.equals("remove") || action.equals(SHOW) ? 1 : 2;
        if ((name == null ? 0 : url == null ? 1 : 2) != expected) {
            throw Failure.usage(List.of(
                            "remote list takes no argument",
                            "give a name: pail remote " + action + " NAME",
                            "give a name and an address: pail remote " + action + " NAME URL")
                    .get(expected));
        }
        try (Repository repository = call.repository()) {
            FileRepository files = call.files(repository, "remotes");
            if (name == null) {
                files.remotes().forEach((each, address) -> print(call.terminal(), each, address));
                return Exit.DONE;
            }
            if (action.equals(SHOW)) {
                show(call, repository, name);
                return Exit.DONE;
            }
            change(call.terminal(), repository, action, Map.entry(name, url == null ? "" : url));
            return Exit.DONE;
        }
    }

    /** Prints the branches and tags of a remote, and which are here. Changes nothing. */
    private static void show(Call call, Repository repository, String name) {
        try (Remotes.Connection connection = Remotes.connect(call, repository, name)) {
            Terminal terminal = call.terminal();
            List<RemoteBranch> branches = connection.remote().branches();
            for (RemoteBranch branch : branches) {
                Optional<Head> seen =
                        repository.refs().tracking(name + "/" + branch.name()).map(Tracking::head);
                print(terminal, "branch", branch.name(), branch.head(), state(seen, branch.head(), "changed"));
            }
            for (RemoteTag tag : connection.remote().tags()) {
                Optional<Head> here =
                        RefName.isValid(tag.name()) ? repository.tags().head(tag.name()) : Optional.empty();
                print(terminal, "tag", tag.name(), tag.head(), state(here, tag.head(), "other"));
            }
            List<String> there = branches.stream().map(RemoteBranch::name).toList();
            for (String ref : Exchange.of(repository, name, connection.remote()).gone(there)) {
                Head seen = repository.refs().tracking(ref).map(Tracking::head).orElse(Head.empty());
                print(terminal, "branch", ref.substring(name.length() + 1), seen, "stale");
            }
        }
    }

    private static String state(Optional<Head> here, Head there, String other) {
        return here.isEmpty() ? "new" : here.get().equals(there) ? "fetched" : other;
    }

    private static void print(Terminal terminal, String kind, String ref, Head head, String state) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField(kind, ref);
                json.writeStringField("state", state);
                Json.writeCids(json, "head", head.events());
            });
        } else {
            String events = HistoryText.briefs(head.events());
            terminal.printStyled(kind + " " + Escapes.printable(ref) + "\t" + state + "\t"
                    + terminal.faint(events.isEmpty() ? "empty" : events));
        }
    }

    private static void change(
            Terminal terminal, Repository repository, String action, Map.Entry<String, String> remote) {
        FileRepository files = FileRepository.of(repository).orElseThrow();
        String name = remote.getKey();
        boolean isThere = files.remotes().containsKey(name);
        if (isThere == action.equals("add")) {
            throw new Failure.Found(
                    Exit.FAILED,
                    isThere ? "already-exists" : "no-such-remote",
                    (isThere ? "there is a remote " : "no such remote: ") + Escapes.brief(name),
                    isThere
                            ? "give it another address with: pail remote set-url NAME URL"
                            : "see all with: pail remote list");
        }
        if (!action.equals("remove")) {
            Remotes.set(files, name, Optional.of(Remotes.absolute(terminal, remote.getValue())));
            return;
        }
        Remotes.set(files, name, Optional.empty());
        Remotes.untrack(repository, name);
    }

    private static void print(Terminal terminal, String name, String address) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("remote", name);
                json.writeStringField("url", address);
            });
        } else {
            terminal.print(name + "\t" + Escapes.printable(address));
        }
    }
}
