package dev.pail.sign;

import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What a signature says of a branch or a tag: its head and its root.
 *
 * <pre>{@code
 * SigningKey key = SigningKey.generate("example.com/ann");
 * Snapshot snapshot = repository.snapshot("main");
 * byte[] note = new SignedHead("main", snapshot.generation(), snapshot.root(), snapshot.head()).sign(key);
 * SignedHead signed = SignedHead.open(note, key.verifierKey()); // at the reader
 * }</pre>
 *
 * @param name the branch or the tag: 1 to 100 characters of {@code A-Z a-z 0-9 . _ - /}
 * @param generation the number of the ref update that gave the branch this head, from 1; 0 for a tag. Of two notes for one branch of one
 *     repository, the one with the greater number is newer
 * @param root the root of the version
 * @param head 1 to 1,000 events
 */
public record SignedHead(String name, long generation, Cid root, Head head) {
    /** What the first line begins with, so that a signature for something else is none of a head. */
    private static final String ORIGIN = "pail/";

    private static final int MAX_NAME = 100;
    private static final int LINES_BEFORE_EVENTS = 3;
    private static final int MAX_LINES = LINES_BEFORE_EVENTS + Event.MAX_PARENTS;

    /** The largest note that {@link #open} takes, in bytes. */
    public static final int MAX_NOTE = SignedNote.MAX_SIZE;

    /** @throws IllegalArgumentException if a part is not as described (spec rules SN8 and SN9) */
    public SignedHead {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(root, "root");
        Objects.requireNonNull(head, "head");
        // Rule SN9.
        if (name.isEmpty() || name.length() > MAX_NAME || !name.chars().allMatch(SignedHead::isOfName)) {
            throw new IllegalArgumentException(
                    "a name has 1 to " + MAX_NAME + " letters, digits, '.', '_', '-' and '/' (SN9)");
        }
        if (generation < 0) {
            throw new IllegalArgumentException("a generation is 0 or more (SN9), not " + generation);
        }
        if (!root.isShardLink()) {
            throw new IllegalArgumentException("a root is dag-cbor, named by SHA2-256 (SN9): " + root);
        }
        if (head.isEmpty() || head.size() > Event.MAX_PARENTS) {
            throw new IllegalArgumentException(
                    "a signed head has 1 to " + Event.MAX_PARENTS + " events (SN9), not " + head.size());
        }
    }

    private static boolean isOfName(int c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || "._-/".indexOf(c) >= 0;
    }

    /** The signed note: UTF-8 text, to be published as it is. */
    public byte[] sign(SigningKey key) {
        Objects.requireNonNull(key, "key");
        return SignedNote.sign(text(), key);
    }

    /**
     * What the owner of a key has signed. Signatures by other keys are passed over.
     *
     * @param note any bytes; more than {@link #MAX_NOTE} are refused
     * @param key from where you trust it, never from where the note is from
     * @throws InvalidNoteException if the bytes are no signed note, the key has not signed them, or the text is no signed head
     */
    public static SignedHead open(byte[] note, VerifierKey key) {
        Objects.requireNonNull(note, "note");
        return parse(SignedNote.open(note, Objects.requireNonNull(key, "key")));
    }

    /** The text that is signed. Rule SN8. */
    private String text() {
        return ORIGIN
                + name
                + '\n'
                + generation
                + '\n'
                + root
                + '\n'
                + head.events().stream().map(event -> event + "\n").collect(Collectors.joining());
    }

    /** Reads the text that is signed. */
    static SignedHead parse(String text) {
        List<String> lines = text.lines().limit(MAX_LINES + 1L).toList();
        boolean isHead = lines.size() > LINES_BEFORE_EVENTS && lines.get(0).startsWith(ORIGIN);
        if (!isHead || lines.size() > MAX_LINES) {
            throw new InvalidNoteException(
                    "the signed text is none of a head: " + "pail/NAME, the generation, the root and 1 to "
                            + Event.MAX_PARENTS + " events, one a line (SN8)");
        }
        try {
            SignedHead signed = new SignedHead(
                    lines.get(0).substring(ORIGIN.length()),
                    Long.parseLong(lines.get(1)),
                    Cid.parse(lines.get(2)),
                    Head.of(lines.stream()
                            .skip(LINES_BEFORE_EVENTS)
                            .map(Cid::parse)
                            .toList()));
            // Text that says the same in another way, or has events in another order, is refused.
            if (signed.text().equals(text)) {
                return signed;
            }
        } catch (MalformedDataException | IllegalArgumentException e) {
            throw new InvalidNoteException("the signed text is none of a head: " + e.getMessage(), e);
        }
        throw new InvalidNoteException(
                "the signed text is none of a head: numbers and CIDs in one form, events in order (SN8)");
    }
}
