package dev.pail.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws the pictures of the first page from the figures in {@code results}. */
final class Pictures {
    private static final String RATE = "operations a second";

    private record Picture(String name, List<String> contestants, List<List<String>> rows) {}

    /** Of each row the title, and the names of the figures of the contestants; an empty name for none. */
    private static final List<Picture> ALL = List.of(
            new Picture(
                    "map",
                    List.of("Pail v1", "Pail v0", "npm pail", "atproto MST", "prolly-trees", "H2 MVStore"),
                    List.of(
                            works("put, 10,000 keys", "put-W1-10000"),
                            works("batch, 100,000 keys", "batch-W1-100000"),
                            works("get, 100,000 keys", "get-W1-100000"),
                            works("cold get, 10,000 keys", "coldGet-W1-10000"),
                            works("scan, 100,000 keys", "scan-W1-100000"))),
            new Picture(
                    "large",
                    List.of("Pail v1", "Pail v0", "H2 MVStore", "RocksDB", "LMDB"),
                    List.of(
                            large("load", "load a second of processor"),
                            large("get", "get a second of processor"),
                            large("cold get", "cold get a second"),
                            large("scan", "scan a second of processor"),
                            large("durable put", "put a second"))),
            new Picture(
                    "tables",
                    List.of("Pail v1", "Pail v0", "H2"),
                    List.of(
                            tables("rows loaded", "load"),
                            tables("get by id", "get"),
                            tables("find by an index, 10 rows", "find"),
                            tables("range of an index, 2,000 rows", "range"),
                            tables("find without an index", "scan"))),
            new Picture(
                    "stores",
                    List.of("Pail v1", "Pail v0", "H2 MVStore", "RocksDB", "LMDB"),
                    List.of(
                            stores("durable put", "sync"),
                            List.of(
                                    "the same, 8 writers",
                                    "rates-eight-v1 a second",
                                    "rates-eight-v0 a second",
                                    "",
                                    "",
                                    ""),
                            List.of(
                                    "put without syncs",
                                    "rates-none-v1 a second",
                                    "rates-none-v0 a second",
                                    "",
                                    "",
                                    ""))));

    private Pictures() {}

    private static List<String> works(String title, String work) {
        List<String> row = new ArrayList<>(List.of(title));
        for (String contestant : List.of("v1", "v0", "npm-0.6", "mst", "prolly", "mvstore")) {
            row.add(work + " " + contestant + " a second");
        }
        return row;
    }

    private static List<String> large(String title, String figure) {
        List<String> row = new ArrayList<>(List.of(title + ", 1,000,000 keys"));
        for (String contestant : List.of("v1", "v0", "mvstore", "rocksdb", "lmdb")) {
            row.add("W1-1000000-" + contestant + " " + figure);
        }
        return row;
    }

    private static List<String> tables(String title, String figure) {
        return List.of(title, figure + ", v1", figure + ", v0", figure + ", H2");
    }

    private static List<String> stores(String title, String keeper) {
        return List.of(
                title,
                "rates-" + keeper + "-v1 a second",
                "rates-" + keeper + "-v0 a second",
                "rates-mvstore a second",
                "rates-rocksdb a second",
                "rates-lmdb a second");
    }

    /** The pictures by the names of their files. */
    static Map<String, String> of(Path results) throws IOException {
        Map<String, String> pictures = new LinkedHashMap<>();
        for (Picture picture : ALL) {
            Results figures = Results.read(results.resolve(picture.name + ".json"));
            List<Dots.Row> rows = new ArrayList<>();
            for (List<String> row : picture.rows) {
                Map<String, Double> values = new LinkedHashMap<>();
                for (int i = 0; i < picture.contestants.size(); i++) {
                    String contestant = picture.contestants.get(i);
                    figures.figure(row.get(i + 1)).ifPresent(value -> values.put(contestant, value));
                }
                rows.add(new Dots.Row(row.get(0), values));
            }
            pictures.put(picture.name + ".svg", new Dots(RATE, picture.contestants, rows).svg());
        }
        return pictures;
    }

    /** {@code Pictures MODULE-FOLDER}. */
    public static void main(String[] arguments) throws IOException {
        Path module = Path.of(arguments[0]);
        for (Map.Entry<String, String> picture : of(module.resolve("results")).entrySet()) {
            Files.writeString(module.resolve(picture.getKey()), picture.getValue());
        }
    }
}
