package dev.pail.cli;

import dev.pail.Pail;
import dev.pail.PailStatistics;
import java.util.LinkedHashMap;
import java.util.Map;

/** Says how large a pail is. */
final class StatCommand extends Command {
    StatCommand() {
        super("stat", "Says how large the pail is: entries, shards, depth, bytes of all shards, the largest shard.");
        readsAt();
        examples("  pail stat", "  pail stat --json");
    }

    @Override
    int run(Call call) {
        try (Versions versions = call.versions()) {
            Pail pail = versions.pail();
            PailStatistics statistics = PailStatistics.of(pail);
            Map<String, Long> numbers = new LinkedHashMap<>();
            numbers.put("entries", statistics.entries());
            numbers.put("shards", statistics.shards());
            numbers.put("depth", (long) statistics.depth());
            numbers.put("bytes", statistics.bytes());
            numbers.put("largestShard", (long) statistics.largestShard());
            if (call.terminal().json) {
                call.terminal().printJson(json -> {
                    json.writeStringField("root", pail.root().toString());
                    json.writeStringField("format", pail.format().name());
                    for (Map.Entry<String, Long> number : numbers.entrySet()) {
                        json.writeNumberField(number.getKey(), number.getValue());
                    }
                });
            } else {
                call.terminal().print("root\t" + pail.root());
                call.terminal().print("format\t" + pail.format());
                numbers.forEach((name, number) -> call.terminal().print(name + "\t" + number));
            }
            return Exit.DONE;
        }
    }
}
