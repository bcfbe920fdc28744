package dev.pail.cli;

import dev.pail.repository.files.Packing;

/** Moves blocks from segments to files of their own. */
final class UnpackCommand extends Command {
    UnpackCommand() {
        super(
                "unpack",
                "Moves blocks from segments to files of their own, one for each block, which other tools can read. That may take a hundred times",
                "the space, and on most file systems 4096 bytes for each block at least. All versions stay readable, also meanwhile.",
                "If the segments are damaged, blocks that cannot be saved are named, all others get files, and the segments stay: verify",
                "then knows what is missing, also without them.");
        examples("  pail unpack");
    }

    @Override
    int run(Call call) {
        return PackCommand.move(
                call, Packing::unpack, storage -> storage.segments().logicalBytes());
    }
}
