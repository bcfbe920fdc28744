package dev.pail.cli;

import dev.pail.repository.Packing;
import dev.pail.repository.Repository;
import dev.pail.repository.StorageStatistics;
import java.util.concurrent.atomic.AtomicLong;

/** Moves blocks from files of their own to segments. */
final class PackCommand extends Command {
    PackCommand() {
        super(
                "pack",
                "Moves blocks from files of their own to segments: a few large files that keep of most shards only what a change made of them,",
                "so that a version takes about the bytes that it changed. All versions stay readable, also meanwhile. Other tools read only",
                "files: see unpack. Blocks in the trash stay there.");
        examples("  pail pack", "  pail stat --storage");
    }

    @Override
    int run(Call call) {
        return move(call, Packing::pack, StorageStatistics::fileBytes);
    }

    /** Moves blocks in one direction or the other. */
    interface Move {
        Packing.Moved run(Packing packing);
    }

    /** What there is to be moved, in bytes. */
    interface Due {
        long of(StorageStatistics storage);
    }

    static int move(Call call, Move move, Due due) {
        AtomicLong bytes = new AtomicLong();
        try (Repository repository = call.repository();
                Progress progress = call.progress("blocks", bytes::get, due.of(repository.storage()))) {
            Packing packing = repository.packing().withProgress(size -> {
                bytes.addAndGet(size);
                progress.step();
            });
            Packing.Moved moved = move.run(packing);
            call.terminal().changed = "the blocks were moved";
            print(call.terminal(), moved);
            return Exit.DONE;
        }
    }

    private static void print(Terminal terminal, Packing.Moved moved) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeNumberField("moved", moved.blocks());
                json.writeNumberField("movedBytes", moved.bytes());
                json.writeNumberField("physicalBytesBefore", moved.physicalBefore());
                json.writeNumberField("physicalBytes", moved.physicalAfter());
            });
        } else if (!terminal.quiet) {
            terminal.print("moved\tblocks " + moved.blocks() + ", bytes " + moved.bytes());
            terminal.print("on disk\tbytes " + moved.physicalAfter() + ", before " + moved.physicalBefore());
        }
    }
}
