package dev.pail.cli.command;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.BlockStore;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.sign.InvalidNoteException;
import dev.pail.sign.SignedHead;
import dev.pail.sign.VerifierKey;
import java.io.IOException;
import java.io.InputStream;

/** Compares a signed head with what a repository or a CAR file has. */
public final class SignedHeadCheck {
    private static final String CODE = "invalid-note";

    private SignedHeadCheck() {}

    /** Prints the answer and returns the exit status. Rule SN10. */
    public static int run(Call call, String key, String note) {
        SignedHead signed = read(call.terminal(), KeyFiles.verifier(call.terminal(), key), note);
        try (Versions versions = call.versions()) {
            Head current = current(call, versions, signed.name());
            if (!holds(versions.blocks(), current, signed.head())) {
                print(call.terminal(), "absent", signed);
                return Exit.NO;
            }
            Cid root = versions.pailAt(signed.head()).root();
            if (!root.equals(signed.root())) {
                throw new Failure.Found(
                        Exit.DAMAGED,
                        CODE,
                        "another root than that of the signed events: " + Inputs.shown(note) + ": " + signed.root()
                                + ", not " + root,
                        "believe nothing of it; ask its signer");
            }
            print(call.terminal(), current.equals(signed.head()) ? "current" : "older", signed);
            return Exit.DONE;
        }
    }

    /** Reads a note that the owner of a key has signed. */
    public static SignedHead read(Terminal terminal, VerifierKey key, String note) {
        try (InputStream in = Inputs.open(terminal, note)) {
            // One byte more than a note may have is enough to refuse it.
            return SignedHead.open(in.readNBytes(SignedHead.MAX_NOTE + 1), key);
        } catch (InvalidNoteException e) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    e.code(),
                    "proves nothing: " + Inputs.shown(note) + ": " + e.reason(),
                    "believe nothing of it; get note and key again from their owner");
        } catch (IOException e) {
            throw Inputs.failure(note, e);
        }
    }

    /** The head to compare with: of a CAR file, its own; of a repository, that of the branch or tag that was signed, or of -b. */
    private static Head current(Call call, Versions versions, String name) {
        if (versions instanceof RepositoryVersions known && call.globals().branch() == null) {
            Repository repository = known.repository();
            return repository.branches().contains(name)
                    ? repository.head(name)
                    : repository.tags().head(name).orElseGet(() -> repository.head(name));
        }
        return versions.head()
                .orElseThrow(() -> Versions.withoutHistory(versions.root().toString()));
    }

    /** Whether each event of a head is in another head, or below it. */
    private static boolean holds(BlockStore blocks, Head current, Head signed) {
        return current.equals(signed)
                || (signed.events().stream().allMatch(blocks::has)
                        && MerkleClock.open(blocks).common(current, signed).equals(signed));
    }

    /** Prints a word on a head, and the head. */
    public static void print(Terminal terminal, String word, SignedHead head) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("answer", word);
                writeFields(json, head);
            });
        } else if (!terminal.quiet) {
            terminal.print(word + "\t" + head.name() + "\t" + head.generation() + "\t" + head.root());
        }
    }

    public static void writeFields(JsonGenerator json, SignedHead head) throws IOException {
        json.writeStringField("name", head.name());
        json.writeNumberField("generation", head.generation());
        json.writeStringField("root", head.root().toString());
        Json.writeCids(json, "head", head.head().events());
    }
}
