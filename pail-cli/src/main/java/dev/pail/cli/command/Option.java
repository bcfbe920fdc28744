package dev.pail.cli.command;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** An option, declared once: arguments are parsed by it, help and completion show it, and {@link Call#get} reads its value. */
public abstract sealed class Option {
    private final Class<?> type;
    private final String label;
    private final String description;
    private final String[] names;

    /** What completion offers; empty, if that depends on the label. */
    private final List<String> offered;

    private Option(Class<?> type, String label, List<String> offered, String description, String... names) {
        this.offered = offered;
        this.type = type;
        this.label = label;
        this.description = description;
        this.names = names;
    }

    /** An option without a value. */
    public static final class Flag extends Option {
        private Flag(String description, String... names) {
            super(boolean.class, "", List.of(), description, names);
        }
    }

    /** An option with a text. */
    public static final class Text extends Option {
        private Text(String label, List<String> offered, String description, String... names) {
            super(String.class, label, offered, description, names);
        }

        /** The same, for which completion offers these values. */
        public Text offering(String... values) {
            Option all = this;
            return new Text(all.label, List.of(values), all.description, all.names);
        }
    }

    /** An option with a text, which may be given several times. */
    public static final class Texts extends Option {
        private Texts(String label, String description, String... names) {
            super(List.class, label, List.of(), description, names);
        }
    }

    /** An option with a whole number. */
    public static final class WholeNumber extends Option {
        private WholeNumber(String label, String description, String... names) {
            super(Long.class, label, List.of(), description, names);
        }
    }

    public static Flag flag(String description, String... names) {
        return new Flag(description, names);
    }

    public static Text text(String label, String description, String... names) {
        return new Text(label, List.of(), description, names);
    }

    public static Texts texts(String label, String description, String... names) {
        return new Texts(label, description, names);
    }

    public static WholeNumber number(String label, String description, String... names) {
        return new WholeNumber(label, description, names);
    }

    final void addTo(CommandSpec command) {
        OptionSpec.Builder option = OptionSpec.builder(names).type(type).description(description);
        if (type == boolean.class) {
            option.arity("0");
        } else {
            option.arity("1").paramLabel(label);
        }
        if (type == List.class) {
            option.auxiliaryTypes(String.class);
        }
        if (!offered.isEmpty()) {
            option.completionCandidates(offered);
        }
        command.addOption(option.build());
    }

    final String first() {
        return names[0];
    }

    /** The name for messages: the last. */
    @Override
    public final String toString() {
        return names[names.length - 1];
    }
}
