package dev.pail.cli.command.map;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ShardView;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Terminal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Draws the shards. */
public final class TreeCommand extends Command {
    public TreeCommand() {
        super("tree", "Draws the shards, the keys in them and their values.");
        readsAt();
        examples("  pail tree");
    }

    @Override
    public int run(Call call) {
        try (Versions versions = call.versions()) {
            Pail pail = versions.pail();
            if (call.terminal().json) {
                printJson(call.terminal(), pail.shard());
            } else {
                draw(call.terminal(), pail.shard());
            }
            return Exit.DONE;
        }
    }

    /** A shard that is partly drawn, with its remaining items, and the margin of each line below it. */
    private record Drawn(Iterator<ShardView.Item> items, String margin) {}

    private static void draw(Terminal terminal, ShardView root) {
        Deque<Drawn> open = new ArrayDeque<>();
        terminal.printStyled(label(terminal, root));
        open.push(new Drawn(root.items().iterator(), ""));
        while (!open.isEmpty()) {
            Drawn shard = open.element();
            if (!shard.items.hasNext()) {
                open.pop();
                continue;
            }
            ShardView.Item item = shard.items.next();
            boolean last = !shard.items.hasNext();
            String value = item.data()
                    .map(cid -> "  " + terminal.faint(cid.toString()))
                    .orElse("");
            terminal.printStyled(shard.margin + (last ? "└─ " : "├─ ") + Escapes.quote(item.shardKey()) + value);
            item.shard().ifPresent(below -> {
                String margin = shard.margin + (last ? "   " : "│  ");
                terminal.printStyled(margin + label(terminal, below));
                open.push(new Drawn(below.items().iterator(), margin));
            });
        }
    }

    private static String label(Terminal terminal, ShardView shard) {
        return terminal.faint(shard.cid().toString()) + " (" + shard.size() + " bytes)";
    }

    private static void printJson(Terminal terminal, ShardView root) {
        Deque<ShardView> due = new ArrayDeque<>();
        due.push(root);
        while (!due.isEmpty()) {
            ShardView shard = due.pop();
            Deque<ShardView> below = new ArrayDeque<>();
            terminal.printJson(json -> {
                json.writeStringField("shard", shard.cid().toString());
                json.writeStringField("prefix", shard.prefix());
                json.writeNumberField("depth", shard.depth());
                json.writeNumberField("bytes", shard.size());
                json.writeArrayFieldStart("entries");
                Iterator<ShardView.Item> items = shard.items().iterator();
                while (items.hasNext()) {
                    ShardView.Item item = items.next();
                    json.writeStartObject();
                    json.writeStringField("key", item.shardKey());
                    if (item.data().isPresent()) {
                        json.writeStringField("value", item.data().get().toString());
                    }
                    if (item.shard().isPresent()) {
                        json.writeStringField("shard", item.shard().get().cid().toString());
                        below.push(item.shard().get());
                    }
                    json.writeEndObject();
                }
                json.writeEndArray();
            });
            below.forEach(due::push);
        }
    }
}
