package dev.pail.cli.command.history;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.content.merge.PrefixRules;
import dev.pail.content.merge.ValueKind;
import dev.pail.ipld.Block;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RepositoryException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Lists, sets and removes the rules for merges inside values. */
public final class MergeRulesCommand extends ChangeCommand {
    private static final String LIST = "list";
    private static final String SET = "set";
    private static final String WHOLE = "whole";
    private static final List<String> ACTIONS = List.of(LIST, SET, "rm");

    public MergeRulesCommand() {
        super(
                "merge-rules",
                "Lists the rules for merges inside values, or sets or removes the rule of a prefix, and prints the new root.",
                "If both sides of a merge changed a value, and the longest prefix of its key has a rule, the merged value has the changes of both: of a",
                "text by lines, of an object of JSON or dag-cbor by fields. What both changed in one place stays a conflict of the whole value.",
                "The key .pailmerge has the rules, so they are versioned, and all copies merge by them. If both sides changed the rules, these merge first.",
                "Rows of tables merge by fields without a rule. For one merge alone, see: pail merge --merge-values");
        parameter("ACTION", "0..1", "list, set or rm.", ACTIONS.toArray(String[]::new));
        parameter("PREFIX", "0..1", "How the keys start; \"\" is for all keys.");
        parameter(
                "KIND",
                "0..1",
                "text, json, text,json, or whole for values that do not merge inside.",
                "text",
                "json",
                "text,json",
                WHOLE);
        takesMessage();
        examples(
                "  pail merge-rules set docs/ text",
                "  pail merge-rules set docs/drafts/ whole",
                "  pail merge-rules",
                "  pail merge-rules rm docs/drafts/");
    }

    @Override
    public int run(Call call) {
        String action = call.optionalParameter(0) == null ? LIST : call.parameter(0);
        String prefix = call.optionalParameter(1);
        String kind = call.optionalParameter(2);
        if (!ACTIONS.contains(action)) {
            throw Failure.usage("merge-rules does one of: list, set, rm; not " + Escapes.brief(action));
        }
        int given = prefix == null ? 0 : kind == null ? 1 : 2;
        int expected = action.equals(LIST) ? 0 : action.equals(SET) ? 2 : 1;
        if (given != expected) {
            throw Failure.usage(List.of(
                            "merge-rules list takes no argument",
                            "give a prefix: pail merge-rules rm PREFIX",
                            "give a prefix and a kind: pail merge-rules set PREFIX KIND")
                    .get(expected));
        }
        if (prefix == null) {
            return list(call);
        }
        Set<ValueKind> kinds = kind == null ? Set.of() : kinds(kind);
        try (Repository repository = call.toWrite()) {
            boolean isSet = kind != null;
            if (isSet) {
                requireUnderstood(repository);
            }
            Pail changed = repository
                    .update(
                            call.branch(repository),
                            "merge-rules " + action + " " + prefix,
                            pail -> changed(pail, rules -> {
                                if (isSet) {
                                    rules.put(prefix, kinds);
                                } else if (rules.remove(prefix) == null) {
                                    throw new Failure.Found(
                                            Exit.NO,
                                            "absent",
                                            "no rule for the prefix " + Escapes.brief(prefix),
                                            "see all with: pail merge-rules");
                                }
                            }))
                    .pail();
            printRoot(call, changed);
            return Exit.DONE;
        }
    }

    private static int list(Call call) {
        Terminal terminal = call.terminal();
        try (Repository repository = call.repository()) {
            Pail pail = repository.pail(call.branch(repository));
            Map<String, Set<ValueKind>> rules = PrefixRules.of(pail);
            rules.forEach((prefix, kinds) -> {
                if (terminal.json) {
                    terminal.printJson(json -> {
                        json.writeStringField("prefix", prefix);
                        json.writeStringField("kind", words(kinds));
                    });
                } else {
                    terminal.print(Escapes.brief(prefix) + "\t" + words(kinds));
                }
            });
            if (rules.isEmpty() && pail.get(PrefixRules.KEY).isPresent()) {
                terminal.warn(
                        "the value of " + PrefixRules.KEY + " has no rules that can be read: no value merges inside");
            }
            return Exit.DONE;
        }
    }

    /** The version with other rules. */
    public static Pail changed(Pail pail, Consumer<Map<String, Set<ValueKind>>> change) {
        SortedMap<String, Set<ValueKind>> rules = new TreeMap<>(PrefixRules.of(pail));
        change.accept(rules);
        if (rules.isEmpty()) {
            return pail.delete(PrefixRules.KEY);
        }
        Block block = PrefixRules.block(rules);
        pail.blocks().put(block);
        return pail.put(PrefixRules.KEY, block.cid());
    }

    /** A program of version 0.2 merges values of keys as a whole, so a repository that it reads gets no rules (VM1). */
    private static void requireUnderstood(Repository repository) {
        if (!repository.refs().needs().contains(Need.EVENTS)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_UNDERSTOOD,
                    "no merge rules here: the repository is also for programs of version 0.2, which merge without them",
                    Hint.of("leave these out with: ", Hint.Action.DESCRIBE_EVENTS, ""),
                    null);
        }
    }

    /** The kinds of a rule. */
    public static Set<ValueKind> kinds(String words) {
        if (words.equals(WHOLE)) {
            return Set.of();
        }
        String allowed = "KIND is text, json, text,json or whole";
        Set<ValueKind> kinds = MergeCommand.kinds(allowed, words);
        if (kinds.contains(ValueKind.ROWS)) {
            throw Failure.usage(allowed + ": rows of tables merge by fields without a rule");
        }
        return kinds;
    }

    private static String words(Set<ValueKind> kinds) {
        return kinds.isEmpty()
                ? WHOLE
                : kinds.stream()
                        .sorted()
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(","));
    }
}
