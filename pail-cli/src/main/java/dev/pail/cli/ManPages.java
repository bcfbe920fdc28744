package dev.pail.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Writes the manual pages of {@code pail} and of each of its commands, from what {@code pail help} says. */
final class ManPages {
    private static final int WIDE = 10_000;

    private final StringBuilder page = new StringBuilder();

    private ManPages() {}

    /** Writes all pages into the folder that the first argument names. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        write(folder, Cli.specification());
    }

    private static void write(Path folder, CommandSpec spec) throws IOException {
        Files.writeString(folder.resolve(name(spec) + ".1"), of(spec), StandardCharsets.UTF_8);
        for (CommandLine inner : spec.subcommands().values()) {
            write(folder, inner.getCommandSpec());
        }
    }

    private static String name(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    /** The page of one command, in the language of man(7). */
    static String of(CommandSpec spec) {
        return new ManPages().page(spec);
    }

    private String page(CommandSpec spec) {
        UsageMessageSpec usage = spec.usageMessage();
        List<String> description = Arrays.asList(usage.description());
        String first = description.get(0);
        macro("TH", quoted(name(spec).toUpperCase(java.util.Locale.ROOT)), "1", "\"\"", "\"pail\"", "\"Pail manual\"");
        macro("SH", "NAME");
        line(name(spec) + " - " + (first.endsWith(".") ? first.substring(0, first.length() - 1) : first));
        macro("SH", "SYNOPSIS");
        line(synopsis(spec));
        macro("SH", "DESCRIPTION");
        description.forEach(this::paragraph);
        parameters(spec);
        options(spec);
        commands(spec);
        examples(usage);
        if (spec.parent() == null) {
            macro("SH", "EXIT STATUS");
            HelpCommand.STATUSES.lines().forEach(each -> item(each.split(" ", 2)[0], each.split(" ", 2)[1].strip()));
        }
        macro("SH", "SEE ALSO");
        line(spec.subcommands().values().stream()
                .map(inner -> name(inner.getCommandSpec()) + "(1)")
                .collect(Collectors.joining(", ", spec.parent() == null ? "" : name(spec.parent()) + "(1)", "")));
        return page.toString();
    }

    private static String synopsis(CommandSpec spec) {
        CommandLine.Help help = new CommandLine.Help(spec, Ansi.OFF);
        spec.usageMessage().width(WIDE);
        return help.synopsis(0).strip();
    }

    private void parameters(CommandSpec spec) {
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            item(parameter.paramLabel(), String.join(" ", parameter.description()));
        }
    }

    private void options(CommandSpec spec) {
        macro("SH", "OPTIONS");
        for (OptionSpec option : spec.options()) {
            String value = option.arity().min() > 0 ? " " + option.paramLabel() : "";
            item(String.join(", ", option.names()) + value, String.join(" ", option.description()));
        }
    }

    private void commands(CommandSpec spec) {
        if (spec.subcommands().isEmpty()) {
            return;
        }
        macro("SH", "COMMANDS");
        spec.subcommands()
                .forEach((name, inner) ->
                        item(name, inner.getCommandSpec().usageMessage().description()[0]));
    }

    private void examples(UsageMessageSpec usage) {
        List<String> lines = List.of(usage.footer());
        if (lines.isEmpty()) {
            return;
        }
        macro("SH", "EXAMPLES");
        macro("nf");
        lines.forEach(this::line);
        macro("fi");
    }

    private void item(String term, String text) {
        macro("TP");
        page.append("\\fB").append(escaped(term)).append("\\fR\n");
        line(text);
    }

    /** A paragraph of a description: its indented lines stay as they are. */
    private void paragraph(String text) {
        macro("PP");
        boolean filled = true;
        for (String each : text.split("\n", -1)) {
            boolean indented = each.startsWith(" ");
            if (indented == filled) {
                macro(indented ? "nf" : "fi");
                filled = !indented;
            }
            line(each);
        }
        if (!filled) {
            macro("fi");
        }
    }

    private void line(String text) {
        page.append(escaped(text)).append('\n');
    }

    private void macro(String name, String... words) {
        page.append('.').append(name);
        for (String word : words) {
            page.append(' ').append(word);
        }
        page.append('\n');
    }

    private static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    /** The text with what roff would read as more than text escaped. */
    private static String escaped(String text) {
        String plain = text.replace("\\", "\\e")
                .replace("-", "\\-")
                .replace("%n", "\n")
                .replace("%%", "%");
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
