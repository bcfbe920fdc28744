package dev.pail.server.gateway;

import dev.pail.server.http.Refusal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.QuotedQualityCSV;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * The form in which a client wants blocks: raw, or a CAR with or without duplicates. The parameter {@code format} is stronger than
 * {@code Accept}, and {@code car-version}, {@code car-order} and {@code car-dups} are stronger than the parameters of the media type.
 * Rule GW2.
 *
 * @param isNegotiated whether a header decided something that the address does not say: then the response names its whole address
 */
record Variant(Format format, Duplicates duplicates, boolean isNegotiated) {
    private static final Set<String> VERSIONS = Set.of("1");
    private static final Set<String> ORDERS = Set.of("dfs", "unk");
    private static final Set<String> DUPLICATES = Set.of("y", "n");

    enum Format {
        RAW("raw", "application/vnd.ipld.raw", "bin"),
        CAR("car", "application/vnd.ipld.car", "car");

        /** In the query, as a media type, and as the extension of a file. */
        final String name;

        final String type;
        final String extension;

        Format(String name, String type, String extension) {
            this.name = name;
            this.type = type;
            this.extension = extension;
        }
    }

    /** Whether a CAR has a block again when the walk comes to it again. */
    enum Duplicates {
        YES("y"),
        NO("n");

        final String letter;

        Duplicates(String letter) {
            this.letter = letter;
        }
    }

    /** What {@code Accept} asks for: a format, and the parameters of the media type. */
    private record Accepted(Format format, Map<String, String> parameters) {}

    static Variant of(Request request, Map<String, String> query) {
        Accepted accepted = accepted(request);
        String named = query.get("format");
        if (named == null && accepted == null) {
            throw unnamed(request);
        }
        Format format = named == null ? Objects.requireNonNull(accepted).format : format(named);
        Map<String, String> parameters = new HashMap<>();
        boolean isNegotiated = named == null;
        if (accepted != null && accepted.format == format) {
            parameters.putAll(accepted.parameters);
        } else if (accepted != null) {
            isNegotiated = true;
        }
        if (format == Format.RAW) {
            return new Variant(format, Duplicates.NO, isNegotiated);
        }
        isNegotiated |= parameters.containsKey("dups") && !query.containsKey("car-dups");
        for (String each : List.of("version", "order", "dups")) {
            String stronger = query.get("car-" + each);
            if (stronger != null) {
                parameters.put(each, stronger);
            }
        }
        if (!isOffered(parameters)) {
            throw Refusal.notAcceptable("the gateway writes CARs of version 1, in the order dfs, with dups y or n");
        }
        boolean repeats = "y".equals(parameters.get("dups"));
        return new Variant(format, repeats ? Duplicates.YES : Duplicates.NO, isNegotiated);
    }

    private static Refusal unnamed(Request request) {
        List<String> types = request.getHeaders().getCSV(HttpHeader.ACCEPT, false);
        String text = "the request names no format: add ?format=raw or ?format=car";
        return types.isEmpty() || types.get(0).startsWith("*/*")
                ? Refusal.malformed(text)
                : Refusal.notAcceptable(text);
    }

    private static Format format(String name) {
        for (Format each : Format.values()) {
            if (each.name.equals(name)) {
                return each;
            }
        }
        throw Refusal.notAcceptable("the gateway has the formats raw and car, and not the one of this request");
    }

    private static boolean isOffered(Map<String, String> parameters) {
        return VERSIONS.contains(parameters.getOrDefault("version", "1"))
                && ORDERS.contains(parameters.getOrDefault("order", "dfs"))
                && DUPLICATES.contains(parameters.getOrDefault("dups", "n"));
    }

    /** The best type that the client accepts and the gateway offers; else the best format that it offers in other variants only; else null. */
    private static @Nullable Accepted accepted(Request request) {
        QuotedQualityCSV types = new QuotedQualityCSV();
        for (HttpField field : request.getHeaders().getFields(HttpHeader.ACCEPT)) {
            types.addValue(field.getValue());
        }
        Accepted refused = null;
        for (String each : types.getValues()) {
            Map<String, String> parameters = new HashMap<>();
            String type = HttpField.getValueParameters(each, parameters);
            for (Format format : Format.values()) {
                if (type != null && format.type.equals(type.toLowerCase(Locale.ROOT))) {
                    Accepted found = new Accepted(format, parameters);
                    if (format == Format.RAW || isOffered(parameters)) {
                        return found;
                    }
                    refused = refused == null ? found : refused;
                }
            }
        }
        return refused;
    }

    /** The value of {@code Content-Type}. */
    String contentType() {
        return format == Format.RAW ? format.type : format.type + "; version=1; order=dfs; dups=" + duplicates.letter;
    }
}
