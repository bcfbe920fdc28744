package dev.pail.cli.command.store;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Shows the settings of a repository, and changes those that can be changed. */
public final class ConfigCommand extends Command {
    /** The setting that says whether events may have descriptions. It stands for one of the needs in the configuration. */
    private static final String EVENTS = "events";

    private static final String DESCRIBED = "described";

    private static final List<String> ACTIONS = List.of("list", "get", "set");

    public ConfigCommand() {
        super(
                "config",
                "Shows the settings of the repository, or sets the author.",
                "list prints all settings; get prints one, and exits with 1 if it is not set; set changes one. log shows the author beside each change.",
                "The variable PAIL_AUTHOR overrides the setting, and an empty value removes it. The setting events is described or plain: with described, each",
                "change has its author, message and time in its event, so every copy has them. Version 0.2.0 cannot read such a repository, and",
                "it cannot be made plain again. All other settings are fixed by init. A repository behind a URL has the setting events alone.");
        parameter("ACTION", "1", "list, get or set.", "list", "get", "set");
        parameter("SETTING", "0..1", "The name of a setting.", "author", "events", "layout", "format", "blocks");
        parameter("VALUE", "0..1", "Its value, for set.");
        examples("  pail config list", "  pail config set author 'Ann <ann@example.org>'", "  pail config get author");
    }

    @Override
    public int run(Call call) {
        String action = call.parameter(0);
        String name = call.optionalParameter(1);
        String value = call.optionalParameter(2);
        if (!ACTIONS.contains(action)) {
            throw Failure.usage("config does one of: list, get, set; not " + Escapes.brief(action));
        }
        int expected = ACTIONS.indexOf(action);
        if ((name == null ? 0 : value == null ? 1 : 2) != expected) {
            throw Failure.usage(List.of(
                            "config list takes no argument",
                            "give the name of a setting: pail config get SETTING",
                            "give a name and a value: pail config set SETTING VALUE")
                    .get(expected));
        }
        try (Repository repository = call.repository()) {
            Map<String, String> settings = EVENTS.equals(name)
                    ? FileRepository.of(repository)
                            .map(FileRepository::settings)
                            .orElseGet(TreeMap::new)
                    : call.files(repository, "settings").settings();
            settings.put(EVENTS, repository.refs().needs().contains(Need.EVENTS) ? DESCRIBED : "plain");
            if (name == null) {
                settings.forEach((each, text) -> print(call.terminal(), each, text, each + "\t"));
                return Exit.DONE;
            }
            if (value == null) {
                return get(call.terminal(), settings, name);
            }
            set(repository, settings, name, value);
            return Exit.DONE;
        }
    }

    private static int get(Terminal terminal, Map<String, String> settings, String name) {
        String value = settings.get(name);
        if (value == null) {
            throw new Failure.Found(
                    Exit.NO,
                    "no-such-setting",
                    "no such setting: " + Escapes.brief(name),
                    name.equals(Call.AUTHOR_SETTING)
                            ? "set it with: pail config set author NAME"
                            : "there are: " + String.join(", ", settings.keySet()));
        }
        print(terminal, name, value, "");
        return Exit.DONE;
    }

    private static void set(Repository repository, Map<String, String> settings, String name, String value) {
        if (name.equals(EVENTS)) {
            setEvents(repository, settings, value);
            return;
        }
        if (!name.equals(Call.AUTHOR_SETTING)) {
            if (name.startsWith("remote.")) {
                throw Failure.usage("set the address of a remote with: pail remote set-url NAME URL");
            }
            if (name.startsWith("user.")) {
                throw Failure.usage(
                        "there is one setting for name and address, not " + Escapes.brief(name),
                        "set it with: pail config set author 'NAME <ADDRESS>'");
            }
            throw Failure.usage(
                    settings.containsKey(name)
                            ? name + " is fixed when a repository is made; choose it with: pail init"
                            : "the settings that can be changed are author and events, not " + Escapes.brief(name));
        }
        try {
            FileRepository.of(repository)
                    .orElseThrow()
                    .setAuthor(Note.of(value, null).author());
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    private static void setEvents(Repository repository, Map<String, String> settings, String value) {
        if (value.equals(DESCRIBED)) {
            repository.refs().describeEvents();
        } else if (!value.equals(settings.get(EVENTS))) {
            throw Failure.usage(
                    value.equals("plain")
                            ? "events stay described: some may be, and programs that read plain events only refuse those"
                            : "events are described or plain, not " + Escapes.brief(value));
        }
    }

    private static void print(Terminal terminal, String name, String value, String before) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("setting", name);
                json.writeStringField("value", value);
            });
        } else {
            terminal.print(before + Escapes.printable(value));
        }
    }
}
