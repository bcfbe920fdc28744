package dev.pail.server.gateway;

import dev.pail.Escapes;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * What a request to {@code /ipfs/CID/NAME/...} asks for. Everything in it is checked: the CID, each name, each parameter. Rule GW1.
 *
 * @param cid the root
 * @param text of the CID, which several headers have
 * @param names of entries of folders, on the way from the root
 * @param path as the client wrote it, in ASCII
 * @param bytes null for all
 */
record GatewayRequest(
        Cid cid,
        String text,
        List<String> names,
        String path,
        Variant variant,
        Scope scope,
        @Nullable EntityBytes bytes,
        Map<String, String> query) {
    /** The most names in a path. */
    static final int MOST_NAMES = 256;

    private static final Set<String> PARAMETERS = Set.of(
            "format", "dag-scope", "entity-bytes", "car-version", "car-order", "car-dups", "filename", "download");

    private static final String IPFS = "/ipfs/";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Which blocks below the end of the path a CAR has. Rule GW5. */
    enum Scope {
        BLOCK,
        ENTITY,
        ALL;

        /** As in the query. */
        String text() {
            return switch (this) {
                case BLOCK -> "block";
                case ENTITY -> "entity";
                case ALL -> "all";
            };
        }
    }

    static GatewayRequest of(Request request) {
        String path = String.valueOf(request.getHttpURI().getPath());
        String[] parts = path.substring(IPFS.length()).split("/", -1);
        List<String> names = names(parts);
        Map<String, String> query =
                Parameters.among(PARAMETERS, request.getHttpURI().getQuery());
        Variant variant = Variant.of(request, query);
        Cid cid = cid(parts[0]);
        if (variant.format() == Variant.Format.RAW && !names.isEmpty()) {
            throw Refusal.malformed("a raw block has no path: ask for /ipfs/CID, or for ?format=car");
        }
        String range = query.get("entity-bytes");
        EntityBytes bytes = range == null ? null : EntityBytes.parse(range);
        Scope scope = scope(query.get("dag-scope"), bytes);
        return new GatewayRequest(cid, cid.toString(), names, path, variant, scope, bytes, query);
    }

    private static Cid cid(String text) {
        try {
            return Cid.parse(Parameters.decode(text));
        } catch (MalformedDataException e) {
            throw Refusal.malformed("the path names no CID: " + e.getMessage());
        }
    }

    private static List<String> names(String[] parts) {
        // A path may end in a slash.
        int end = parts.length > 1 && parts[parts.length - 1].isEmpty() ? parts.length - 1 : parts.length;
        if (end - 1 > MOST_NAMES) {
            throw Refusal.malformed("a path has at most " + MOST_NAMES + " names");
        }
        List<String> names = new ArrayList<>();
        for (int i = 1; i < end; i++) {
            String name = Parameters.decode(parts[i]);
            if (name.isEmpty()
                    || name.equals(".")
                    || name.equals("..")
                    || name.indexOf('/') >= 0
                    || name.indexOf(0) >= 0) {
                throw Refusal.malformed("a name in a path is not empty, \".\" or \"..\", and has no slash and no NUL");
            }
            names.add(name);
        }
        return List.copyOf(names);
    }

    private static Scope scope(@Nullable String text, @Nullable EntityBytes bytes) {
        for (Scope each : Scope.values()) {
            if (each.text().equals(text)) {
                if (bytes != null && each != Scope.ENTITY) {
                    throw Refusal.malformed("entity-bytes goes with dag-scope=entity, not with dag-scope=" + text);
                }
                return each;
            }
        }
        if (text != null) {
            throw Refusal.malformed("dag-scope is block, entity or all, not " + Escapes.brief(text));
        }
        return bytes == null ? Scope.ALL : Scope.ENTITY;
    }

    private static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = b > 0 && (Character.isLetterOrDigit(b) || "-._~:*".indexOf(b) >= 0);
            if (isPlain) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.toHexDigits(b));
            }
        }
        return encoded.toString();
    }

    /** The path as an address of IPFS. */
    String uri() {
        return "ipfs://" + path.substring(IPFS.length());
    }

    /** The address that says all of the request without headers. */
    String location() {
        Map<String, String> all = new TreeMap<>(query);
        all.put("format", variant.format().name);
        if (variant.format() == Variant.Format.CAR) {
            all.put("car-version", "1");
            all.put("car-order", "dfs");
            all.put("car-dups", variant.duplicates().letter);
        }
        StringBuilder address = new StringBuilder(path);
        char sign = '?';
        for (Map.Entry<String, String> each : all.entrySet()) {
            address.append(sign).append(each.getKey()).append('=').append(encode(each.getValue()));
            sign = '&';
        }
        return address.toString();
    }

    /** Equal for equal bytes only: the CAR of a request is always the same. Rule GW10. */
    String etag() {
        if (variant.format() == Variant.Format.RAW) {
            return "\"" + text + ".raw\"";
        }
        // Names may have characters that a tag cannot have: their hash stands for them.
        String names = this.names.isEmpty()
                ? ""
                : "."
                        + Block.of(Cid.RAW, String.join("/", this.names).getBytes(StandardCharsets.UTF_8))
                                .cid();
        String range = bytes == null ? "" : "." + bytes;
        return "\"" + scope.text() + range + ".dfs." + variant.duplicates().letter + "." + text + names + ".car\"";
    }

    /** The value of {@code Content-Disposition}, which keeps a browser from showing the bytes. */
    String disposition() {
        String name = query.get("filename");
        if (name == null || name.isEmpty()) {
            return "attachment; filename=\"" + text + "." + variant.format().extension + "\"";
        }
        String plain = name.replaceAll("[^ !#-\\[\\]-~]", "_");
        return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''"
                + encode(name).replace(":", "%3A").replace("*", "%2A");
    }
}
