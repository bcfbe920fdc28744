package dev.pail.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.ipld.Cid;
import dev.pail.unixfs.FileLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Files and folders of UnixFS in a folder of blocks, written and read with npm {@code ipfs-unixfs-importer} and {@code -exporter}. */
record InteropUnixfs(InteropNode node, Path blocks) {
    /** A file, and how it is cut. */
    static final class Cut {
        private final byte[] bytes;
        private final FileLayout layout;

        Cut(byte[] bytes, FileLayout layout) {
            this.bytes = bytes.clone();
            this.layout = layout;
        }

        byte[] bytes() {
            return bytes.clone();
        }

        FileLayout layout() {
            return layout;
        }
    }

    /** What the exporter tells of an entry. */
    record Found(String path, String kind, Cid cid, String bytes) {}

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(JsonNode base64) {
        return Base64.getDecoder().decode(base64.asText());
    }

    private static List<Cid> cids(List<JsonNode> answers) {
        return answers.stream()
                .map(answer -> Cid.parse(answer.get("cid").asText()))
                .toList();
    }

    /** Writes each file. */
    List<Cid> write(List<Cut> files) {
        List<Map<String, Object>> requests = new ArrayList<>();
        for (Cut file : files) {
            requests.add(Map.of(
                    "chunkSize",
                    file.layout.chunkSize(),
                    "links",
                    file.layout.links(),
                    "file",
                    Map.of("bytes", base64(file.bytes))));
        }
        return cids(node.run("unixfs-import.js", requests, blocks));
    }

    /** Writes folders, each of files with their paths. */
    List<Cid> writeFolders(List<? extends Map<String, byte[]>> folders) {
        List<Map<String, Object>> requests = new ArrayList<>();
        for (Map<String, byte[]> folder : folders) {
            List<Map<String, Object>> files = new ArrayList<>();
            folder.forEach((path, bytes) -> files.add(Map.of("path", path, "bytes", base64(bytes))));
            requests.add(Map.of("folder", files));
        }
        return cids(node.run("unixfs-import.js", requests, blocks));
    }

    /** Writes one folder of files, links and folders, as the script takes them. */
    Cid writeFolder(List<Map<String, Object>> entries) {
        return cids(node.run("unixfs-import.js", List.of(Map.of("folder", entries)), blocks))
                .get(0);
    }

    /** Reads each file. */
    List<byte[]> read(List<Cid> files) {
        List<Map<String, Object>> requests = new ArrayList<>();
        files.forEach(file -> requests.add(Map.of("cid", file.toString())));
        return node.run("unixfs-export.js", requests, blocks).stream()
                .map(answer -> bytes(answer.get("bytes")))
                .toList();
    }

    /** Reads a range of each file. */
    List<byte[]> read(List<Cid> files, List<long[]> ranges) {
        List<Map<String, Object>> requests = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            requests.add(Map.of("cid", files.get(i).toString(), "ranges", List.of(ranges.get(i))));
        }
        return node.run("unixfs-export.js", requests, blocks).stream()
                .map(answer -> bytes(answer.get("ranges").get(0)))
                .toList();
    }

    /** All that is below each folder, by its path. */
    List<Map<String, Found>> walk(List<Cid> folders) {
        List<Map<String, Object>> requests = new ArrayList<>();
        folders.forEach(folder -> requests.add(Map.of("cid", folder.toString())));
        List<Map<String, Found>> all = new ArrayList<>();
        for (JsonNode answer : node.run("unixfs-export.js", requests, blocks)) {
            Map<String, Found> found = new LinkedHashMap<>();
            for (JsonNode entry : answer.get("entries")) {
                String path = entry.get("path").asText();
                found.put(
                        path,
                        new Found(
                                path,
                                entry.get("kind").asText(),
                                Cid.parse(entry.get("cid").asText()),
                                entry.get("bytes").asText("")));
            }
            all.add(found);
        }
        return all;
    }
}
