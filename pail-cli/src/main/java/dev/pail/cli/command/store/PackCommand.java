package dev.pail.cli.command.store;

import dev.pail.BlockException;
import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.repository.Repository;
import dev.pail.repository.files.Packing;
import dev.pail.repository.files.StorageStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Moves blocks from files of their own to segments. */
public final class PackCommand extends Command {
    public PackCommand() {
        super(
                "pack",
                "Moves blocks from single files to segments: a few large files.",
                "A segment stores most shards as a difference from another, so a version takes about the bytes that it changed. All versions stay readable,",
                "also meanwhile. If many changes have scattered the shards of the newest version of a branch, pack copies them together, as gc does. Other",
                "tools read only single files: see unpack. Blocks in the trash stay there.");
        examples("  pail pack", "  pail stat --storage");
    }

    @Override
    public int run(Call call) {
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
        List<PailException> damages = new ArrayList<>();
        try (Repository repository = call.bareRepository();
                Progress progress = call.progress(
                        "blocks",
                        bytes::get,
                        due.of(call.files(repository, "segments").statistics()))) {
            call.terminal().kept = () -> "all blocks are kept; run the same command again to move the rest";
            Packing packing = call.files(repository, "segments")
                    .packing()
                    .withProgress(size -> {
                        bytes.addAndGet(size);
                        progress.step();
                    })
                    .withDamaged(damages::add);
            Packing.Moved moved;
            try {
                moved = move.run(packing);
            } finally {
                // A single one is what the error says.
                if (damages.size() > 1) {
                    progress.hide();
                    damages.forEach(damage -> print(call.terminal(), damage));
                }
            }
            call.terminal().changed = "the blocks were moved";
            print(call.terminal(), moved);
            return Exit.DONE;
        }
    }

    /** Names what stays where it is because it is damaged. */
    private static void print(Terminal terminal, PailException damage) {
        String cid = damage instanceof BlockException of ? of.cid().toString() : null;
        String message = Failure.message(damage);
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("problem", "damaged");
                if (cid != null) {
                    json.writeStringField("cid", cid);
                }
                json.writeStringField("message", message);
            });
        } else {
            terminal.print("damaged\t" + (cid == null ? "-" : cid) + "\t" + Escapes.printable(message));
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
