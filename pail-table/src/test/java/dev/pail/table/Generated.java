package dev.pail.table;

import dev.pail.table.document.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Documents as they come: people, orders and places, with fields within fields, lists, and fields that are not always there. */
final class Generated {
    static final List<String> CITIES = List.of(
            "Oslo",
            "Bergen",
            "Trondheim",
            "New York",
            "New Delhi",
            "Newcastle",
            "Aarhus",
            "Zürich",
            "北京",
            "São Paulo",
            "Łódź",
            "a\u0001b",
            "Paris",
            "Perth",
            "Quito",
            "Rome");
    private static final List<String> NAMES = List.of(
            "Ada", "Bo", "Cleo", "Dag", "Eva", "Finn", "Gro", "Hans", "Ida", "Jon", "Kari", "Liv", "Mona", "Nils",
            "Ola");
    private static final List<String> TAGS = List.of("new", "vip", "late", "paid", "gift", "x");

    private final Random random;

    Generated(long seed) {
        this.random = new Random(seed);
    }

    static String id(int number) {
        return String.format(Locale.ROOT, "r%06d", number);
    }

    /** A document with this id, in JSON. */
    String json(int number) {
        return switch (number % 3) {
            case 0 -> person(id(number));
            case 1 -> order(id(number));
            default -> place(id(number));
        };
    }

    private String person(String id) {
        StringBuilder out = new StringBuilder("{\"id\":\"" + id + "\",\"kind\":\"person\",\"name\":\"" + name() + "\"");
        out.append(",\"age\":").append(random.nextInt(100));
        if (random.nextInt(10) > 0) {
            out.append(",\"address\":{\"city\":")
                    .append(city())
                    .append(",\"street\":{\"name\":\"Main\",\"number\":")
                    .append(random.nextInt(200))
                    .append("}}");
        }
        if (random.nextInt(4) == 0) {
            out.append(",\"email\":").append(random.nextInt(5) == 0 ? "null" : "\"" + name() + "@example.org\"");
        }
        return out.append(",\"tags\":").append(tags()).append('}').toString();
    }

    private String order(String id) {
        StringBuilder lines = new StringBuilder("[");
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            lines.append(i > 0 ? "," : "")
                    .append("{\"sku\":")
                    .append(random.nextInt(1000))
                    .append(",\"pieces\":")
                    .append(1 + random.nextInt(5))
                    .append('}');
        }
        return "{\"id\":\"" + id + "\",\"kind\":\"order\",\"total\":" + number() + ",\"paid\":" + random.nextBoolean()
                + ",\"lines\":" + lines + "],\"address\":{\"city\":" + city() + "},\"tags\":" + tags() + "}";
    }

    private String place(String id) {
        return "{\"id\":\"" + id + "\",\"kind\":\"place\",\"address\":{\"city\":" + city() + "},\"location\":{\"lat\":"
                + number() + ",\"lon\":" + number() + "},\"age\":" + (random.nextInt(30) * 10) + ".0,\"open\":"
                + (random.nextInt(3) == 0 ? "null" : String.valueOf(random.nextBoolean())) + "}";
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size())) + " " + (char) ('A' + random.nextInt(26)) + ".";
    }

    private String city() {
        StringBuilder out = new StringBuilder();
        JsonText.append(out, CITIES.get(random.nextInt(CITIES.size())));
        return out.toString();
    }

    private String tags() {
        List<String> chosen = new ArrayList<>();
        for (String tag : TAGS) {
            if (random.nextInt(4) == 0) {
                chosen.add("\"" + tag + "\"");
            }
        }
        return "[" + String.join(",", chosen) + "]";
    }

    /** Numbers of all sizes, some of them in another form than the shortest, some beyond what dag-cbor has. */
    private String number() {
        return switch (random.nextInt(8)) {
            case 0 -> String.valueOf(random.nextInt(1000) - 500);
            case 1 -> String.format(Locale.ROOT, "%.2f", random.nextDouble() * 1000 - 500);
            case 2 -> String.valueOf(random.nextLong());
            case 3 -> String.valueOf(random.nextGaussian());
            case 4 -> random.nextInt(100) + "e" + (random.nextInt(40) - 20);
            case 5 -> random.nextInt(50) == 0 ? "12345678901234567890123" : "0";
            default -> random.nextInt(100) + ".50";
        };
    }
}
