package dev.pail.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Made-up people, always the same ones: about ten live in a city, ten have the same points, and a hundredth is of an age. */
final class People {
    /** Ages are below it. */
    static final int AGES = 100;

    private static final int ALIKE = 10;
    private static final List<String> NAMES =
            List.of("Ada", "Bo", "Cleo", "Dag", "Eva", "Finn", "Gro", "Hans", "Ida", "Jon", "Kari", "Liv");

    private final int groups;
    private final List<Person> persons = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    People(int count) {
        groups = Math.max(1, count / ALIKE);
        Random random = new Random(20_260_101);
        for (int number = 0; number < count; number++) {
            Person person =
                    new Person(id(number), city(random.nextInt(groups)), random.nextInt(AGES), random.nextInt(groups));
            persons.add(person);
            lines.add(json(person, random));
        }
    }

    /** What can be asked for. */
    record Person(String id, String city, int age, int points) {}

    private static String json(Person person, Random random) {
        String name = NAMES.get(random.nextInt(NAMES.size())) + " " + (char) ('A' + random.nextInt(26)) + ".";
        return String.format(
                Locale.ROOT,
                "{\"id\":\"%s\",\"name\":\"%s\",\"age\":%d,\"email\":\"%s@example.org\",\"address\":{\"city\":\"%s\","
                        + "\"street\":\"Main Street\",\"number\":%d},\"tags\":[\"%s\",\"%s\"],\"points\":%d,"
                        + "\"height\":%.2f,\"member\":%b}",
                person.id,
                name,
                person.age,
                person.id,
                person.city,
                random.nextInt(200),
                random.nextBoolean() ? "new" : "paid",
                random.nextBoolean() ? "gift" : "late",
                person.points,
                1.5 + random.nextInt(50) / 100.0,
                random.nextBoolean());
    }

    /** All of them, by id. */
    List<Person> persons() {
        return persons;
    }

    /** Their documents in JSON, one for each. */
    List<String> lines() {
        return lines;
    }

    /** How many cities there are, and how many different points. */
    int groups() {
        return groups;
    }

    static String id(int number) {
        return String.format(Locale.ROOT, "p%07d", number);
    }

    static String city(int number) {
        return "Newtown " + number;
    }
}
