package dev.pail.cli.command.map;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.BlockStore;
import dev.pail.KeyRange;
import dev.pail.Namespace;
import dev.pail.NamespaceEntry;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Codecs;
import dev.pail.cli.text.KeyPattern;
import dev.pail.cli.text.ValueText;
import dev.pail.ipld.Cid;
import dev.pail.keys.Name;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists entries. */
public final class LsCommand extends Command {
    private static final Option.Flag LONG = Option.flag(
            "Show the size and the codec of each value, as du counts it; - for the size of one that is not here. Behind the key, show the beginning"
                    + " of a short text or document.",
            "-l");

    private static final Option.Flag REVERSE = Option.flag("From the greatest key to the least.", "--reverse");

    private static final Option.WholeNumber LIMIT = Option.number("N", "List at most N entries.", "--limit");

    private static final Option.WholeNumber SKIP = Option.number("N", "Leave out the first N entries.", "--skip");

    private static final Option.Flag COUNT = Option.flag("Print the number of entries alone.", "--count");

    private static final Option.Flag ZERO = Option.flag(
            "End each entry with a zero byte, not a newline, and escape nothing. In the format v0, keys of namespaces "
                    + "have zero bytes themselves: list those without -0.",
            "-0");

    private static final Option.Flag NAMESPACES =
            Option.flag("The namespaces in --namespace, else the outermost ones, and no keys.", "--namespaces");

    public LsCommand() {
        super(
                "ls",
                "Lists entries in the order of their keys: key, tab, CID. Hidden characters of a key are escaped;",
                "with -0 and --json keys are exact. A key of a namespace that is no text has its",
                "bytes as \\xff, and with --json as keyBytes in base64.");
        parameter(
                "PREFIX",
                "0..1",
                "Only keys that start with this; with * or ? in it, only keys that match it: * is any text without a slash,"
                        + " ** any text, ? one character, and \\ takes the next character as it is.");
        takes(LONG);
        hasBounds();
        takes(REVERSE, SKIP, LIMIT, COUNT, ZERO);
        inNamespace();
        takes(NAMESPACES);
        readsAt();
        for (Option ofEntries : List.of(LONG, ZERO, SKIP, LIMIT, NAMESPACES)) {
            excludes(COUNT, ofEntries, "--count lists no entries, and counts all");
        }
        excludes(NAMESPACES, SKIP, "--skip is for entries");
        excludes(ZERO, LONG, "-0 is for programs, and -l for people: give one of them");
        examples(
                "  pail ls photos/",
                "  pail ls -l 'etc/*.conf'",
                "  pail ls --namespace users/eu",
                "  pail ls --count photos/",
                "  pail ls --gte 2024-07 --lt 2024-08 --reverse --limit 10",
                "  pail -C photos.car ls");
    }

    @Override
    public int run(Call call) {
        long most = call.limit(LIMIT);
        if (call.get(ZERO) && call.terminal().json) {
            throw Failure.usage("-0 is not for --json, which escapes what needs it");
        }
        KeyRange range = range(call);
        try (Versions versions = call.versions()) {
            if (call.get(NAMESPACES)) {
                if (!range.equals(KeyRange.all()) || range.isDescending()) {
                    throw Failure.usage(NAMESPACES + " lists all namespaces, and takes no bounds of keys");
                }
                namespaces(call, versions.pail())
                        .limit(most)
                        .forEachOrdered(name -> print(call, "namespace", name, null));
            } else {
                Pail pail = versions.pail();
                if (call.get(COUNT)) {
                    printCount(call, count(call, pail, range));
                    return Exit.DONE;
                }
                skipped(call, pail, range).limit(most).forEachOrdered(entry -> {
                    if (call.get(LONG)) {
                        printLong(call, versions.blocks(), entry);
                    } else {
                        print(call, "key", entry.key(), entry.value());
                    }
                });
            }
            return Exit.DONE;
        }
    }

    private static Stream<NamespaceEntry> matching(Call call, Pail pail, KeyRange range) {
        Stream<NamespaceEntry> entries = entries(call, pail, range);
        if (!isPattern(call)) {
            return entries;
        }
        KeyPattern pattern = KeyPattern.of(call.parameter(0));
        return entries.filter(
                entry -> entry.key().text().filter(pattern::matches).isPresent());
    }

    /** Whether all entries of a range of the pail are listed. */
    private static boolean isWhole(Call call) {
        return !isPattern(call) && !call.isInNamespace();
    }

    private static Stream<NamespaceEntry> skipped(Call call, Pail pail, KeyRange range) {
        long skipped = call.get(SKIP) == null ? 0 : call.limit(SKIP);
        if (skipped == 0 || !isWhole(call)) {
            return matching(call, pail, range).skip(skipped);
        }
        return pail.entryAt(range, skipped)
                .map(first -> matching(
                        call, pail, range.isDescending() ? range.through(first.key()) : range.from(first.key())))
                .orElse(Stream.empty());
    }

    private static long count(Call call, Pail pail, KeyRange range) {
        if (isWhole(call)) {
            return pail.count(range);
        }
        try (Stream<NamespaceEntry> entries = matching(call, pail, range)) {
            return entries.count();
        }
    }

    private static void printCount(Call call, long count) {
        if (call.terminal().json) {
            call.terminal().printJson(json -> json.writeNumberField("count", count));
        } else {
            call.terminal().print(Long.toString(count));
        }
    }

    private static Stream<Name> namespaces(Call call, Pail pail) {
        return call.isInNamespace()
                ? Objects.requireNonNull(call.namespace(pail)).namespaces()
                : pail.namespaces(call.codec(pail));
    }

    /** The entries of the pail, or of the namespace that the command is for. */
    static Stream<NamespaceEntry> entries(Call call, Pail pail, KeyRange range) {
        Namespace namespace = call.namespace(pail);
        return namespace == null
                ? pail.entries(range).map(entry -> new NamespaceEntry(Name.of(entry.key()), entry.value()))
                : namespace.entries(range);
    }

    private static KeyRange range(Call call) {
        KeyRange range = KeyRange.all();
        String prefix = call.optionalParameter(0);
        if (prefix != null) {
            range = range.within(isPattern(call) ? KeyPattern.of(prefix).prefix() : prefix);
        }
        range = call.bounded(range);
        return call.get(REVERSE) ? range.descending() : range;
    }

    private static boolean isPattern(Call call) {
        String given = call.optionalParameter(0);
        return given != null && KeyPattern.isPattern(given);
    }

    private static void printLong(Call call, BlockStore blocks, NamespaceEntry entry) {
        Terminal terminal = call.terminal();
        Cid value = entry.value();
        String codec = Codecs.name(value);
        // The size of a file is that of all its blocks. Any other value has one block, which is read once for both.
        Optional<byte[]> block = value.codec() == Cid.DAG_PB ? Optional.empty() : Codecs.block(blocks, value);
        OptionalLong size = block.isPresent() ? OptionalLong.of(block.get().length) : Codecs.size(blocks, value);
        if (terminal.json) {
            terminal.printJson(json -> {
                writeName(json, "key", entry.key());
                json.writeStringField("value", value.toString());
                json.writeStringField("codec", codec);
                if (size.isPresent()) {
                    json.writeNumberField("size", size.getAsLong());
                } else {
                    json.writeNullField("size");
                }
            });
            return;
        }
        String shown = size.isPresent() ? Codecs.human(size.getAsLong()) : "-";
        terminal.printStyled("%8s  %-8s  %s  %s".formatted(shown, codec, terminal.faint(value.toString()), entry.key())
                + block.map(bytes -> ValueText.preview(value, bytes, "\t")).orElse(""));
    }

    private static void writeName(JsonGenerator json, String field, Name name) throws IOException {
        Optional<String> text = name.text();
        if (text.isPresent()) {
            json.writeStringField(field, text.get());
        } else {
            json.writeBinaryField(field + "Bytes", name.bytes());
        }
    }

    private static void print(Call call, String what, Name name, @Nullable Cid value) {
        Terminal terminal = call.terminal();
        if (terminal.json) {
            terminal.printJson(json -> {
                writeName(json, what, name);
                if (value != null) {
                    json.writeStringField("value", value.toString());
                }
            });
        } else if (call.get(ZERO)) {
            terminal.write(name.bytes());
            terminal.write(((value == null ? "" : "\t" + value) + "\0").getBytes(StandardCharsets.US_ASCII));
        } else {
            terminal.printStyled(name + (value == null ? "" : "\t" + terminal.faint(value.toString())));
        }
    }
}
