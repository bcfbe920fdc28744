package dev.pail.cli.command;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.repository.Repository;
import dev.pail.repository.SignedHeadStatus;
import dev.pail.sign.HeadNote;
import dev.pail.sign.InvalidNoteException;
import dev.pail.sign.SignedHead;
import dev.pail.sign.VerifierKey;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compares a signed head with what a repository or a CAR file has, and prints the answer. */
public final class SignedHeadCheck {
    private SignedHeadCheck() {}

    /**
     * Prints the answer and returns the exit status.
     *
     * @param note a file; null for the note that is kept beside the branch or tag
     */
    public static int run(Call call, String key, @Nullable String note) {
        VerifierKey verifier = KeyFiles.verifier(call.terminal(), key);
        if (note != null) {
            SignedHead signed = read(call.terminal(), verifier, note);
            try (Versions versions = call.versions()) {
                return answer(call, note, signed, () -> status(call, versions, signed));
            }
        }
        try (Repository repository = call.repository()) {
            String name = call.branch(repository);
            HeadNote kept = repository.headNotes().of(name).stream()
                    .filter(each -> each.signer().equals(verifier.id()))
                    .findFirst()
                    .orElseThrow(() -> new Failure.Found(
                            Exit.NO,
                            "no-signed-head",
                            "no signed head of " + Escapes.brief(name) + " by this key is here: " + verifier.id(),
                            "fetch it with: pail fetch; or give the note as a file"));
            String place = "the signed head of " + name;
            SignedHead signed = opened(place, () -> kept.open(verifier));
            return answer(call, place, signed, () -> SignedHeadStatus.of(repository, signed));
        }
    }

    private static int answer(Call call, String note, SignedHead signed, Supplier<SignedHeadStatus> comparing) {
        try {
            SignedHeadStatus status = comparing.get();
            print(call.terminal(), status.name().toLowerCase(Locale.ROOT), signed);
            return status == SignedHeadStatus.ABSENT ? Exit.NO : Exit.DONE;
        } catch (InvalidNoteException e) {
            throw provesNothing(note, e, "believe nothing of it; ask its signer");
        }
    }

    private static Failure.Found provesNothing(String note, InvalidNoteException error, String hint) {
        return new Failure.Found(
                Exit.DAMAGED, error.code(), "proves nothing: " + Inputs.shown(note) + ": " + error.reason(), hint);
    }

    /** Compares with the branch or tag that was signed, or with the branch of -b; with a CAR file, as a whole. */
    private static SignedHeadStatus status(Call call, Versions versions, SignedHead signed) {
        if (versions instanceof RepositoryVersions known && call.globals().branch() == null) {
            return SignedHeadStatus.of(known.repository(), signed);
        }
        Head current = versions.head()
                .orElseThrow(() -> Versions.withoutHistory(versions.root().toString()));
        return versions instanceof CarFile car
                ? SignedHeadStatus.of(car.versions(), current, signed)
                : SignedHeadStatus.of(((RepositoryVersions) versions).repository(), current, signed);
    }

    /** Reads a note that the owner of a key has signed. */
    public static SignedHead read(Terminal terminal, VerifierKey key, String note) {
        try (InputStream in = Inputs.open(terminal, note)) {
            // One byte more than a note may have is enough to refuse it.
            byte[] bytes = in.readNBytes(SignedHead.MAX_NOTE + 1);
            return opened(note, () -> SignedHead.open(bytes, key));
        } catch (IOException e) {
            throw Inputs.failure(note, e);
        }
    }

    private static SignedHead opened(String note, Supplier<SignedHead> opening) {
        try {
            return opening.get();
        } catch (InvalidNoteException e) {
            throw provesNothing(note, e, "believe nothing of it; get note and key again from their owner");
        }
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
