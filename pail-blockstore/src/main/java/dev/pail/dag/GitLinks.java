package dev.pail.dag;

import dev.pail.ipld.Cid;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Finds the links of git-raw, the objects of Git with their header: those of a tree, a commit and a tag. Each names an object by its
 * SHA-1. A blob has none.
 *
 * <p>Reads each byte once. Neither depth nor size of the input decides what this takes.
 */
final class GitLinks {
    private static final int SHA1_LENGTH = 20;

    /** Version 1, git-raw, SHA-1, and the length of the digest. */
    private static final byte[] CID_START = {1, 0x78, 0x11, SHA1_LENGTH};

    private static final String[] FIELDS = {"tree ", "parent ", "object ", "mergetag object "};

    private final byte[] bytes;
    private final Consumer<Cid> action;
    private int at;

    private GitLinks(byte[] bytes, Consumer<Cid> action) {
        this.bytes = bytes;
        this.action = action;
    }

    /** Gives the links in their order; of bytes that are no object of Git, those before the first byte that shows it. */
    static void forEach(byte[] bytes, Consumer<Cid> action) {
        new GitLinks(bytes, action).run();
    }

    private void run() {
        boolean isTree = startsWith("tree ");
        boolean isText = startsWith("commit ") || startsWith("tag ");
        at = indexOf((byte) 0) + 1;
        if (at > 0 && isTree) {
            readTree();
        } else if (at > 0 && isText) {
            readHeaders();
        }
    }

    /** Reads entries: a mode, a space, a name, a NUL, a SHA-1. */
    private void readTree() {
        while (at < bytes.length) {
            int end = indexOf((byte) 0);
            if (end < 0 || end + SHA1_LENGTH >= bytes.length) {
                return;
            }
            accept(Arrays.copyOfRange(bytes, end + 1, end + 1 + SHA1_LENGTH));
            at = end + 1 + SHA1_LENGTH;
        }
    }

    /** Reads lines up to the empty one, which is before the message. */
    private void readHeaders() {
        while (at < bytes.length && bytes[at] != '\n') {
            for (String field : FIELDS) {
                if (startsWith(field)) {
                    link(at + field.length());
                }
            }
            int end = indexOf((byte) '\n');
            at = end < 0 ? bytes.length : end + 1;
        }
    }

    /** Gives what a SHA-1 in hexadecimal names, if a line ends behind it. */
    private void link(int from) {
        int to = from + 2 * SHA1_LENGTH;
        if (to > bytes.length || (to < bytes.length && bytes[to] != '\n')) {
            return;
        }
        byte[] digest = new byte[SHA1_LENGTH];
        for (int i = 0; i < SHA1_LENGTH; i++) {
            int high = digit(bytes[from + 2 * i]);
            int low = digit(bytes[from + 2 * i + 1]);
            if (high < 0 || low < 0) {
                return;
            }
            digest[i] = (byte) (high << 4 | low);
        }
        accept(digest);
    }

    private void accept(byte[] digest) {
        byte[] cid = Arrays.copyOf(CID_START, CID_START.length + SHA1_LENGTH);
        System.arraycopy(digest, 0, cid, CID_START.length, SHA1_LENGTH);
        action.accept(Cid.fromBytes(cid));
    }

    private static int digit(byte character) {
        return character >= '0' && character <= '9'
                ? character - '0'
                : character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
    }

    private boolean startsWith(String text) {
        if (text.length() > bytes.length - at) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (bytes[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int indexOf(byte wanted) {
        for (int i = at; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }
}
