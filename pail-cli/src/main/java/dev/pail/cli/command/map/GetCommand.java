package dev.pail.cli.command.map;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints the value of a key. */
public final class GetCommand extends Command {
    public GetCommand() {
        super("get", "Prints the value of each key: a CID on a line.", "The exit status is 1 if there is no such key.");
        parameter("KEY", "1..*", "The keys.");
        inNamespace();
        readsAt();
        examples(
                "  pail get photos/1.jpg",
                "  pail get photos/1.jpg photos/2.jpg",
                "  pail get photos/1.jpg --at @{1}",
                "  pail get ann --namespace users/eu");
    }

    @Override
    public int run(Call call) {
        try (Versions versions = call.versions()) {
            Pail pail = versions.pail();
            List<String> absent = new ArrayList<>();
            for (String key : call.parameters(0)) {
                Optional<Cid> value = pail.get(call.key(pail, key));
                if (value.isPresent()) {
                    print(call.terminal(), key, value.get(), pail.blocks().isErased(value.get()));
                } else {
                    absent.add(key);
                }
            }
            if (!absent.isEmpty()) {
                throw absent(absent);
            }
            return Exit.DONE;
        }
    }

    private static void print(Terminal terminal, String key, Cid value, boolean isErased) {
        if (isErased && !terminal.json) {
            terminal.warn("erased: " + value + ", the value of " + Escapes.brief(key));
        }
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("key", key);
                json.writeStringField("value", value.toString());
                if (isErased) {
                    json.writeBooleanField("erased", true);
                }
            });
        } else {
            terminal.print(value.toString());
        }
    }

    /** What to say of keys that are not there. */
    public static Failure.Found absent(List<String> keys) {
        String named = keys.stream().map(Escapes::brief).collect(Collectors.joining(", "));
        return new Failure.Found(Exit.NO, "absent", "no such key: " + named, null);
    }
}
