package dev.pail.cli;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.stream.Stream;

/** Gives a key a value. */
final class PutCommand extends ChangeCommand {
    PutCommand() {
        super("put", "Gives a key a value, and prints the new root.");
        parameter("KEY", "1", "The key.");
        parameter("CID", "0..1", "Its value: a CID, /ipfs/CID or ipfs://CID.");
        option(String.class, "PATH", "Store this file (- for standard input) as a block, and put its CID.", "--file");
        option(String.class, "TEXT", "Store this text as a block, and put its CID.", "--text");
        inNamespace();
        takesMessage();
        examples(
                "  pail put photos/1.jpg \\",
                "    bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
                "  pail put notes/today --text 'buy milk' -m 'shopping'",
                "  pail put readme --file README.md",
                "  pail put ann --namespace users/eu --file ann.json");
    }

    @Override
    int run(Call call) {
        String key = call.parameter(0);
        String text = call.optionalParameter(1);
        String file = call.option("--file");
        String words = call.option("--text");
        if (Stream.of(text, file, words).filter(Objects::nonNull).count() != 1) {
            throw Failure.usage("give a CID, --file or --text, one of them");
        }
        Cid given = text == null ? null : Values.parse(text);
        try (Repository repository = call.toWrite()) {
            byte[] bytes = file != null ? bytes(call, file) : words != null ? Utf8.encode(words) : null;
            printRoot(
                    call,
                    repository.update(
                            call.branch(repository),
                            pail -> bytes != null
                                    ? pail.putBytes(call.key(pail, key), bytes)
                                    : pail.put(call.key(pail, key), Objects.requireNonNull(given))));
            return Exit.DONE;
        }
    }

    private static byte[] bytes(Call call, String file) {
        try (InputStream in = Inputs.open(call.terminal(), file)) {
            byte[] bytes = in.readNBytes(Block.MAX_SIZE + 1);
            if (bytes.length > Block.MAX_SIZE) {
                throw new Failure.Found(
                        Exit.FAILED,
                        "bad-value",
                        "too large for a block: " + file + ": more than " + Block.MAX_SIZE + " bytes",
                        "add the file with an IPFS tool, and put the CID that it gives");
            }
            return bytes;
        } catch (IOException e) {
            throw Inputs.failure(file, e);
        }
    }
}
