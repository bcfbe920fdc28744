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

    private Option(Class<?> type, String label, String description, String... names) {
        this.type = type;
        this.label = label;
        this.description = description;
        this.names = names;
    }

    /** An option without a value. */
    public static final class Flag extends Option {
        private Flag(String description, String... names) {
            super(boolean.class, "", description, names);
        }
    }

    /** An option with a text. */
    public static final class Text extends Option {
        private Text(String label, String description, String... names) {
            super(String.class, label, description, names);
        }
    }

    /** An option with a text, which may be given several times. */
    public static final class Texts extends Option {
        private Texts(String label, String description, String... names) {
            super(List.class, label, description, names);
        }
    }

    /** An option with a whole number. */
    public static final class WholeNumber extends Option {
        private WholeNumber(String label, String description, String... names) {
            super(Long.class, label, description, names);
        }
    }

    public static Flag flag(String description, String... names) {
        return new Flag(description, names);
    }

    public static Text text(String label, String description, String... names) {
        return new Text(label, description, names);
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
