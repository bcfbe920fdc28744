package dev.pail.cli.command.map;

import dev.pail.Pail;
import dev.pail.PailStatistics;
import dev.pail.StoreDamagedException;
import dev.pail.blockstore.SegmentStatistics;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Versions;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.clock.Event;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.StorageStatistics;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Says how large a pail is. */
public final class StatCommand extends Command {
    private static final Option.Flag STORAGE = Option.flag(
            "Show instead the blocks of the repository, and the bytes of single files, of segments, and for each version of branches and"
                    + " tags. Most file systems round a file up to a multiple of 4096 bytes. A chain is the number of differences that a block"
                    + " in a segment is made of.",
            "--storage");

    public StatCommand() {
        super(
                "stat",
                "Shows entries, shards, depth and size of the pail, and how many conflicts are open, if any are.");
        readsAt();
        takes(STORAGE);
        excludes(STORAGE, Call.AT, "--storage is about all versions, not the one of --at");
        examples("  pail stat", "  pail stat --json", "  pail stat --storage");
    }

    @Override
    public int run(Call call) {
        if (call.get(STORAGE)) {
            return storage(call);
        }
        try (Versions versions = call.versions()) {
            Pail pail = versions.pail();
            PailStatistics statistics = PailStatistics.of(pail);
            Map<String, Long> numbers = new LinkedHashMap<>();
            numbers.put("entries", statistics.entries());
            numbers.put("shards", statistics.shards());
            numbers.put("depth", (long) statistics.depth());
            numbers.put("bytes", statistics.bytes());
            numbers.put("largestShard", (long) statistics.largestShard());
            versions.openConflicts().stream()
                    .filter(open -> open > 0)
                    .forEach(open -> numbers.put("openConflicts", open));
            if (call.terminal().json) {
                call.terminal().printJson(json -> {
                    json.writeStringField("root", pail.root().toString());
                    json.writeStringField("format", pail.format().name());
                    Json.writeNumbers(json, numbers);
                });
            } else {
                call.terminal().print("root\t" + pail.root());
                call.terminal().print("format\t" + pail.format());
                call.terminal().printNumbers(numbers);
            }
            return Exit.DONE;
        }
    }

    private static int storage(Call call) {
        try (Repository repository = call.repository();
                Progress progress = call.progress("versions")) {
            FileRepository files = call.files(repository, "files and segments to count");
            StorageStatistics storage = files.statistics();
            SegmentStatistics segments = storage.segments();
            long versions = versions(repository, progress);
            Map<String, Number> numbers = new LinkedHashMap<>();
            numbers.put("blocks", storage.blocks());
            numbers.put("logicalBytes", storage.logicalBytes());
            numbers.put("physicalBytes", storage.physicalBytes());
            numbers.put("ratio", ratio(storage.logicalBytes(), storage.physicalBytes()));
            numbers.put("versions", versions);
            numbers.put("bytesPerVersion", ratio(storage.physicalBytes(), versions));
            numbers.put("inFiles", storage.files());
            numbers.put("inFilesBytes", storage.fileBytes());
            numbers.put("inSegments", segments.blocks());
            numbers.put("inSegmentsBytes", storage.segmentBytes());
            numbers.put("whole", segments.whole());
            numbers.put("longestChain", segments.longestChain());
            numbers.put("meanChain", ratio(segments.chains(), segments.blocks()));
            numbers.put("inTrash", storage.trash());
            numbers.put("inTrashBytes", storage.trashBytes());
            call.terminal().printNumbers(numbers);
            segments.damages().stream().findFirst().ifPresent(damage -> {
                String place = files.folder().resolve("segments").toString();
                throw new StoreDamagedException("damage was found while counting", place, damage, null);
            });
            return Exit.DONE;
        }
    }

    /** With one digit behind the point; 0, if there is nothing to divide by. */
    private static BigDecimal ratio(long of, long to) {
        return to == 0
                ? BigDecimal.ZERO
                : BigDecimal.valueOf(of).divide(BigDecimal.valueOf(to), 1, RoundingMode.HALF_EVEN);
    }

    /** How many versions branches and tags lead to. A change of several events is one. */
    private static long versions(Repository repository, Progress progress) {
        MerkleClock clock = MerkleClock.open(repository.blocks());
        long versions = 0;
        Set<Cid> seen = new HashSet<>();
        Deque<Cid> due = new ArrayDeque<>();
        repository.branches().heads().values().forEach(head -> due.addAll(head.events()));
        for (String tag : repository.tags().names()) {
            repository.tags().head(tag).ifPresent(head -> due.addAll(head.events()));
        }
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            if (seen.add(cid)) {
                progress.step();
                Event event = clock.event(cid);
                versions += event.isContinued() ? 0 : 1;
                due.addAll(event.parents());
            }
        }
        return versions;
    }
}
