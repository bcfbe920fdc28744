package dev.pail.cli;

import dev.pail.cli.table.TableCommandsTest;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Runs every command over hostile strings: as keys, values, ids, fields, documents, files, names and arguments. */
final class HostileSession {
    static final int STRINGS = 500;

    /** Starts the line that tells which command the output below it is from. */
    static final String MARK = "# pail ";

    private static final int MOST_CHARACTERS = 8;

    /** How many strings one argument has: messages cut arguments of more than 200 characters. */
    private static final int TOGETHER = 25;

    private static final List<String> SEQUENCES = List.of(
            "\u001b[2J\u001b[H",
            "\u001b[2m",
            "\u001b[0m",
            "\u001b[K",
            "\u001b]0;t\u0007",
            "\u001b]8;;http://x\u001b\\",
            "\u009b31m",
            "\u009d0;t\u009c",
            "\u0090q\u009c",
            "a\rb",
            "a\b\bc",
            "\u202etxt.exe",
            "\u2066a\u2069",
            "\nerror: x",
            "\\u{1b}",
            "=cmd|' /C x'!A0",
            "\u007f",
            "\ufeff",
            "\ufdd0\ufdd1");
    private static final String CHARACTERS =
            "ab\"'\\,;:.=-/{}[] \t\u0085\u009b\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e"
                    + "\u2066\u2067\u2068\u2069\u200d\u2028\u2029\u00e9\u65e5";

    private final OutputStream out;
    private final OutputStream err;
    private final Map<String, String> environment;
    private final Path folder;
    private final boolean isOut;
    private final boolean isErr;
    private final List<String> strings;

    private HostileSession(
            OutputStream out,
            OutputStream err,
            Map<String, String> environment,
            Path folder,
            boolean isOut,
            boolean isErr,
            long seed) {
        this.out = out;
        this.err = err;
        this.environment = environment;
        this.folder = folder;
        this.isOut = isOut;
        this.isErr = isErr;
        this.strings = strings(seed);
    }

    /** On the terminal that standard output and error are, as the launcher tells. The arguments are a folder and a seed. */
    public static void main(String[] arguments) throws IOException {
        String terminals = System.getProperty("pail.terminals", "");
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        new HostileSession(
                        out,
                        new FileOutputStream(FileDescriptor.err),
                        Map.of("NO_COLOR", "1"),
                        Path.of(arguments[0]),
                        terminals.contains("out"),
                        terminals.contains("err"),
                        Long.parseLong(arguments[1]))
                .runAll();
        out.write("# end\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** In this process, with color, as if the stream were a terminal. */
    static void run(OutputStream terminal, Path folder, long seed) throws IOException {
        new HostileSession(terminal, terminal, Map.of(), folder, true, true, seed).runAll();
    }

    static List<String> strings(long seed) {
        Random random = new Random(seed);
        TreeSet<String> strings = new TreeSet<>(SEQUENCES);
        for (int c = 1; c < 0xa0; c = c == 0x1e ? 0x20 : c == 0x20 ? 0x7f : c + 1) {
            strings.add("x" + (char) c);
        }
        while (strings.size() < STRINGS) {
            StringBuilder text = new StringBuilder();
            for (int length = 1 + random.nextInt(8); length > 0; length--) {
                switch (random.nextInt(4)) {
                    case 0 -> text.append((char) (1 + random.nextInt(0x1e)));
                    case 1 -> text.append(SEQUENCES.get(random.nextInt(SEQUENCES.size())));
                    default -> text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
                }
            }
            strings.add(text.substring(0, Math.min(text.length(), MOST_CHARACTERS)));
        }
        return List.copyOf(strings);
    }

    private void runAll() throws IOException {
        done("", "init", "--max-size", "100000");
        fill();
        look();
        tables();
        merge();
        files();
        arguments();
        lines();
    }

    private void done(String in, String... arguments) throws IOException {
        int status = run(in, arguments);
        if (status != Exit.DONE) {
            throw new AssertionError(String.join(" ", arguments) + ": exit " + status);
        }
    }

    private int run(String in, String... arguments) throws IOException {
        out.flush();
        String name = arguments[0] + (arguments[0].equals("table") ? " " + arguments[1] : "");
        out.write((MARK + name.replaceAll("[^a-z -]", "") + "\n").getBytes(StandardCharsets.US_ASCII));
        Terminal terminal = new Terminal(
                new Terminal.Streams(
                        new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)), out, err, terminals()),
                environment,
                folder);
        return Cli.run(terminal, arguments);
    }

    private Set<Terminal.Standard> terminals() {
        Set<Terminal.Standard> terminals = EnumSet.noneOf(Terminal.Standard.class);
        if (isOut) {
            terminals.add(Terminal.Standard.OUT);
        }
        if (isErr) {
            terminals.add(Terminal.Standard.ERR);
        }
        return terminals;
    }

    private void fill() throws IOException {
        StringBuilder operations = new StringBuilder();
        for (int i = 0; i < strings.size(); i++) {
            operations.append(Line.put(strings.get(i), i));
        }
        done(operations.toString(), "apply");
        done("", "undo");
        done(operations.toString(), "apply", "--each");
    }

    /** All strings, some of them joined to one each. */
    private List<String> together() {
        List<String> joined = new ArrayList<>();
        for (int from = 0; from < strings.size(); from += TOGETHER) {
            joined.add(String.join("", strings.subList(from, Math.min(strings.size(), from + TOGETHER))));
        }
        return joined;
    }

    private void look() throws IOException {
        for (String json : List.of("-q", "--json")) {
            for (String command : List.of(
                    "ls",
                    "tree",
                    "stat",
                    "root",
                    "log",
                    "log --head",
                    "verify",
                    "branch",
                    "tag",
                    "diff @{400}",
                    "watch --from 0 -n 400",
                    "ls --namespaces",
                    "diff @{400} --stat",
                    "gc",
                    "stat --space")) {
                run("", (command + " " + json).split(" "));
            }
            for (String some : together()) {
                run("", "get", json, "--", some);
            }
        }
        run("", "log", "--", strings.get(0));
    }

    private void tables() throws IOException {
        Path store = Files.createDirectory(folder.resolve("t"));
        List<String> in = List.of("-C", store.toString());
        table(in, "", "init");
        StringBuilder rows = new StringBuilder();
        int number = 0;
        for (String string : strings) {
            String json = quoted(string);
            rows.append("{\"id\":")
                    .append(json)
                    .append(",\"v\":")
                    .append(json)
                    .append(",\"n\":{")
                    .append(json)
                    .append(':')
                    .append(json)
                    .append("},\"list\":[")
                    .append(json)
                    .append("],\"same\":")
                    .append(number++)
                    .append("}\n");
        }
        String name = "people" + SEQUENCES.get(0);
        table(in, "", "table", "create", name);
        table(in, "", "table", "create", "few");
        table(in, "", "table", "index", name, "v");
        table(in, "", "table", "index", "few", "a" + SEQUENCES.get(0));
        table(in, rows.toString(), "table", "load", name);
        table(in, "{\"id\":\"1\",\"a\":2}\n{\"id\":\"1\",\"a\":3}\n", "table", "load", "few");
        for (String format : List.of("--format=table", "--format=csv", "--format=ndjson", "--json", "-q")) {
            table(in, "", "table", "scan", name, format);
            table(in, "", "table", "scan", name, "--fields", "v,list", format);
            table(in, "", "table", "find", name, "v", format);
            table(in, "", "table", "max", name, "v", format);
            table(in, "", "table", "history", "few", "1", format);
            table(in, "", "table", "count", name, "--by", "v", format);
            table(in, "", "table", "diff", "@{1}", format);
            table(in, "", "table", "ls", format);
            table(in, "", "table", "ls", name, format);
        }
        for (String string : together()) {
            table(in, "", "table", "get", name, "--", string);
            table(in, "id," + string + "\n1," + string + "\n", "table", "load", name, "--csv");
            table(in, "id,a\n1," + string + "\n", "table", "load", name, "--csv", "--cells", "json");
            table(in, "", "table", "get", name, "--json", "--", string);
            table(in, "", "table", "locate", name, "--", string);
            table(in, "", "table", "explain", name, "v == " + quoted(string).replace("\\\\", "x"));
            table(in, "", "table", "find", "few", "a\u001b[2J\u001b[H", "--", string);
            table(in, "", "table", "index", name, "--", string);
            table(in, "", "table", "put", name, "--", string, "[" + string);
            table(in, "", "table", "schema", "few", "--column", string + " text default " + quoted(string));
            table(in, "", "table", "schema", "few", "--check", "v != " + quoted(string), "--remove", string);
            table(
                    in,
                    "{\"type\":\"object\",\"properties\":{" + quoted(string) + ":{}}}",
                    "table",
                    "schema",
                    "few",
                    "--set",
                    "-");
            table(in, "", "table", "put", "few", "1", "{" + quoted(string) + ":[" + quoted(string) + "]}");
            table(in, "", "table", "schema", "few");
            table(in, "", "table", "schema", "few", "--json-schema");
        }
        table(in, "", "table", "reindex");
        table(in, "", "table", "rm", name, "--", strings.get(3), "absent\u001b[2J");
        table(in, "", "log", "--head");
        table(in, "", "table", "drop", name);
    }

    private void table(List<String> store, String in, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        // Behind the name of the command, which the marks show.
        all.addAll(arguments[0].equals("table") ? 2 : 1, store);
        run(in, all.toArray(String[]::new));
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c < 0x20 || c == '"' || c == '\\') {
                json.append(String.format("\\u%04x", c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }

    private void merge() throws IOException {
        done("", "branch", "other");
        StringBuilder ours = new StringBuilder();
        StringBuilder theirs = new StringBuilder();
        for (int i = 0; i < strings.size(); i++) {
            ours.append(Line.put(strings.get(i), i + 1));
            theirs.append(Line.put(strings.get(i), i + 2));
            if (i % 50 == 0) {
                done("", "put", "-q", "--text", strings.get(i), "--", "text " + i);
                done("", "put", "-q", "-b", "other", "--text", strings.get(i) + " too", "--", "text " + i);
            }
        }
        done(ours.toString(), "apply");
        done(theirs.toString(), "apply", "-b", "other");
        run("", "merge", "other", "--policy", "fail");
        run("", "merge", "other", "--policy", "fail", "--json");
        run("", "merge", "other", "--policy", "ours", "--dry-run");
        run("", "cp", "--", strings.get(0), strings.get(1));
        run("", "mv", "--", strings.get(1), strings.get(2) + " none");
        run("", "mv", "--", strings.get(2) + " none", strings.get(3));
        run("", "merge", "other", "--merge-values", "text,json", "--dry-run");
        run("", "merge", "other", "--merge-values", strings.get(0));
        for (String each : strings) {
            run("", "merge-rules", "set", each, "text");
            run("", "merge-rules", "set", "a", each);
        }
        run("", "merge-rules");
        run("", "merge-rules", "list", "--json");
        run("", "merge", "other", "--dry-run");
        for (String each : strings) {
            run("", "merge-rules", "rm", each);
        }
        run("", "cherry-pick", "main..other");
        run("", "cherry-pick", "other~1..other", "--policy", "theirs");
        run("", "merge", "other");
        run("", "status");
        run("", "status", "--json");
        run("", "describe");
        run("", "log", "--graph", "--oneline");
        run("", "conflicts");
        run("", "conflicts", "--json");
        run("", "resolve", strings.get(0), "--base");
        run("", "resolve", strings.get(0), "--base");
        run("", "resolve", "--all", "--text", strings.get(1));
        run("", "resolve", "--all", "--ours", "--json");
        run("", "merge", "other", "--policy", "ours", "--json");
    }

    private void files() throws IOException {
        done("", "export", "all.car");
        String strange = "a\u001b[2J\u009b\u202e.car";
        done("", "export", strange);
        for (String command : List.of("ls", "tree", "log", "verify", "stat", "root", "put k --text x", "branch")) {
            run("", (command + " -C\n" + strange).replace(' ', '\n').split("\n"));
        }
        Files.write(folder.resolve(strange), new byte[] {1, 2, 3});
        run("", "import", strange);
        run("", "ls", "-C", strange);
        done("", "import", "all.car", "-b", "new");
        done("", "pack");
        done("", "unpack");
        prove();
        for (Path file : files(".pail/heads")) {
            String text = Files.readString(file);
            Files.writeString(file, "\u001b[2J\u202e" + text);
            run("", "ls");
            run("", "verify", "--json");
            Files.writeString(file, text);
        }
    }

    /** All keys, as a proof has them, and files with names that are hostile. */
    private void prove() throws IOException {
        done("", "prove", "--prefix", "", "-o", "p.car");
        String root = Shell.in(folder).root();
        done("", "check", "p.car", "--root", root, "--prefix", "");
        done("", "check", "p.car", "--root", root, "--prefix", "", "--json");
        for (String some : together()) {
            run("", "prove", "-o", "p.car", "--", some);
            run("", "prove", "a", "-o", some);
            run("", "prove", "--from", some, "-o", "p.car");
            run("", "prove", "a", "--namespace", some, "-o", "p.car");
            run("", "check", "p.car", "--root", root, "--key", "a", "--namespace", some);
            run("", "check", "p.car", "--root", root, "--from", some);
            run("", "check", "p.car", "--root", root, "--key", some);
            run("", "check", "p.car", "--root", some, "--key", "a");
            run("", "check", "--root", root, "--key", "a", "--", some);
            run("", "prove", "--follows", some, "-o", "p.car");
            run("", "check", "p.car", "--event", some, "--follows", root);
            run("", "check", "p.car", "--event", root, "--follows", some);
        }
    }

    private List<Path> files(String in) throws IOException {
        try (var files = Files.list(folder.resolve(in))) {
            return files.sorted().toList();
        }
    }

    /** What is wrong in arguments, for all commands and their actions. */
    private void arguments() throws IOException {
        List<List<String>> commands = new ArrayList<>();
        Cli.specification().subcommands().keySet().forEach(name -> commands.add(List.of(name)));
        TableCommandsTest.ACTIONS.forEach(action -> commands.add(List.of("table", action)));
        for (String all : together()) {
            run("", all);
            run("", "--" + all);
            run("", "-C", all, "ls");
            run("", "help", all);
            for (List<String> command : commands) {
                refused(command, "--" + all);
                refused(command, "--json", "--" + all);
                refused(command, "--color", all);
                refused(command, "--lock-timeout", all);
                refused(command, "-C", "no\u0007/" + all);
                refused(command, all, all, all, all, all, "--no-such-option");
            }
        }
    }

    private void refused(List<String> command, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(arguments));
        run("", all.toArray(String[]::new));
    }

    /** Lines that commands read and refuse, and names that they refuse. */
    private void lines() throws IOException {
        for (String all : together()) {
            for (String command : List.of(
                    "apply", "load", "table load few -C t", "apply --json", "apply --each", "batch -k", "shell")) {
                run(all, command.split(" "));
                run("{\"op\":" + quoted(all) + "}", command.split(" "));
                run("{" + quoted(all) + ":1}", command.split(" "));
                run("{\"op\":\"put\",\"key\":\"k\",\"value\":" + quoted(all) + "}", command.split(" "));
            }
            for (String command : List.of(
                    "put k",
                    "put k --file",
                    "branch",
                    "tag",
                    "switch",
                    "reset",
                    "merge",
                    "diff",
                    "import",
                    "log --at",
                    "ls --at",
                    "cat",
                    "rm",
                    "ls -b",
                    "ls --namespace a --codec",
                    "init --namespace-codec",
                    "table create",
                    "table drop",
                    "table scan",
                    "table put few",
                    "table scan few --where",
                    "table scan few --format",
                    "table scan few --fields",
                    "table find few",
                    "table diff",
                    "table load few",
                    "table put few x",
                    "table explain few",
                    "branch -d")) {
                List<String> words = new ArrayList<>(List.of(command.split(" ")));
                words.add(all);
                run("", words.toArray(String[]::new));
                if (command.startsWith("table")) {
                    words.addAll(2, List.of("-C", "t"));
                    run("", words.toArray(String[]::new));
                }
            }
        }
    }
}
