package dev.pail.cli.command.exchange;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.KeyFiles;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.SignedHeadCheck;
import dev.pail.cli.command.history.DiffCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Values;
import dev.pail.clock.proof.FollowsProof;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.ProofLimits;
import dev.pail.proof.Query;
import dev.pail.sign.SignedHead;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Checks a proof. */
public final class CheckCommand extends Command {
    private static final Option.Text ROOT = Option.text("CID", "The root of the version. Needed, or --note.", "--root");

    private static final Option.Text NOTE =
            Option.text("FILE", "Take the root from this signed note, if its signature is right.", "--note");

    private static final Option.Text SIGNED_BY =
            Option.text("FILE", "The public key for the note: a file, or the key itself.", "--signed-by");

    private static final Option.Text FROM =
            Option.text("CID", "The root of the earlier version, if this is the proof of a diff.", "--from");

    private static final Option.Text FOLLOWS =
            Option.text("CID", "The older event, if this is the proof that an event follows it.", "--follows");

    private static final Option.Text EVENT =
            Option.text("CID", "The newer event. Needed with --follows, or --note.", "--event");

    private static final Option.Text KEY = Option.text("KEY", "The key.", "--key");

    private static final Option.Text VALUE = Option.text("CID", "Exit with 1 if the key has another value.", "--value");

    public CheckCommand() {
        super(
                "check",
                "Checks a proof that pail prove has written, with the root of the version.",
                "It prints present and the value of the key, or absent; for a range, each key and its value; with --from, each key that",
                "differs, as pail diff does. It needs no repository. The roots must come from where you trust them, and not with the file;",
                "or from a note that pail sign has written. The exit status is 0 for a value, an entry or a change,",
                "1 if there is none or not this value, and 5 if the file proves nothing: also if it is the proof of another key or root.",
                "With --follows, it prints follows, the older event, and by links if the links of events alone show it. By trees, it is shown by what writers of the",
                "events on the way say of their history: it follows, or one of them has lied.");
        parameter("FILE", "1", "The proof; - for standard input.");
        takes(ROOT, NOTE, SIGNED_BY, FROM, KEY, VALUE, FOLLOWS, EVENT);
        ProveCommand.addRange(this);
        inNamespace();
        examples(
                "  pail check one.car --root CID --key photos/1.jpg",
                "  pail check one.car --root CID --key photos/1.jpg --value CID",
                "  pail check photos.car --root CID --prefix photos/",
                "  pail check changes.car --from CID --root CID",
                "  pail check one.car --note p.note --signed-by p.pub --key photos/1.jpg",
                "  pail check follows.car --event CID --follows CID");
    }

    @Override
    public int run(Call call) {
        String follows = call.get(FOLLOWS);
        if (follows != null) {
            return checkEvents(call, cid(FOLLOWS, follows));
        }
        if (call.isGiven(EVENT)) {
            throw Failure.usage(EVENT + " is for " + FOLLOWS);
        }
        Cid root = root(call);
        String key = call.get(KEY);
        ProveCommand.checkAsked(call, key, KEY.toString());
        String from = call.get(FROM);
        String value = call.get(VALUE);
        if (value != null && (key == null || from != null)) {
            throw Failure.usage(VALUE + " is for " + KEY + ", not for a range or a diff");
        }
        Cid expected = value == null ? null : cid(VALUE, value);
        Cid before = from == null ? null : cid(FROM, from);
        String name = call.parameter(0);
        Proof proof = read(call.terminal(), name, Proof::read);
        Answer answer = before == null
                ? proof.verify(root, format -> query(call, format, key))
                : proof.verifyDiff(before, root, ProveCommand.range(call, key));
        if (answer instanceof Answer.Invalid invalid) {
            throw refused(name, invalid, "another root, key or range, give that one");
        }
        if (answer instanceof Answer.Entries found) {
            found.entries().forEach(entry -> print(call.terminal(), entry));
            return found.entries().isEmpty() ? Exit.NO : Exit.DONE;
        }
        if (answer instanceof Answer.Changes found) {
            if (!call.terminal().quiet) {
                found.changes().forEach(change -> DiffCommand.print(call.terminal(), change));
            }
            return found.changes().isEmpty() ? Exit.NO : Exit.DONE;
        }
        if (answer instanceof Answer.Present present) {
            print(call.terminal(), "present", List.of(present.value()));
            return expected == null || expected.equals(present.value()) ? Exit.DONE : Exit.NO;
        }
        print(call.terminal(), "absent", List.of());
        return Exit.NO;
    }

    private static int checkEvents(Call call, Cid older) {
        ProveCommand.checkNoKeys(call, call.get(KEY), FOLLOWS, ROOT, FROM, VALUE);
        Cid newer = newer(call);
        String name = call.parameter(0);
        FollowsProof proof = read(call.terminal(), name, bytes -> FollowsProof.read(bytes, ProofLimits.DEFAULT));
        proof.verify(newer, older).ifPresent(invalid -> {
            throw refused(name, invalid, "other events, give those");
        });
        String by = proof.trees() == 0 ? "links" : "trees";
        if (call.terminal().json) {
            call.terminal().printJson(json -> {
                json.writeStringField("answer", "follows");
                json.writeStringField("event", older.toString());
                json.writeStringField("by", by);
            });
        } else if (!call.terminal().quiet) {
            call.terminal().print("follows\t" + older + "\tby " + by);
        }
        return Exit.DONE;
    }

    /** The newer event, from where the caller trusts it. */
    private static Cid newer(Call call) {
        String event = call.get(EVENT);
        if (event != null && !call.isGiven(NOTE) && !call.isGiven(SIGNED_BY)) {
            return cid(EVENT, event);
        }
        if (event != null || !call.isGiven(NOTE) || !call.isGiven(SIGNED_BY)) {
            throw Failure.usage("name the newer event with --event CID, or give --note FILE and --signed-by KEY");
        }
        List<Cid> events = signed(call).head().events();
        if (events.size() != 1) {
            throw Failure.usage(
                    "the note has " + events.size() + " events: name the one of the proof with --event CID");
        }
        return events.get(0);
    }

    private static SignedHead signed(Call call) {
        String key = Objects.requireNonNull(call.get(SIGNED_BY));
        String note = Objects.requireNonNull(call.get(NOTE));
        return SignedHeadCheck.read(call.terminal(), KeyFiles.verifier(call.terminal(), key), note);
    }

    /** What is asked of a version of this format, whose keys a namespace has in a form of its own. */
    private static Query query(Call call, ShardFormat format, @Nullable String key) {
        return ProveCommand.query(call, Pail.create(new MemoryBlockStore(), format), key);
    }

    private static Cid root(Call call) {
        String trusted = call.get(ROOT);
        String note = call.get(NOTE);
        String key = call.get(SIGNED_BY);
        if (trusted != null && note == null && key == null) {
            return cid(ROOT, trusted);
        }
        if (trusted != null || note == null || key == null) {
            throw Failure.usage("name the root of the version with --root CID, or give --note FILE and --signed-by KEY;"
                    + " to check a repository: pail verify");
        }
        return signed(call).root();
    }

    private static Cid cid(Option option, String text) {
        try {
            return Cid.parse(Values.alone(text));
        } catch (MalformedDataException e) {
            throw Failure.usage(option + " is a CID, not " + Escapes.brief(text));
        }
    }

    private static <T> T read(Terminal terminal, String name, Function<byte[], T> reader) {
        int most = ProofLimits.DEFAULT.bytes();
        try (InputStream in = Inputs.open(terminal, name)) {
            // One byte more than a proof may have is enough to refuse it.
            return reader.apply(in.readNBytes(most + 1));
        } catch (MalformedDataException e) {
            throw new Failure.Found(
                    Exit.DAMAGED,
                    e.code(),
                    "no proof: " + Inputs.shown(name) + ": " + e.rule() + " (at offset " + e.offset() + ")",
                    "get the file again, or have it written again with: pail prove");
        } catch (IOException e) {
            throw Inputs.failure(name, e);
        }
    }

    private static Failure.Found refused(String name, Answer.Invalid invalid, String otherwise) {
        return new Failure.Found(
                Exit.DAMAGED,
                "invalid-proof",
                "proves nothing: " + Inputs.shown(name) + ": " + invalid.cid() + ": " + invalid.reason(),
                "believe nothing of it; if it may be for " + otherwise);
    }

    private static void print(Terminal terminal, String answer, List<Cid> value) {
        String cid = value.stream().map(Cid::toString).findFirst().orElse("");
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("answer", answer);
                if (!cid.isEmpty()) {
                    json.writeStringField("value", cid);
                }
            });
        } else if (!terminal.quiet) {
            terminal.print(cid.isEmpty() ? answer : answer + "\t" + cid);
        }
    }

    private static void print(Terminal terminal, Entry entry) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("key", entry.key());
                json.writeStringField("value", entry.value().toString());
            });
        } else if (!terminal.quiet) {
            terminal.printStyled(Escapes.escape(entry.key()) + "\t"
                    + terminal.faint(entry.value().toString()));
        }
    }
}
