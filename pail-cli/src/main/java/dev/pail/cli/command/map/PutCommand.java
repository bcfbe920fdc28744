package dev.pail.cli.command.map;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.bytes.Utf8;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.folder.PutFolder;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.text.Codecs;
import dev.pail.cli.text.NewValue;
import dev.pail.cli.text.Values;
import dev.pail.dag.Links;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Gives a key a value, or keys the files of a folder. */
public final class PutCommand extends ChangeCommand {
    private static final Option.Text CID =
            Option.text("CID", "Put this CID, in any base that multibase has. It refuses other text.", "--cid");

    private static final Option.Text FILE = Option.text(
            "PATH",
            "Store this file (- for standard input), and put its CID. One of more than 1 MiB is stored as a UnixFS file.",
            "--file");

    private static final Option.Text TEXT =
            Option.text("TEXT", "Store this text as a block, and put its CID.", "--text");

    private static final Option.Flag RAW = Option.flag(
            "With --file: store the file as one block. It may have 8 MiB; IPFS programs exchange blocks of up to 2 MiB.",
            "--raw");

    private static final Option.Flag INLINE = Option.flag(
            "Keep a value of at most 128 bytes in the map itself, as a CID that has the bytes. The same bytes in a block have another CID.",
            "--inline");

    private static final Option.Flag RECURSIVE =
            Option.flag("Put all files below a folder, in one change.", "-r", "--recursive");

    public PutCommand() {
        super(
                "put",
                "Gives a key a value, and prints the new root. With -r, gives every file below the folder DIR a key: PREFIX, a slash and the",
                "name of the file in DIR. Files that have not changed since the last time are not read again. Symbolic links are skipped. What",
                ".pailignore files name is left out; their patterns are those of .gitignore.");
        parameter("KEY|DIR", "1", "The key; with -r, the folder.");
        parameter(
                "VALUE|PREFIX",
                "0..1",
                "Its value: a CID that begins with b, k, z or Qm, /ipfs/CID or ipfs://CID; any other text is stored as a block. With -r, what"
                        + " keys start with.");
        takes(
                CID,
                FILE,
                TEXT,
                RAW,
                INLINE,
                RECURSIVE,
                PutFolder.EXCLUDE,
                PutFolder.MIRROR,
                PutFolder.YES,
                PutFolder.DRY_RUN,
                PutFolder.PRESERVE);
        takes(IF, IF_ABSENT);
        excludes(INLINE, CID, "--inline makes the CID");
        excludes(INLINE, RAW, "--inline stores no block");
        excludes(IF, IF_ABSENT, "a key with a value is not absent: give --if or --if-absent");
        for (Option ofValues : List.of(CID, FILE, TEXT, RAW, INLINE, IF, IF_ABSENT)) {
            excludes(ofValues, RECURSIVE, ofValues + " is not for put -r");
        }
        for (Option ofFolders : PutFolder.OPTIONS) {
            needs(ofFolders, RECURSIVE, ofFolders + " is for put -r");
        }
        inNamespace();
        takesMessage();
        examples(
                "  pail put title 'buy milk'",
                "  pail put photos/1.jpg \\",
                "    bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy",
                "  pail put notes/today --text 'buy milk' -m 'shopping'",
                "  pail put readme --file README.md",
                "  pail put leader ann --if-absent",
                "  pail put -r photos photos --exclude '*.tmp'",
                "  pail put -r -p /etc etc",
                "  pail put ann --namespace users/eu --file ann.json");
    }

    @Override
    public int run(Call call) {
        if (call.get(RECURSIVE)) {
            String prefix = call.optionalParameter(1);
            try (Repository repository = call.toWrite()) {
                return PutFolder.run(call, repository, call.parameter(0), prefix == null ? "" : prefix);
            }
        }
        String key = call.parameter(0);
        String text = call.optionalParameter(1);
        String file = call.get(FILE);
        String words = call.get(TEXT);
        String cid = call.get(CID);
        if (Stream.of(text, cid, file, words).filter(Objects::nonNull).count() != 1) {
            throw Failure.usage("give a value, --cid, --file or --text, one of them");
        }
        if (call.get(INLINE) && text != null && Values.looksLikeCid(text)) {
            throw Failure.usage("--inline makes the CID: give a text with --text, or --file");
        }
        if (call.get(RAW) && file == null) {
            throw Failure.usage("--raw is for --file");
        }
        boolean isText = text != null && !Values.looksLikeCid(text);
        words = isText ? text : words;
        Cid value = text != null && !isText ? given(call, text) : cid != null ? Values.parse(cid) : null;
        try (Repository repository = call.toWrite()) {
            NewValue newValue = value != null
                    ? NewValue.of(value)
                    : words != null
                            ? call.get(INLINE) ? NewValue.inline(Utf8.encode(words)) : NewValue.of(Utf8.encode(words))
                            : read(call, repository, Objects.requireNonNull(file));
            printRoot(
                    call,
                    repository
                            .update(call.branch(repository), pail -> {
                                String whole = call.key(pail, key);
                                Batch batch = pail.batch();
                                condition(call, whole).accept(batch);
                                newValue.put(batch, whole);
                                return batch.commit();
                            })
                            .pail());
            if (isText && !call.terminal().json && !call.terminal().quiet) {
                call.terminal().note("the value is a text, as it is no CID; --text says so, and --cid refuses it");
            }
            // The block of an identity CID is here, and what it may lead to is not known. A collection counts none
            // either (G4).
            if (value != null && value.hashFunction() != Cid.IDENTITY && !Links.isKnown(value.codec())) {
                call.terminal()
                        .warn(Codecs.unfollowed(1) + ", " + Codecs.name(value)
                                + ": blocks that it leads to are not kept");
            }
            return Exit.DONE;
        }
    }

    private static Cid given(Call call, String text) {
        Values.Given given = Values.given(text, Values.AS_TEXT);
        if (given.form() != null && !call.terminal().quiet && !call.terminal().json) {
            call.terminal().note(given.form());
        }
        return given.cid();
    }

    private static NewValue read(Call call, Repository repository, String file) {
        AtomicLong bytes = new AtomicLong();
        long size = Inputs.size(call.terminal(), file);
        try (InputStream in = Inputs.counted(Inputs.open(call.terminal(), file), bytes);
                Progress progress = call.progress("reading", bytes::get, size)) {
            NewValue value = call.get(INLINE)
                    ? NewValue.inline(in.readNBytes(NewValue.MAX_INLINE + 1))
                    : call.get(RAW)
                            ? NewValue.ofBlock(in, file, call.terminal())
                            : NewValue.ofFile(in, () -> blocksFor(call, repository));
            progress.hide();
            return value;
        } catch (IOException e) {
            throw Inputs.failure(file, e);
        }
    }

    /** The store for a large file. A key that is not allowed is refused before it is stored. */
    private static BlockStore blocksFor(Call call, Repository repository) {
        Pail pail = repository.pail(call.branch(repository));
        pail.format().checkKey(call.key(pail, call.parameter(0)));
        return repository.blocks();
    }
}
