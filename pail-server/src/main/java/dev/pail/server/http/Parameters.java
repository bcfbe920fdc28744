package dev.pail.server.http;

import dev.pail.Escapes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The parameters of a request, each there once, without percent signs. Immutable. */
public final class Parameters {
    /** The most items of an answer. */
    static final int MOST = 1000;

    private static final int USUAL = 100;

    private final Map<String, String> values;

    private Parameters(Map<String, String> values) {
        this.values = values;
    }

    /**
     * The parameters of a request to the API.
     *
     * @param known their names
     * @throws Refusal if there is another one, or one is there twice, or a plus sign is not written as {@code %2B}: forms write a space so
     */
    public static Parameters of(Request request, String... known) {
        String query = request.getHttpURI().getQuery();
        if (query != null && query.indexOf('+') >= 0) {
            throw Refusal.malformed("a plus sign in the query of an address is %2B, and a space is %20");
        }
        Set<String> names = Set.of(known);
        Map<String, String> values = new HashMap<>();
        forEach(query, (name, value) -> {
            if (!names.contains(name)) {
                throw Refusal.malformed("there is no parameter " + Escapes.brief(name) + " here, but "
                        + String.join(", ", new TreeSet<>(names)));
            }
            add(values, name, value);
        });
        return new Parameters(values);
    }

    /** The parameters of a query that have names of a set. Others are ignored. */
    public static Map<String, String> among(Set<String> known, @Nullable String query) {
        Map<String, String> values = new HashMap<>();
        forEach(query, (name, value) -> {
            if (known.contains(name)) {
                add(values, name, value);
            }
        });
        return values;
    }

    private static void add(Map<String, String> values, String name, String value) {
        if (values.put(name, decode(value)) != null) {
            throw Refusal.malformed("the parameter " + name + " is there twice");
        }
    }

    /** @param action is given decoded names, and values as they are */
    private static void forEach(@Nullable String query, BiConsumer<String, String> action) {
        for (String each : query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = each.indexOf('=');
            action.accept(
                    decode(equals < 0 ? each : each.substring(0, equals)),
                    equals < 0 ? "" : each.substring(equals + 1));
        }
    }

    /** A part of an address without its percent signs. */
    public static String decode(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                boolean isByte = i + 2 < text.length()
                        && HexFormat.isHexDigit(text.charAt(i + 1))
                        && HexFormat.isHexDigit(text.charAt(i + 2));
                if (!isByte) {
                    throw Refusal.malformed("behind a percent sign in the address are two hexadecimal digits");
                }
                bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else if (c < 0x80) {
                bytes.write(c);
            } else {
                throw Refusal.malformed("an address has ASCII characters; others are written with percent signs");
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Refusal.malformed("the characters of an address are UTF-8");
        }
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The value of a parameter; if it is not there, an empty text. */
    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** The value of a parameter that must be there. */
    public String require(String name) {
        return find(name).orElseThrow(() -> Refusal.malformed("the parameter " + name + " is missing"));
    }

    /** How many items the answer may have: the parameter {@code limit}. */
    public int limit() {
        String text = values.get("limit");
        if (text == null) {
            return USUAL;
        }
        int limit = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > MOST) {
            throw Refusal.malformed("limit is a number from 1 to " + MOST + ", not " + Escapes.brief(text));
        }
        return limit;
    }
}
