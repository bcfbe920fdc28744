package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unixfs.NodeKind;
import dev.pail.values.ValueBytes;

/** The bytes of the values of keys, or a failure that says why they cannot be read. */
public final class KeyBytes {
    private KeyBytes() {}

    /**
     * Opens the bytes of the value of a key.
     *
     * @throws Failure.Found if the block is not here, or the value is a folder
     */
    public static ValueBytes open(Call call, BlockStore blocks, String key, Cid value) {
        try {
            return ValueBytes.open(blocks, value).orElseThrow(() -> absent(call, blocks, value, key));
        } catch (ValueBytes.NoFileException e) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-file",
                    (e.kind() == NodeKind.FOLDER ? "a folder, not a file: " : "a symbolic link, not a file: ") + value
                            + ", the value of " + Escapes.brief(key),
                    e.kind() == NodeKind.FOLDER ? "write the files in it with: pail restore KEY --to DIR" : null);
        }
    }

    /**
     * Opens the block of the value of a key, as it is.
     *
     * @throws Failure.Found if it is not here
     */
    public static ValueBytes block(Call call, BlockStore blocks, String key, Cid value) {
        return ValueBytes.block(blocks, value).orElseThrow(() -> absent(call, blocks, value, key));
    }

    private static RuntimeException absent(Call call, BlockStore blocks, Cid value, String key) {
        if (blocks.isErased(value)) {
            return new Failure.Found(
                    Exit.DAMAGED,
                    "erased-block",
                    "erased: " + value + ", the value of " + Escapes.brief(key),
                    "it was removed on purpose; see when and why with: pail erase");
        }
        return Block.isVerifiable(value)
                ? new Failure.Found(
                        Exit.DAMAGED,
                        "missing-block",
                        "not here: " + value + ", the value of " + Escapes.brief(key),
                        call.misnamed(value)
                                .orElse("fetch it with an IPFS tool, such as: ipfs dag export " + value
                                        + " | pail import -"))
                : new UnsupportedHashException(value);
    }
}
