package dev.pail.sign;

import dev.pail.bytes.Utf8;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * A text with signatures below it, as https://c2sp.org/signed-note defines it.
 *
 * @param text ends with a line feed
 * @param signatures in their order, one or more
 */
record SignedNote(String text, List<Signature> signatures) {
    /** A signature by a key, unchecked. */
    @SuppressWarnings("ArrayRecordComponent") // Signatures are not compared.
    record Signature(String name, int hash, byte[] bytes) {}

    /** In bytes: a head of 1,000 events has 60,000, and 16 signatures of large post-quantum keys 110,000. Rule SN6. */
    static final int MAX_SIZE = 1 << 18;

    static final int MAX_SIGNATURES = 100;

    /** An em dash and a space. */
    private static final String SIGNATURE = "\u2014 ";

    private static final int HASH_LENGTH = 4;

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

    /** The text of a note that the owner of a key has signed. */
    static String open(byte[] note, VerifierKey key) {
        SignedNote read = read(note);
        read.verify(key);
        return read.text;
    }

    /** Reads a note, and checks no signature. Rule SN5: its form. */
    static SignedNote read(byte[] note) {
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
        return new SignedNote(text, signatures(all.substring(end + 2)));
    }

    private static String decoded(byte[] note) {
        try {
            return Utf8.decode(note, 0, note.length);
        } catch (IllegalArgumentException e) {
            throw new InvalidNoteException("not UTF-8 (SN5)", e);
        }
    }

    private static List<Signature> signatures(String lines) {
        List<Signature> signatures = new ArrayList<>();
        for (int at = 0; at < lines.length(); ) {
            int end = lines.indexOf('\n', at);
            int count = signatures.size() + 1;
            if (count > MAX_SIGNATURES) {
                throw new InvalidNoteException("more than " + MAX_SIGNATURES + " signatures (SN6)");
            }
            String line = lines.substring(at, end);
            int space = line.indexOf(' ', SIGNATURE.length());
            if (!line.startsWith(SIGNATURE) || space < 0) {
                throw noSignature(count);
            }
            String name = line.substring(SIGNATURE.length(), space);
            byte[] numbered = signature(line.substring(space + 1), count);
            if (!KeyForm.isName(name)) {
                throw noSignature(count);
            }
            signatures.add(new Signature(
                    name, KeyForm.number(numbered), Arrays.copyOfRange(numbered, HASH_LENGTH, numbered.length)));
            at = end + 1;
        }
        return signatures;
    }

    /** Checks the signatures of the key, and passes over those of other keys. Rule SN7. */
    private void verify(VerifierKey key) {
        byte[] signed = Utf8.encode(text);
        List<Signature> own = signatures.stream()
                .filter(each -> each.name.equals(key.name()) && each.hash == key.hash())
                .toList();
        if (own.isEmpty()) {
            throw new InvalidNoteException("no signature by " + key.id() + " (SN7)");
        }
        if (!own.stream().allMatch(each -> key.verifies(signed, each.bytes))) {
            throw new InvalidNoteException("a wrong signature by " + key.id() + " (SN7)");
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
