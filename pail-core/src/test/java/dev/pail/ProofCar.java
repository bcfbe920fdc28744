package dev.pail;

import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.proof.Proof;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** A CAR as anybody could make it: for proofs that are changed, and for those that are none. */
record ProofCar(List<Cid> roots, List<Section> sections) {
    private static final int CID = 36;

    /** A CID, and bytes that may be others than its own. */
    static final class Section {
        private final byte[] cid;
        private final byte[] block;

        Section(byte[] cid, byte[] block) {
            this.cid = cid.clone();
            this.block = block.clone();
        }

        Section(Cid cid, byte[] block) {
            this(cid.toBytes(), block);
        }

        byte[] block() {
            return block.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Section section
                    && Arrays.equals(cid, section.cid)
                    && Arrays.equals(block, section.block);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(cid);
        }
    }

    static ProofCar of(Proof proof) {
        byte[] bytes = proof.bytes();
        List<Section> sections = new ArrayList<>();
        for (int at = 1 + bytes[0]; at < bytes.length; ) {
            int length = 0;
            for (int shift = 0, more = 1; more != 0; shift += 7) {
                length |= (bytes[at] & 0x7f) << shift;
                more = bytes[at++] & 0x80;
            }
            byte[] cid = Arrays.copyOfRange(bytes, at, at + CID);
            sections.add(new Section(cid, Arrays.copyOfRange(bytes, at + CID, at + length)));
            at += length;
        }
        return new ProofCar(proof.roots(), sections);
    }

    ProofCar without(Cid cid) {
        return new ProofCar(
                roots,
                sections.stream()
                        .filter(section -> !cid.equalsBytes(section.cid, 0, CID))
                        .toList());
    }

    ProofCar with(int index, Section section) {
        List<Section> more = new ArrayList<>(sections);
        more.add(index, section);
        return new ProofCar(roots, more);
    }

    ProofCar swapped(int one, int two) {
        List<Section> swapped = new ArrayList<>(sections);
        Collections.swap(swapped, one, two);
        return new ProofCar(roots, swapped);
    }

    byte[] bytes() {
        DagCborWriter header = new DagCborWriter().map(2).text("roots").array(roots.size());
        roots.forEach(header::link);
        return bytes(header.text("version").integer(1).toByteArray());
    }

    /** With another header. */
    byte[] bytes(byte[] header) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(varint(header.length));
        out.writeBytes(header);
        for (Section section : sections) {
            out.writeBytes(varint(section.cid.length + section.block.length));
            out.writeBytes(section.cid);
            out.writeBytes(section.block);
        }
        return out.toByteArray();
    }

    private static byte[] varint(int value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            out.write(rest | 0x80);
        }
        out.write(rest);
        return out.toByteArray();
    }
}
