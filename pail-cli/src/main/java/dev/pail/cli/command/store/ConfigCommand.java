package dev.pail.cli.command.store;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.GitAuthor;
import dev.pail.cli.command.Globals;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.UserSettings;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Words;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows the settings of a repository, and changes those that can be changed. */
public final class ConfigCommand extends Command {
    /** The setting that says whether events may have descriptions. It stands for one of the needs in the configuration. */
    private static final String EVENTS = "events";

    private static final String DESCRIBED = "described";

    private static final List<String> ACTIONS = List.of("list", "get", "set", "unset");

    private static final Option.Flag ORIGIN = Option.flag(
            "With list: also the author, the store and the timeout that hold now, and where each setting comes from.",
            "--show-origin");

    private static final Pattern ALIAS_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*");

    private final List<String> commands;

    /** @param commands the names that no alias can have */
    public ConfigCommand(List<String> commands) {
        super(
                "config",
                "Shows and changes the settings of the repository, and the aliases of the user.",
                "list prints all settings; get prints one, and exits with 1 if it is not set; set changes one, and unset removes one. log shows the author beside each change.",
                "The variable PAIL_AUTHOR overrides the setting, and an empty value removes it. The setting events is described or plain: with described, each",
                "change has its author, message and time in its event, so every copy has them. Version 0.2.0 cannot read such a repository, and",
                "it cannot be made plain again. All other settings are fixed by init. Of a repository behind a URL, only events can be changed.",
                "The setting alias.NAME makes NAME stand for a command and its first arguments. Aliases are in pail/config in XDG_CONFIG_HOME, else in ~/.config,",
                "and hold in all repositories. An alias replaces no command and stands for no other alias.");
        parameter("ACTION", "1", "list, get, set or unset.", "list", "get", "set", "unset");
        parameter("SETTING", "0..1", "The name of a setting.", "author", "events", "layout", "format", "blocks");
        parameter("VALUE", "0..1", "Its value, for set.");
        takes(ORIGIN);
        this.commands = commands;
        examples(
                "  pail config list",
                "  pail config list --show-origin",
                "  pail config set alias.last 'log -n 1'",
                "  pail config set author 'Ann <ann@example.org>'",
                "  pail config get author");
    }

    @Override
    public int run(Call call) {
        String action = call.parameter(0);
        String name = call.optionalParameter(1);
        String value = call.optionalParameter(2);
        if (!ACTIONS.contains(action)) {
            throw Failure.usage("config does one of: list, get, set, unset; not " + Escapes.brief(action));
        }
        int expected = action.equals("unset") ? 1 : ACTIONS.indexOf(action);
        if ((name == null ? 0 : value == null ? 1 : 2) != expected) {
            throw Failure.usage(List.of(
                            "config list takes no argument",
                            "give the name of a setting: pail config " + action + " SETTING",
                            "give a name and a value: pail config set SETTING VALUE")
                    .get(expected));
        }
        if (call.get(ORIGIN) && name != null) {
            throw Failure.usage(ORIGIN + " is for config list");
        }
        boolean isUnset = action.equals("unset");
        if (name != null && name.startsWith(UserSettings.ALIAS)) {
            return alias(call, name, value, isUnset);
        }
        try (Repository repository = call.repository()) {
            Map<String, String> settings = FileRepository.of(repository)
                    .map(FileRepository::settings)
                    .orElseGet(() ->
                            new TreeMap<>(Map.of("format", repository.format().name())));
            settings.put(EVENTS, repository.refs().needs().contains(Need.EVENTS) ? DESCRIBED : "plain");
            if (name == null) {
                list(call, settings);
                return Exit.DONE;
            }
            if (isUnset) {
                unset(call, repository, settings, name);
                return Exit.DONE;
            }
            if (value == null) {
                return get(call.terminal(), settings, name);
            }
            if (!name.equals(EVENTS)) {
                FileRepository unused = call.files(repository, "settings that can be changed");
            }
            set(repository, settings, name, value);
            return Exit.DONE;
        }
    }

    private static void list(Call call, Map<String, String> settings) {
        Terminal terminal = call.terminal();
        UserSettings user = UserSettings.of(terminal);
        if (!call.get(ORIGIN)) {
            settings.forEach((each, text) -> print(terminal, each, text, each + "\t"));
            user.all().forEach((each, text) -> print(terminal, each, text, each + "\t"));
            return;
        }
        Map<String, String> origins = new TreeMap<>();
        Map<String, String> all = new TreeMap<>(settings);
        String named = terminal.environment(Call.AUTHOR);
        if (named != null) {
            all.put(Call.AUTHOR_SETTING, named);
            origins.put(Call.AUTHOR_SETTING, Call.AUTHOR);
        } else if (!all.containsKey(Call.AUTHOR_SETTING) && DESCRIBED.equals(all.get(EVENTS))) {
            GitAuthor.note(terminal).author().ifPresent(author -> {
                all.put(Call.AUTHOR_SETTING, author);
                origins.put(Call.AUTHOR_SETTING, "git");
            });
        }
        all.put("store", call.place());
        boolean isFound = terminal.environment(Call.STORE) == null;
        origins.put("store", call.globals().store() != null ? "command line" : isFound ? "found" : Call.STORE);
        boolean isStandard = call.globals().lockTimeout() == Globals.LOCK_TIMEOUT;
        all.put("lock-timeout", Long.toString(call.globals().lockTimeout()));
        origins.put("lock-timeout", isStandard ? "default" : "command line");
        user.all().forEach((each, text) -> {
            all.put(each, text);
            origins.put(each, user.place());
        });
        all.forEach((each, text) -> {
            String origin = origins.getOrDefault(each, "repository");
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField("setting", each);
                    json.writeStringField("value", text);
                    json.writeStringField("origin", origin);
                });
            } else {
                terminal.print(each + "\t" + Escapes.printable(text) + "\t" + Escapes.printable(origin));
            }
        });
    }

    /** Shows, sets or removes an alias, for which no repository is needed. */
    private int alias(Call call, String name, @Nullable String value, boolean isUnset) {
        UserSettings user = UserSettings.of(call.terminal());
        if (value == null && !isUnset) {
            return get(call.terminal(), user.all(), name);
        }
        if (value == null) {
            checkSet(user.all(), name);
            user.set(name, null);
            return Exit.DONE;
        }
        String word = name.substring(UserSettings.ALIAS.length());
        if (!ALIAS_NAME.matcher(word).matches() || commands.contains(word)) {
            throw Failure.usage(
                    commands.contains(word)
                            ? "an alias replaces no command, such as " + word
                            : "the name of an alias has letters, digits, - and _, not " + Escapes.brief(word));
        }
        checkCommand(value);
        user.set(name, value);
        return Exit.DONE;
    }

    private static void checkCommand(String value) {
        try {
            if (!Words.of(value).isEmpty() && value.chars().noneMatch(Character::isISOControl)) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw Failure.usage("no command: " + Escapes.brief(value) + ": " + e.getMessage());
        }
        throw Failure.usage("an alias stands for a command on one line, not for " + Escapes.brief(value));
    }

    private static void unset(Call call, Repository repository, Map<String, String> settings, String name) {
        if (!name.equals(Call.AUTHOR_SETTING)) {
            throw Failure.usage("the settings that can be removed are author and aliases, not " + Escapes.brief(name));
        }
        FileRepository files = call.files(repository, "settings that can be changed");
        checkSet(settings, name);
        files.setAuthor(Optional.empty());
    }

    private static void checkSet(Map<String, String> settings, String name) {
        if (!settings.containsKey(name)) {
            throw new Failure.Found(Exit.NO, "no-such-setting", "no such setting: " + Escapes.brief(name), null);
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
