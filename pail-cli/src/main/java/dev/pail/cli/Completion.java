package dev.pail.cli;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Globals;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.UserSettings;
import dev.pail.cli.command.Versions;
import dev.pail.cli.command.exchange.Remotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.LogEntry;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The candidates for the last word of a command line that is still being typed.
 *
 * @param spec the innermost command that the words before name
 * @param asked the option or the parameter whose value the last word is; null, if it is none
 * @param isOption whether the last word is the name of an option
 * @param call the call whose store and branch are those that the words name
 */
record Completion(CommandSpec spec, @Nullable ArgSpec asked, boolean isOption, Call call, String last) {
    private static final int MOST_KEYS = 200;
    private static final int MOST_EVENTS = 50;

    static Completion of(CommandSpec root, Call call, List<String> words) {
        String last = words.isEmpty() ? "" : words.get(words.size() - 1);
        CommandSpec spec = root;
        OptionSpec open = null;
        int parameters = 0;
        boolean optionsEnded = false;
        String store = call.globals().store();
        String branch = call.globals().branch();
        for (String word : words.subList(0, Math.max(0, words.size() - 1))) {
            CommandLine inner = spec.subcommands().get(word);
            if (open != null) {
                store = open.longestName().equals("--store") ? word : store;
                branch = open.longestName().equals("--branch") ? word : branch;
                open = null;
            } else if (!optionsEnded && word.equals("--")) {
                optionsEnded = true;
            } else if (!optionsEnded && word.startsWith("-")) {
                OptionSpec option = spec.optionsMap().get(word);
                open = option != null && option.arity().min() > 0 ? option : null;
            } else if (inner != null && parameters == 0) {
                spec = inner.getCommandSpec();
            } else {
                parameters++;
            }
        }
        Globals.Output given = call.globals().output();
        Globals.Output output = new Globals.Output(false, true, given.color(), given.progress());
        Globals globals = new Globals(store, branch, output, 0);
        Call at = new Call(call.arguments(), globals, call.terminal());
        if (open != null) {
            return new Completion(spec, open, false, at, last);
        }
        boolean isOption = !optionsEnded && last.startsWith("-");
        return new Completion(spec, isOption ? null : parameter(spec, parameters), isOption, at, last);
    }

    private static @Nullable ArgSpec parameter(CommandSpec spec, int index) {
        return spec.positionalParameters().stream()
                .filter(parameter -> parameter.index().contains(index))
                .findFirst()
                .orElse(null);
    }

    /** Returns the candidates, without those that have characters that a terminal would not show as they are. */
    List<String> candidates() {
        return all().filter(candidate -> candidate.startsWith(last))
                .filter(candidate -> candidate.equals(Escapes.escape(candidate)))
                .toList();
    }

    private Stream<String> all() {
        if (isOption) {
            return options();
        }
        if (asked == null) {
            Stream<String> commands = spec.subcommands().keySet().stream();
            return spec.parent() == null ? Stream.concat(commands, aliases()) : commands;
        }
        if (asked.completionCandidates() != null) {
            return StreamSupport.stream(asked.completionCandidates().spliterator(), false);
        }
        return switch (asked.paramLabel()) {
            case "COMMAND" -> spec.root().subcommands().keySet().stream();
            case "KEY", "PREFIX", "KEY|DIR", "OLD", "NEW" -> keys();
            case "TABLE" -> tables();
            case "EVENT" -> events();
            case "REMOTE" -> remotes();
            // Of copy they are folders, for the shell to complete.
            case "FROM", "TO" -> spec.name().equals("copy") ? Stream.empty() : Stream.concat(Stream.of("HEAD"), refs());
            case "REVISION" -> Stream.concat(Stream.of("HEAD"), refs());
            case "NAME", "BRANCH" -> spec.name().equals("remote") ? remotes() : refs();
            default -> Stream.empty();
        };
    }

    private Stream<String> aliases() {
        try {
            return UserSettings.of(call.terminal()).all().keySet().stream()
                    .filter(name -> name.startsWith(UserSettings.ALIAS))
                    .map(name -> name.substring(UserSettings.ALIAS.length()));
        } catch (RuntimeException e) {
            return Stream.empty();
        }
    }

    private Stream<String> options() {
        return spec.options().stream().flatMap(option -> Stream.of(option.names()));
    }

    /** The first keys with the prefix typed so far; none if the store cannot be read, as a completion has no place for errors. */
    private Stream<String> keys() {
        try (Versions versions = call.versions();
                Stream<Entry> entries = versions.pail().entries(KeyRange.prefix(last))) {
            return entries.limit(MOST_KEYS).map(Entry::key).toList().stream();
        } catch (RuntimeException e) {
            return Stream.empty();
        }
    }

    private Stream<String> tables() {
        try (Versions versions = call.versions()) {
            return Tables.of(versions.pail()).list().stream().map(Table::name);
        } catch (RuntimeException e) {
            return Stream.empty();
        }
    }

    /** The events of the last updates of the branch. */
    private Stream<String> events() {
        try (Repository repository = call.repository();
                Stream<LogEntry> log = repository.history().log(call.branch(repository))) {
            return log
                    .limit(MOST_EVENTS)
                    .flatMap(entry -> entry.to().events().stream())
                    .map(HistoryText::brief)
                    .distinct()
                    .toList()
                    .stream();
        } catch (RuntimeException e) {
            return Stream.empty();
        }
    }

    private Stream<String> remotes() {
        try (Repository repository = call.repository()) {
            Set<String> names =
                    new TreeSet<>(call.files(repository, "remotes").remotes().keySet());
            names.add(Remotes.ORIGIN);
            return names.stream();
        } catch (RuntimeException e) {
            return Stream.empty();
        }
    }

    private Stream<String> refs() {
        try (Repository repository = call.repository()) {
            List<String> names = new ArrayList<>(repository.branches().names());
            names.addAll(repository.tags().names());
            names.addAll(repository.refs().trackings());
            return names.stream();
        } catch (RuntimeException e) {
            return Stream.empty();
        }
    }
}
