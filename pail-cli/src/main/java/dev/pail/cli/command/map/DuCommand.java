package dev.pail.cli.command.map;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Codecs;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up the sizes of values. */
public final class DuCommand extends Command {
    public DuCommand() {
        super(
                "du",
                "Adds up the sizes of values, by folder: the part of a key up to the next slash.",
                "The size of a UnixFS file or folder is that of the bytes in it; of any other value, that of its own block. A value under two keys counts twice. du counts values whose blocks are not here separately.");
        parameter("PREFIX", "0..1", "Only keys that start with this.");
        readsAt();
        examples("  pail du", "  pail du photos/", "  pail du --at @{1}");
    }

    /** What lies below one name. */
    private static final class Sum {
        private final @Nullable String name;
        private long keys;
        private long bytes;
        private long absent;

        private Sum(@Nullable String name) {
            this.name = name;
        }

        private void add(OptionalLong size) {
            keys++;
            bytes += size.orElse(0);
            absent += size.isPresent() ? 0 : 1;
        }

        private void print(Terminal terminal) {
            if (terminal.json) {
                terminal.printJson(json -> {
                    if (name != null) {
                        json.writeStringField("name", name);
                    }
                    json.writeNumberField("keys", keys);
                    json.writeNumberField("bytes", bytes);
                    json.writeNumberField("absent", absent);
                });
                return;
            }
            String shown = name == null ? "total" : Escapes.escape(name);
            String note = absent == 0 ? "" : "  (" + absent + " not here)";
            terminal.print("%10s  %8d  %s%s".formatted(Codecs.human(bytes), keys, shown, note));
        }
    }

    @Override
    public int run(Call call) {
        String given = call.optionalParameter(0);
        String prefix = given == null ? "" : given;
        Terminal terminal = call.terminal();
        try (Versions versions = call.versions();
                Progress progress = call.progress("measuring");
                Stream<Entry> entries = entries(versions.pail(), prefix)) {
            Sum total = new Sum(null);
            Sum part = null;
            for (Iterator<Entry> each = entries.iterator(); each.hasNext(); ) {
                Entry entry = each.next();
                String name = name(entry.key(), prefix);
                if (part == null || !name.equals(part.name)) {
                    print(part, terminal);
                    part = new Sum(name);
                }
                OptionalLong size = Codecs.size(versions.blocks(), entry.value());
                part.add(size);
                total.add(size);
                progress.step();
            }
            progress.hide();
            print(part, terminal);
            total.print(terminal);
            return Exit.DONE;
        }
    }

    private static void print(@Nullable Sum sum, Terminal terminal) {
        if (sum != null) {
            sum.print(terminal);
        }
    }

    private static Stream<Entry> entries(Pail pail, String prefix) {
        return pail.entries(KeyRange.prefix(prefix));
    }

    /** The key up to the first slash behind the prefix. */
    private static String name(String key, String prefix) {
        int slash = key.indexOf('/', prefix.length());
        return slash < 0 ? key : key.substring(0, slash + 1);
    }
}
