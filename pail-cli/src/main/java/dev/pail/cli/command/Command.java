package dev.pail.cli.command;

import dev.pail.cli.terminal.Failure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** One of the commands. Built without reflection, which would be most of the time that it takes to start up. */
public abstract class Command {
    private final CommandSpec spec;
    private final Map<String, Command> actions = new HashMap<>();
    private final List<Rule> rules = new ArrayList<>();

    /** An option needs another, or excludes it. */
    private record Rule(Option option, Option other, boolean isNeeded, String message) {}

    /** @param description what it does, in lines; one that is indented is printed as it is */
    protected Command(String name, String... description) {
        spec = CommandSpec.create().name(name);
        spec.usageMessage().description(paragraphs(description).toArray(String[]::new));
        spec.usageMessage().footerHeading(Globals.SEE);
        Globals.addUnlistedTo(spec);
    }

    /** The first sentence, which is all that the list of the commands shows, and the others. */
    private static List<String> paragraphs(String... lines) {
        StringBuilder text = new StringBuilder();
        boolean wasIndented = false;
        for (String line : lines) {
            boolean isIndented = line.startsWith(" ");
            text.append(isIndented || wasIndented ? "\n" : " ").append(line);
            wasIndented = isIndented;
        }
        int end = text.indexOf(". ");
        return end < 0
                ? List.of(text.substring(1))
                : List.of(text.substring(1, end + 1), text.substring(end + ". ".length()));
    }

    public final CommandSpec spec() {
        return spec;
    }

    /** Adds a command whose name is given behind the name of this one. */
    protected final void action(Command action) {
        String name = action.spec.name();
        actions.put(name, action);
        spec.addSubcommand(name, action.spec);
    }

    /** The action with this name. */
    public final @Nullable Command action(String name) {
        return actions.get(name);
    }

    /** Adds options, in the order in which help lists them. */
    public final void takes(Option... options) {
        for (Option option : options) {
            option.addTo(spec);
        }
    }

    /**
     * Refuses an option without another.
     *
     * @param message what the failure says
     */
    protected final void needs(Option option, Option other, String message) {
        rules.add(new Rule(option, other, true, message));
    }

    /**
     * Refuses an option together with another.
     *
     * @param message what the failure says
     */
    protected final void excludes(Option option, Option other, String message) {
        rules.add(new Rule(option, other, false, message));
    }

    /** Checks that the options that were given go together, and runs. */
    public final int runChecked(Call call) {
        for (Rule rule : rules) {
            if (call.isGiven(rule.option()) && call.isGiven(rule.other()) != rule.isNeeded()) {
                throw Failure.usage(rule.message());
            }
        }
        if (isPaged() && !call.terminal().json) {
            call.terminal().page();
        }
        return run(call);
    }

    /** Takes the bounds of a range of keys: {@link Call#bounded} heeds them. */
    public final void hasBounds() {
        takes(Call.GT, Call.GTE, Call.LT, Call.LTE);
    }

    /** Takes the namespace that keys are in: {@link Call#key} and {@link Call#namespace} heed it. */
    protected final void inNamespace() {
        takes(Call.NAMESPACE, Call.CODEC);
    }

    /** Takes the reason of a change: {@link Call#toWrite} puts it in the log. */
    protected final void takesMessage() {
        takes(Call.MESSAGE);
    }

    /** Takes the version to read: {@link Call#versions} heeds it. */
    protected final void readsAt() {
        takes(Call.AT);
    }

    /**
     * Adds a parameter behind the ones that are there.
     *
     * @param arity how many there are: {@code 1}, {@code 0..1}, {@code 1..*}
     * @param offered what completion offers; nothing, if that depends on the label
     */
    protected final void parameter(String label, String arity, String description, String... offered) {
        int index = spec.positionalParameters().size();
        boolean several = arity.endsWith("*");
        PositionalParamSpec.Builder parameter = PositionalParamSpec.builder()
                .index(several ? index + "..*" : Integer.toString(index))
                .type(several ? List.class : String.class)
                .auxiliaryTypes(String.class)
                .arity(arity)
                .required(!arity.startsWith("0"))
                .paramLabel(label)
                .description(description);
        if (offered.length > 0) {
            parameter.completionCandidates(List.of(offered));
        }
        spec.addPositional(parameter.build());
    }

    protected final void examples(String... lines) {
        spec.usageMessage().footerHeading(Globals.SEE + "%nExamples:%n").footer(lines);
    }

    /** Whether a pager shows what it prints on a terminal: of commands that may print more than a screen has, and that look at history. */
    public boolean isPaged() {
        return false;
    }

    /** Does it and returns the exit status. */
    public abstract int run(Call call);
}
