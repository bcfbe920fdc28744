package dev.pail.cli;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Lists entries. */
final class LsCommand extends Command {
    LsCommand() {
        super(
                "ls",
                "Lists entries in the order of their keys: key, tab, CID. Hidden characters of a key are escaped;",
                "with -0 and --json keys are exact.");
        parameter("PREFIX", "0..1", "Only keys that start with this.");
        option(String.class, "KEY", "Only greater keys.", "--gt");
        option(String.class, "KEY", "Only this key and greater ones.", "--gte");
        option(String.class, "KEY", "Only lesser keys.", "--lt");
        option(String.class, "KEY", "Only this key and lesser ones.", "--lte");
        flag("From the greatest key to the least.", "--reverse");
        option(Long.class, "N", "At most so many entries.", "--limit");
        flag("End each entry with a zero byte, not a newline, and escape nothing.", "-0");
        readsAt();
        examples(
                "  pail ls photos/",
                "  pail ls --gte 2024-07 --lt 2024-08 --reverse --limit 10",
                "  pail -C photos.car ls");
    }

    @Override
    int run(Call call) {
        Long limit = call.number("--limit");
        if (limit != null && limit < 0) {
            throw Failure.usage("--limit is 0 or more, not " + limit);
        }
        KeyRange range = range(call);
        boolean exact = call.flag("-0");
        try (Versions versions = call.versions();
                Stream<Entry> entries = versions.pail().entries(range)) {
            entries.limit(limit == null ? Long.MAX_VALUE : limit).forEachOrdered(entry -> print(call, entry, exact));
            return Exit.DONE;
        }
    }

    private static KeyRange range(Call call) {
        KeyRange range = KeyRange.all();
        String prefix = call.optionalParameter(0);
        range = prefix == null ? range : range.within(prefix);
        String gt = call.option("--gt");
        range = gt == null ? range : range.after(gt);
        String gte = call.option("--gte");
        range = gte == null ? range : range.from(gte);
        String lt = call.option("--lt");
        range = lt == null ? range : range.before(lt);
        String lte = call.option("--lte");
        range = lte == null ? range : range.through(lte);
        return call.flag("--reverse") ? range.descending() : range;
    }

    private static void print(Call call, Entry entry, boolean exact) {
        Terminal terminal = call.terminal();
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("key", entry.key());
                json.writeStringField("value", entry.value().toString());
            });
        } else if (exact) {
            terminal.write((entry.key() + "\t" + entry.value() + "\0").getBytes(StandardCharsets.UTF_8));
        } else {
            terminal.print(Escapes.escape(entry.key()) + "\t"
                    + terminal.faint(entry.value().toString()));
        }
    }
}
