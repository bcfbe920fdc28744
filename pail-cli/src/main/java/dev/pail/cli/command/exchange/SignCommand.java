package dev.pail.cli.command.exchange;

import dev.pail.PailException;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.KeyFiles;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.SignedHeadCheck;
import dev.pail.cli.command.SignedHeadReport;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Outputs;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Snapshot;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Signs the head of a branch or a tag; or makes a key for that. */
public final class SignCommand extends Command {
    private static final Option.Text KEY = Option.text("FILE", "Sign with this private key.", "--key");

    private static final Option.Text OUTPUT =
            Option.text("FILE", "Write this file, else standard output.", "-o", "--output");

    private static final Option.Text NEW_KEY = Option.text("FILE", "Make a key in this file.", "--new-key");

    public SignCommand() {
        super(
                "sign",
                "Writes a signed note of the head and the root of a branch or a tag; or makes a key.",
                "The note has the name, the number of the ref update, the root and the events, and an Ed25519 signature. It is printed, and kept beside the branch or",
                "tag: fetch, pull, push, clone and copy take it along. Other programs read it, too:",
                "https://c2sp.org/signed-note. It shows readers which version is yours: pail verify --signed-by. --new-key makes the private key",
                "FILE, which only you can read, and the public key FILE.pub, which readers need, and prints the public key. Use one key for one",
                "repository, and a name such as example.com/photos. For any version, make a tag first.");
        parameter("NAME", "0..1", "The branch or tag, else the current branch; with --new-key, the name of the key.");
        takes(KEY, OUTPUT, NEW_KEY);
        examples(
                "  pail sign --new-key photos.key example.com/photos",
                "  pail sign --key photos.key -o photos.note",
                "  pail sign v1 --key photos.key");
    }

    @Override
    public int run(Call call) {
        String name = call.optionalParameter(0);
        String made = call.get(NEW_KEY);
        String key = call.get(KEY);
        String output = call.get(OUTPUT);
        if ((made == null) == (key == null) || (made != null && output != null)) {
            throw Failure.usage("sign with --key FILE, or make a key with --new-key FILE NAME");
        }
        if (made != null) {
            make(call.terminal(), made, name);
            return Exit.DONE;
        }
        SigningKey signer = KeyFiles.signing(call.terminal(), key);
        try (Repository repository = call.repository()) {
            if (name != null && call.globals().branch() != null) {
                throw Failure.usage("name the branch once: NAME or -b");
            }
            SignedHead head = head(repository, name == null ? call.branch(repository) : name);
            byte[] note = head.sign(signer);
            write(call.terminal(), head, note, output);
            keep(call.terminal(), repository, HeadNote.parse(note));
        }
        return Exit.DONE;
    }

    private static void make(Terminal terminal, String file, @Nullable String name) {
        if (name == null) {
            throw Failure.usage("give the key a name, such as example.com/photos: " + NEW_KEY + " FILE NAME");
        }
        SigningKey key;
        try {
            key = SigningKey.generate(name);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(Failure.message(e));
        }
        KeyFiles.create(terminal, file, key);
        terminal.changed = "made " + file;
        String published = key.verifierKey().toString();
        if (terminal.json) {
            terminal.printJson(json -> json.writeStringField("key", published));
        } else if (!terminal.quiet) {
            terminal.print(published);
        }
    }

    private static SignedHead head(Repository repository, String name) {
        if (!repository.branches().contains(name)) {
            Optional<Head> tag = repository.tags().head(name);
            if (tag.isPresent()) {
                return new SignedHead(name, 0, repository.pailAt(tag.get()).root(), tag.get());
            }
        }
        Snapshot now = repository.snapshot(name);
        if (now.head().isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-version",
                    "nothing was changed yet in what is to be signed: " + name,
                    "make a change first, for example with: pail put KEY CID");
        }
        return new SignedHead(name, now.generation(), now.root(), now.head());
    }

    /** Keeps the note beside its branch or tag. If the repository cannot be written, the note is there all the same. */
    private static void keep(Terminal terminal, Repository repository, HeadNote note) {
        try {
            HeadNotes.Taken taken =
                    new HeadNotes.Taken(note, repository.headNotes().keep(note));
            if (taken.outcome() != HeadNotes.Outcome.KEPT) {
                SignedHeadReport.print(terminal, taken, "here");
            }
        } catch (PailException e) {
            terminal.warn("the note is not kept beside " + note.name() + ": " + Failure.message(e));
        }
    }

    private static void write(Terminal terminal, SignedHead head, byte[] note, @Nullable String output) {
        String text = new String(note, StandardCharsets.UTF_8);
        if (output == null || output.equals(Inputs.STANDARD)) {
            if (terminal.json) {
                terminal.printJson(json -> {
                    SignedHeadCheck.writeFields(json, head);
                    json.writeStringField("note", text);
                });
            } else {
                terminal.write(note);
            }
            return;
        }
        Outputs.checkReplaceableNote(terminal.path(output));
        Outputs.write(terminal.path(output), out -> {
            out.write(note);
            return output;
        });
        terminal.changed = "wrote " + output;
        SignedHeadCheck.print(terminal, "signed", head);
    }
}
