package dev.pail.cli;

import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.Verification;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;

/** Checks everything that is reachable. */
final class VerifyCommand extends Command {
    VerifyCommand() {
        super(
                "verify",
                "Reads everything that is reachable from the root, checks each block against its CID and each shard",
                "against the rules of its format, and names what is missing or damaged. Exit status 5 if anything is.");
        examples("  pail verify", "  pail verify --json");
    }

    @Override
    int run(Call call) {
        try (Repository repository = call.repository()) {
            Cid root = repository.root(call.branch());
            Verification found = Verification.of(repository.blocks(), root);
            found.problems().forEach(problem -> print(call.terminal(), problem));
            printSum(call.terminal(), root, found);
            if (found.isSound()) {
                return Exit.DONE;
            }
            int count = found.problems().size();
            throw new Failure.Found(
                    Exit.DAMAGED,
                    "damaged",
                    count + (count == 1 ? " block is" : " blocks are") + " missing or damaged below " + root,
                    null);
        }
    }

    private static void print(Terminal terminal, Verification.Problem problem) {
        String what = problem.cause() instanceof MissingBlockException ? "missing" : "damaged";
        String place = problem.isShard() ? "shard" : "value";
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("problem", what);
                json.writeStringField("cid", problem.cid().toString());
                json.writeStringField(problem.isShard() ? "prefix" : "key", problem.key());
                json.writeStringField("message", problem.cause().getMessage());
            });
            return;
        }
        terminal.print(what + "\t" + problem.cid() + "\t" + place + "\t" + Escapes.escape(problem.key()) + "\t"
                + Escapes.printable(String.valueOf(problem.cause().getMessage())));
    }

    private static void printSum(Terminal terminal, Cid root, Verification found) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("root", root.toString());
                json.writeNumberField("shards", found.shards());
                json.writeNumberField("entries", found.entries());
                json.writeNumberField("values", found.values());
                json.writeNumberField("bytes", found.bytes());
                json.writeNumberField("problems", found.problems().size());
            });
        } else if (!terminal.quiet) {
            terminal.print("sound\tshards " + found.shards() + ", entries " + found.entries() + ", values here "
                    + found.values() + ", bytes " + found.bytes());
        }
    }
}
