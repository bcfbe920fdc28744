package dev.pail.bench;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Keys with their values, in the order in which they are put. As a file: {@code key TAB cid LF} for each.
 *
 * @param keys all distinct, without tabs and line breaks
 * @param values one for each key
 */
public record Entries(List<String> keys, List<Cid> values) {
    /** Makes {@code count} entries of a set; sorts them by key, if wanted. The value of a key depends on its place before sorting. */
    public static Entries of(KeySet set, int count, Order order) {
        List<String> keys = set.keys(count);
        List<Integer> places = IntStream.range(0, count).boxed().collect(Collectors.toCollection(ArrayList::new));
        if (order == Order.SORTED) {
            places.sort((a, b) -> keys.get(a).compareTo(keys.get(b)));
        }
        return new Entries(
                places.stream().map(keys::get).toList(),
                places.stream().map(Entries::value).toList());
    }

    /** In which order keys are put. */
    public enum Order {
        /** As they come. */
        GIVEN,
        /** By key. */
        SORTED
    }

    /** The value with a number: the CID of the raw block of its decimal digits. */
    static Cid value(int number) {
        return Block.of(Cid.RAW, Integer.toString(number).getBytes(StandardCharsets.US_ASCII))
                .cid();
    }

    /** The number of entries. */
    public int size() {
        return keys.size();
    }

    /** As many of the first ones. */
    public Entries first(int count) {
        return count >= size() ? this : new Entries(keys.subList(0, count), values.subList(0, count));
    }

    /** All but as many of the first ones. */
    public Entries after(int count) {
        int from = Math.min(count, size());
        return new Entries(keys.subList(from, size()), values.subList(from, size()));
    }

    /** Writes a file; it is there in full or not at all. */
    public void write(Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (BufferedWriter out = Files.newBufferedWriter(part)) {
            for (int i = 0; i < size(); i++) {
                out.write(line(keys.get(i), values.get(i)));
            }
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Reads at most {@code most} entries of a file. */
    public static Entries read(Path file, int most) throws IOException {
        List<String> keys = new ArrayList<>();
        List<Cid> values = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            for (String line = in.readLine(); line != null && keys.size() < most; line = in.readLine()) {
                int tab = line.indexOf('\t');
                keys.add(line.substring(0, tab));
                values.add(Cid.parse(line.substring(tab + 1)));
            }
        }
        return new Entries(keys, values);
    }

    /** The digest of these entries in the order of their keys. */
    public String digest() {
        Digest digest = new Digest();
        IntStream.range(0, size())
                .boxed()
                .sorted((a, b) -> keys.get(a).compareTo(keys.get(b)))
                .forEach(i -> digest.add(keys.get(i), values.get(i)));
        return digest.toString();
    }

    /** An entry in a file. */
    static String line(String key, Cid value) {
        return key + "\t" + value + "\n";
    }

    /** SHA-256 over lines, as those of entries, one after the other. */
    static final class Digest {
        private final MessageDigest sha256 = Hashing.sha256();
        private long count;

        void add(String key, Cid value) {
            add(line(key, value));
        }

        void add(String line) {
            sha256.update(line.getBytes(StandardCharsets.UTF_8));
            count++;
        }

        /** How many lines were added. */
        long count() {
            return count;
        }

        /** In hex, of what was added since the last call. */
        @Override
        public String toString() {
            return HexFormat.of().formatHex(sha256.digest());
        }
    }
}
