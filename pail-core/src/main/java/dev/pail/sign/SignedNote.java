package dev.pail.sign;

import dev.pail.bytes.Utf8;
import java.util.Arrays;
import java.util.Base64;

/** A text with signatures below it, as https://c2sp.org/signed-note defines it. */
final class SignedNote {
    /** In bytes: a head of 1,000 events has 60,000, and 16 signatures of large post-quantum keys 110,000. Rule SN6. */
    static final int MAX_SIZE = 1 << 18;

    static final int MAX_SIGNATURES = 100;

    /** An em dash and a space. */
    private static final String SIGNATURE = "\u2014 ";

    private static final int HASH_LENGTH = 4;

    private SignedNote() {}

    /** @param text ends with a line feed */
    static byte[] sign(String text, SigningKey key) {
        byte[] signature = key.sign(Utf8.encode(text));
        byte[] numbered = new byte[HASH_LENGTH + signature.length];
        int hash = key.verifierKey().hash();
        for (int i = 0; i < HASH_LENGTH; i++) {
            numbered[i] = (byte) (hash >>> (Byte.SIZE * (HASH_LENGTH - 1 - i)));
        }
        System.arraycopy(signature, 0, numbered, HASH_LENGTH, signature.length);
        return Utf8.encode(text
                + '\n'
                + SIGNATURE
                + key.verifierKey().name()
                + ' '
                + Base64.getEncoder().encodeToString(numbered)
                + '\n');
    }

    /** The text of a note that the owner of a key has signed. Rule SN5: its form. */
    static String open(byte[] note, VerifierKey key) {
        if (note.length > MAX_SIZE) {
            throw new InvalidNoteException("more than " + MAX_SIZE + " bytes (SN6)");
        }
        String all = decoded(note);
        if (all.chars().anyMatch(c -> c < ' ' && c != '\n')) {
            throw new InvalidNoteException("a control character (SN5)");
        }
        int end = all.lastIndexOf("\n\n");
        String text = all.substring(0, end + 1);
        if (text.isEmpty() || !all.endsWith("\n")) {
            throw new InvalidNoteException("no text, empty line and signatures, each line with its line feed (SN5)");
        }
        verify(text, all.substring(end + 2), key);
        return text;
    }

    private static String decoded(byte[] note) {
        try {
            return Utf8.decode(note, 0, note.length);
        } catch (IllegalArgumentException e) {
            throw new InvalidNoteException("not UTF-8 (SN5)", e);
        }
    }

    /** Checks the signatures of the key, and passes over those of other keys. Rule SN7. */
    private static void verify(String text, String signatures, VerifierKey key) {
        byte[] signed = Utf8.encode(text);
        boolean isSigned = false;
        int count = 0;
        for (int at = 0; at < signatures.length(); ) {
            int end = signatures.indexOf('\n', at);
            if (++count > MAX_SIGNATURES) {
                throw new InvalidNoteException("more than " + MAX_SIGNATURES + " signatures (SN6)");
            }
            String line = signatures.substring(at, end);
            int space = line.indexOf(' ', SIGNATURE.length());
            if (!line.startsWith(SIGNATURE) || space < 0) {
                throw noSignature(count);
            }
            String name = line.substring(SIGNATURE.length(), space);
            byte[] numbered = signature(line.substring(space + 1), count);
            if (!KeyForm.isName(name)) {
                throw noSignature(count);
            }
            if (name.equals(key.name()) && KeyForm.number(numbered) == key.hash()) {
                if (!key.verifies(signed, Arrays.copyOfRange(numbered, HASH_LENGTH, numbered.length))) {
                    throw new InvalidNoteException("a wrong signature by " + key.shown() + " (SN7)");
                }
                isSigned = true;
            }
            at = end + 1;
        }
        if (!isSigned) {
            throw new InvalidNoteException("no signature by " + key.shown() + " (SN7)");
        }
    }

    /** The hash of a key and a signature. */
    private static byte[] signature(String base64, int number) {
        try {
            byte[] bytes = KeyForm.base64(base64);
            if (bytes.length > HASH_LENGTH) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            throw noSignature(number);
        }
        throw noSignature(number);
    }

    private static InvalidNoteException noSignature(int number) {
        return new InvalidNoteException("line " + number + " behind the text is no signature (SN5)");
    }
}
