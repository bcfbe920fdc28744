package dev.pail.sign;

import dev.pail.bytes.Utf8;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A note of a signed head with one signature, which was not checked: what travels beside a branch or a tag (spec rule SN11). Only
 * {@link #open} says whether the owner of a key has signed it. Immutable, equal by content, and safe for use by several threads.
 *
 * <pre>{@code
 * SigningKey ann = SigningKey.generate("example.com/ann");
 * Snapshot now = repository.snapshot("main");
 * HeadNote note = HeadNote.parse(new SignedHead("main", now.generation(), now.root(), now.head()).sign(ann));
 * boolean isByAnn = note.signer().equals(ann.verifierKey().id()); // so it says
 * SignedHead signed = note.open(ann.verifierKey()); // so it is
 * }</pre>
 */
public final class HeadNote {
    /** The most bytes of a note, and of all notes of one branch or tag. Rule SN12. */
    public static final int MAX_TOTAL = 1 << 17;

    private final SignedHead claim;
    private final String signer;
    private final byte[] bytes;

    private HeadNote(byte[] bytes) {
        if (bytes.length > MAX_TOTAL) {
            throw new InvalidNoteException("more than " + MAX_TOTAL + " bytes (SN12)");
        }
        SignedNote note = SignedNote.read(bytes);
        if (note.signatures().size() != 1) {
            throw new InvalidNoteException("a note beside a branch or a tag has one signature (SN11), not "
                    + note.signatures().size());
        }
        SignedNote.Signature signature = note.signatures().get(0);
        this.claim = SignedHead.parse(note.text());
        this.signer = KeyForm.id(signature.name(), signature.hash());
        this.bytes = bytes;
    }

    /**
     * Reads a note.
     *
     * @throws InvalidNoteException if the bytes are no note of a signed head, or it has another number of signatures than one
     */
    public static HeadNote parse(byte[] note) {
        return new HeadNote(note.clone());
    }

    /**
     * Reads the notes of a branch or a tag, one behind the other. Rule SN13.
     *
     * @throws InvalidNoteException if the bytes are anything else
     */
    public static List<HeadNote> parseAll(byte[] notes) {
        List<HeadNote> all = new ArrayList<>();
        if (notes.length > MAX_TOTAL) {
            throw new InvalidNoteException("more than " + MAX_TOTAL + " bytes of notes (SN12)");
        }
        String text;
        try {
            text = Utf8.decode(notes, 0, notes.length);
        } catch (IllegalArgumentException e) {
            throw new InvalidNoteException("not UTF-8 (SN5)", e);
        }
        for (int at = 0; at < text.length(); ) {
            // Behind the empty line is the only signature, and behind that the next note.
            int empty = text.indexOf("\n\n", at);
            int end = empty < 0 ? -1 : text.indexOf('\n', empty + 2);
            if (end < 0) {
                throw new InvalidNoteException("the last note has no signature (SN13)");
            }
            HeadNote next = new HeadNote(Utf8.encode(text.substring(at, end + 1)));
            HeadNote last = all.isEmpty() ? null : all.get(all.size() - 1);
            checkOrder(last, next);
            all.add(next);
            at = end + 1;
        }
        return all;
    }

    private static void checkOrder(@Nullable HeadNote last, HeadNote next) {
        if (last != null && (!last.name().equals(next.name()) || last.signer.compareTo(next.signer) >= 0)) {
            throw new InvalidNoteException("notes of one name in the order of their keys, each once (SN13)");
        }
    }

    /** The notes as bytes, which {@link #parseAll} reads. They are in order, of one branch or tag, each of another key. */
    public static byte[] join(List<HeadNote> notes) {
        HeadNote last = null;
        StringBuilder all = new StringBuilder();
        for (HeadNote note : notes) {
            checkOrder(last, note);
            all.append(note);
            last = note;
        }
        return Utf8.encode(all.toString());
    }

    /** The branch or tag that the note is for. */
    public String name() {
        return claim.name();
    }

    /** What the note says, which may be made up: see {@link #open}. */
    public SignedHead claim() {
        return claim;
    }

    /** The {@linkplain VerifierKey#id() id of the key} that the note names. */
    public String signer() {
        return signer;
    }

    /** The note as it was signed. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /**
     * What the owner of a key has signed.
     *
     * @param key from where you trust it, never from where the note is from
     * @throws InvalidNoteException if the owner of the key has not signed this note
     */
    public SignedHead open(VerifierKey key) {
        return SignedHead.open(bytes, Objects.requireNonNull(key, "key"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HeadNote that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** The note as text. */
    @Override
    public String toString() {
        return Utf8.decode(bytes, 0, bytes.length);
    }
}
