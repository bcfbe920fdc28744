package dev.pail.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The pages of {@code docs/reference/}, from what {@code pail help} says. */
final class ReferencePages {
    private static final int WIDE = 78;

    /** The page of docs/ that tells more about a command. */
    private static final Map<String, String> GUIDES = Map.ofEntries(
            Map.entry("init", "../formats.md"),
            Map.entry("clone", "../sync.md"),
            Map.entry("import", "../history.md#what-travels-and-what-is-left-out"),
            Map.entry("config", "../history.md#who-and-why"),
            Map.entry("put", "../files.md"),
            Map.entry("rm", "../howto/recover-from-a-mistake.md"),
            Map.entry("apply", "../howto/scripts.md"),
            Map.entry("load", "../howto/scripts.md"),
            Map.entry("restore", "../howto/back-up-a-folder.md"),
            Map.entry("log", "../history.md"),
            Map.entry("diff", "../history.md"),
            Map.entry("revert", "../howto/recover-from-a-mistake.md"),
            Map.entry("undo", "../howto/recover-from-a-mistake.md"),
            Map.entry("redo", "../howto/recover-from-a-mistake.md"),
            Map.entry("reset", "../howto/recover-from-a-mistake.md"),
            Map.entry("branch", "../history.md"),
            Map.entry("switch", "../history.md"),
            Map.entry("tag", "../history.md"),
            Map.entry("merge", "../history.md#merging"),
            Map.entry("squash", "../history.md#a-new-history"),
            Map.entry("convert", "../formats.md"),
            Map.entry("watch", "../history.md#watching-a-branch"),
            Map.entry("export", "../history.md#what-travels-and-what-is-left-out"),
            Map.entry("remote", "../sync.md"),
            Map.entry("fetch", "../sync.md"),
            Map.entry("pull", "../sync.md"),
            Map.entry("push", "../sync.md"),
            Map.entry("prove", "../proofs.md"),
            Map.entry("check", "../proofs.md"),
            Map.entry("sign", "../proofs.md#sign-the-root"),
            Map.entry("serve", "../serve.md"),
            Map.entry("verify", "../howto/verify-in-a-cron-job.md"),
            Map.entry("gc", "../howto/free-space.md"),
            Map.entry("pack", "../storage.md#compact-history"),
            Map.entry("unpack", "../storage.md#compact-history"),
            Map.entry("copy", "../sync.md"),
            Map.entry("table", "../tables.md"),
            Map.entry("tree", "../concepts.md"),
            Map.entry("stat", "../storage.md"));

    private static final Map<String, String> VARIABLES = Map.ofEntries(
            Map.entry("PAIL_STORE", "the repository, as `-C` names it"),
            Map.entry("PAIL_AUTHOR", "who makes changes; it counts more than `pail config set author`"),
            Map.entry(
                    "GIT_CONFIG_GLOBAL",
                    "the configuration of git in place of `~/.gitconfig`: if nothing else names an author, changes have its `user.name` and"
                            + " `user.email`"),
            Map.entry("PAIL_TOKEN", "the token for a server"),
            Map.entry("PAIL_TRACE", "if set, a failure also prints where in Java it happened"),
            Map.entry(
                    "JDK_JAVA_OPTIONS",
                    "options of Java, such as `-Xmx4g` for more memory, or `-Ddev.pail.threads=1` for one thread"),
            Map.entry(
                    "SSL_CERT_FILE",
                    "a file with the certificates of authorities, in PEM, for remotes; `--tls-ca` counts more"),
            Map.entry(
                    "https_proxy",
                    "the proxy for remotes, as are `HTTPS_PROXY`, `http_proxy`, `no_proxy` and `NO_PROXY`"),
            Map.entry("NO_COLOR", "if set, no colours"),
            Map.entry("PGPASSWORD", "the password for a repository in PostgreSQL"),
            Map.entry(
                    "SOURCE_DATE_EPOCH",
                    "the time of changes, in seconds since 1970: equal changes then make equal events"));

    private final StringBuilder page = new StringBuilder();

    private ReferencePages() {}

    /** All pages: the text of each by the name of its file. */
    static Map<String, String> all() {
        Map<String, String> pages = new TreeMap<>();
        CommandSpec root = Cli.specification();
        pages.put("README.md", new ReferencePages().index(root));
        root.subcommands()
                .forEach((name, command) ->
                        pages.put(name + ".md", new ReferencePages().command(command.getCommandSpec())));
        return pages;
    }

    private String index(CommandSpec root) {
        line("# Commands", "");
        line("`pail help COMMAND` prints the same as the page of a command.");
        for (String line : Commands.list().lines().toList()) {
            if (line.startsWith("  ")) {
                String name = line.strip().split(" ", 2)[0];
                row(
                        "[`pail " + name + "`](" + name + ".md)",
                        escaped(line.strip().split(" ", 2)[1].strip()));
            } else if (!line.isBlank()) {
                line("", "## " + Character.toUpperCase(line.charAt(0)) + line.substring(1), "");
                row("command", "what it does");
                row("---", "---");
            }
        }
        line("", "## Global options", "", "Each command takes these, before or behind its name.", "");
        options(root);
        line("", "## Exit status", "");
        row("status", "meaning");
        row("---", "---");
        HelpCommand.STATUSES
                .lines()
                .forEach(each -> row("`" + each.split(" ", 2)[0] + "`", escaped(each.split(" ", 2)[1].strip())));
        line("", "With `--json`, an error also has a [code](../errors.md) for programs.");
        line("", "## Variables", "");
        row("variable", "meaning");
        row("---", "---");
        new TreeMap<>(VARIABLES).forEach((name, meaning) -> row("`" + name + "`", meaning));
        return page.toString();
    }

    private String command(CommandSpec spec) {
        line("# " + spec.qualifiedName(" "), "");
        body(spec, "##");
        if (!spec.subcommands().isEmpty()) {
            line("", "## Actions", "");
            row("action", "what it does");
            row("---", "---");
            spec.subcommands()
                    .forEach((name, inner) -> row(
                            "[`" + name + "`](#" + inner.getCommandSpec().qualifiedName("-") + ")",
                            text(inner.getCommandSpec().usageMessage().description()[0])));
            spec.subcommands().values().forEach(inner -> {
                line("", "## " + inner.getCommandSpec().qualifiedName(" "), "");
                body(inner.getCommandSpec(), "###");
            });
        }
        String guide = GUIDES.get(spec.name());
        line(
                "",
                "[Global options](README.md#global-options) and [exit status](README.md#exit-status) are the same for all commands."
                        + (guide == null
                                ? ""
                                : " More: ["
                                        + guide.replaceAll(".*/|\\.md.*", "").replace('-', ' ') + "](" + guide + ")."));
        return page.toString();
    }

    private void body(CommandSpec spec, String heading) {
        List<String> description = Arrays.asList(spec.usageMessage().description());
        line(text(description.get(0)), "");
        spec.usageMessage().width(WIDE);
        block(
                "sh",
                new CommandLine.Help(spec, Ansi.OFF)
                        .synopsis(0)
                        .stripTrailing()
                        .lines()
                        .toList());
        description.stream().skip(1).forEach(this::paragraph);
        if (!spec.positionalParameters().isEmpty()) {
            line("", heading + " Arguments" + suffix(spec), "");
            row("argument", "meaning");
            row("---", "---");
            for (PositionalParamSpec each : spec.positionalParameters()) {
                row(code(each.paramLabel()), text(String.join(" ", each.description())));
            }
        }
        if (spec.options().stream().anyMatch(option -> !option.hidden())) {
            line("", heading + " Options" + suffix(spec), "");
            options(spec);
        }
        List<String> examples = new ArrayList<>(List.of(spec.usageMessage().footer()));
        if (!examples.isEmpty()) {
            line("", heading + " Examples" + suffix(spec), "");
            block(
                    "sh",
                    examples.stream()
                            .map(each -> plain(each).replaceFirst("^  ", ""))
                            .toList());
        }
    }

    /** An action says again whose heading this is: a page has several. */
    private static String suffix(CommandSpec spec) {
        return spec.parent() != null && spec.parent().parent() != null ? " of " + spec.name() : "";
    }

    private void options(CommandSpec spec) {
        row("option", "meaning");
        row("---", "---");
        for (OptionSpec option : spec.options()) {
            if (!option.hidden()) {
                String value = option.arity().min() > 0 ? " " + option.paramLabel() : "";
                row(
                        Arrays.stream(option.names())
                                .map(name -> code(name + value))
                                .collect(Collectors.joining(", ")),
                        text(String.join(" ", option.description())));
            }
        }
    }

    /** A paragraph of a description: its indented lines are code. */
    private void paragraph(String paragraph) {
        List<String> gathered = new ArrayList<>();
        boolean indented = false;
        for (String each : plain(paragraph).split("\n", -1)) {
            if (each.startsWith(" ") != indented) {
                gathered(gathered, indented);
                indented = !indented;
            }
            gathered.add(each);
        }
        gathered(gathered, indented);
    }

    private void gathered(List<String> lines, boolean indented) {
        if (lines.isEmpty()) {
            return;
        }
        page.append('\n');
        if (indented) {
            block("sh", lines.stream().map(String::strip).toList());
        } else {
            line(escaped(String.join(" ", lines).strip()));
        }
        lines.clear();
    }

    private void block(String language, List<String> lines) {
        line("```" + language);
        lines.forEach(this::line);
        line("```");
    }

    private void row(String left, String right) {
        line("| " + left + " | " + right + " |");
    }

    private void line(String... lines) {
        for (String each : lines) {
            page.append(each).append('\n');
        }
    }

    private static String code(String text) {
        return "`" + text.replace("|", "\\|") + "`";
    }

    private static String text(String text) {
        return escaped(plain(text)).replace("|", "\\|");
    }

    /** A text of picocli, where a percent sign stands twice. */
    private static String plain(String text) {
        return text.replace("%n", "\n").replace("%%", "%");
    }

    /** The text with what Markdown would read as more than text escaped. */
    private static String escaped(String text) {
        return text.replaceAll("([\\\\`*_<>\\[\\]])", "\\\\$1");
    }
}
