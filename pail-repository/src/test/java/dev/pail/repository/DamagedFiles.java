package dev.pail.repository;

import dev.pail.testkit.Randomness;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What can happen to a file, one after the other. */
final class DamagedFiles {
    private static final int SECTOR = 512;
    private static final int[] CHANGES = {0x01, 0x80, -1};

    /** For each push, a random part of all changes of bytes is tried, and of all lengths that a file can be cut to, and of others. */
    private static final int CHANGES_FOR_ONE = Randomness.times(2 * CHANGES.length, 1);

    private static final int ONE_OF = Randomness.times(8, 1);

    private DamagedFiles() {}

    /** Takes what may be left of a file: nothing where the file is gone. */
    interface Victim {
        void damage(Optional<byte[]> left, String how);
    }

    /** Changes each byte, or sets all of its bits. */
    static void changeBytes(byte[] file, long seed, Victim victim) {
        for (int at = 0; at < file.length; at++) {
            for (int i = 0; i < CHANGES.length; i++) {
                if (Math.floorMod(at * CHANGES.length + i + at / CHANGES_FOR_ONE + seed, CHANGES_FOR_ONE) == 0) {
                    byte[] left = file.clone();
                    left[at] = (byte) (CHANGES[i] < 0 ? 0xff : file[at] ^ CHANGES[i]);
                    victim.damage(Optional.of(left), "byte " + at + " is " + left[at]);
                }
            }
        }
    }

    /** Cuts a file. */
    static void cut(byte[] file, long seed, Victim victim) {
        for (int length = 0; length < file.length; length++) {
            if (length == 0 || Math.floorMod(length + seed, ONE_OF) == 0) {
                victim.damage(Optional.of(Arrays.copyOf(file, length)), "cut to " + length);
            }
        }
    }

    /** Loses sectors, or has them twice or in another order. */
    static void mixSectors(byte[] file, Victim victim) {
        for (int at = 0; at < file.length; at += SECTOR) {
            int end = Math.min(at + SECTOR, file.length);
            int next = Math.min(end + SECTOR, file.length);
            byte[] zeros = file.clone();
            Arrays.fill(zeros, at, end, (byte) 0);
            victim.damage(Optional.of(zeros), "zeros from " + at);
            victim.damage(Optional.of(join(file, 0, end, at, end, end, file.length)), "sector twice at " + at);
            if (next > end) {
                byte[] swapped = join(file, 0, at, end, next, at, end, next, file.length);
                victim.damage(Optional.of(swapped), "sectors swapped at " + at);
            }
        }
    }

    /** Has another file in the place of one. */
    static void exchange(List<byte[]> others, long seed, Victim victim) {
        for (int i = 0; i < others.size(); i++) {
            if (Math.floorMod(i + seed, ONE_OF) == 0) {
                victim.damage(Optional.of(others.get(i)), "another file of " + others.get(i).length + " bytes");
            }
        }
    }

    private static byte[] join(byte[] file, int... fromAndTo) {
        byte[] joined = new byte[0];
        for (int i = 0; i < fromAndTo.length; i += 2) {
            int length = fromAndTo[i + 1] - fromAndTo[i];
            joined = Arrays.copyOf(joined, joined.length + length);
            System.arraycopy(file, fromAndTo[i], joined, joined.length - length, length);
        }
        return joined;
    }
}
