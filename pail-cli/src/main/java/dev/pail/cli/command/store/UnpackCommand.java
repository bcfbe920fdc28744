package dev.pail.cli.command.store;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.repository.files.Packing;

/** Moves blocks from segments to files of their own. */
public final class UnpackCommand extends Command {
    public UnpackCommand() {
        super(
                "unpack",
                "Moves blocks from segments to single files, which other tools can read.",
                "That may take a hundred times the space; most file systems use at least 4096 bytes for each block. All versions stay readable, also",
                "meanwhile. If segments are damaged, unpack names the blocks that it cannot save, writes all others and keeps the segments. verify",
                "then knows what is missing, even without them.");
        examples("  pail unpack");
    }

    @Override
    public int run(Call call) {
        return PackCommand.move(
                call, Packing::unpack, storage -> storage.segments().logicalBytes());
    }
}
