package dev.pail.bench;

import dev.pail.bench.People.Person;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/** One work on a table, run by one contestant in this process: warmed up, then measured, then asked what it has found. */
final class TablesTrial {
    /** What is measured. */
    enum Work {
        LOAD("load, with two indexes", 1),
        GET("get by id", 10_000),
        FIND("find by city, indexed", 1_000),
        RANGE("find by two years of age, indexed", 20),
        SCAN("find by points, not indexed", 1);

        private static final int MOST_CHECKED = 100;

        private final String title;
        private final int questions;

        Work(String title, int questions) {
            this.title = title;
            this.questions = questions;
        }

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        String title() {
            return title;
        }

        /** The amount of work: {@code rows} rows, or, if quick, only enough to show that it runs. */
        Trial.Options options(int rows, boolean quick) {
            return quick
                    ? new Trial.Options(rows, Math.min(questions, 20), rows, 0, 0)
                    : new Trial.Options(rows, questions, this == LOAD ? Math.min(rows, 20_000) : rows, 2, 0.5);
        }

        /** How many of the questions are checked. */
        int checked(Trial.Options options) {
            return Math.min(options.lookups(), MOST_CHECKED);
        }

        /** Asks a table the question with a number; after a load that is for all rows. */
        void ask(PeopleTable table, People people, int question, BiConsumer<String, Object> found) {
            switch (this) {
                case LOAD -> table.aged(0, People.AGES, found);
                case GET ->
                    table.get(
                            people.persons()
                                    .get(place(question, people.persons().size()))
                                    .id(),
                            found);
                case FIND -> table.inCity(People.city(place(question, people.groups())), found);
                case RANGE -> table.aged(place(question, People.AGES - 1), place(question, People.AGES - 1) + 2, found);
                case SCAN -> table.withPoints(place(question, people.groups()), found);
            }
        }

        /** The answer to a question, found out without any table. */
        List<String> answer(People people, int question) {
            if (this == GET) {
                return List.of(People.id(place(question, people.persons().size())));
            }
            return people.persons().stream()
                    .filter(person -> isAnswer(person, people.groups(), question))
                    .map(Person::id)
                    .toList();
        }

        private boolean isAnswer(Person person, int groups, int question) {
            int from = place(question, People.AGES - 1);
            return switch (this) {
                case LOAD, GET -> true;
                case FIND -> person.city().equals(People.city(place(question, groups)));
                case RANGE -> person.age() >= from && person.age() < from + 2;
                case SCAN -> person.points() == place(question, groups);
            };
        }

        /** Jumps about. */
        private static int place(int question, int count) {
            // A prime, and so without a factor in common with any count.
            return (int) (question * 7_368_787L % count);
        }
    }

    private final Work work;
    private final PeopleTable.Contestant contestant;
    private final Trial.Options options;

    TablesTrial(Work work, PeopleTable.Contestant contestant, Trial.Options options) {
        this.work = work;
        this.contestant = contestant;
        this.options = options;
    }

    /** {@code TablesTrial CONTESTANT WORK OPTIONS}: prints the outcome as a line of JSON. */
    public static void main(String... arguments) throws IOException {
        Trial.Options options = Trial.JSON.readValue(arguments[2], Trial.Options.class);
        TablesTrial trial =
                new TablesTrial(Work.valueOf(arguments[1]), PeopleTable.Contestant.valueOf(arguments[0]), options);
        System.out.println(Trial.JSON.writeValueAsString(trial.run()));
    }

    /** Rows that were handed over. */
    private static final class Count implements BiConsumer<String, Object> {
        private long rows;

        @Override
        public void accept(String id, Object document) {
            if (!id.isEmpty()) {
                rows++;
            }
        }
    }

    Trial.Outcome run() {
        People people = new People(options.keys());
        People few = options.warmKeys() < options.keys() ? new People(options.warmKeys()) : people;
        try (PeopleTable table = contestant.empty()) {
            table.load(people.lines());
            boolean load = work == Work.LOAD;
            options.warm(() -> {
                long unused = load ? load(few) : ask(table, people);
            });
            Trial.Measured<Long> measured =
                    options.measure(() -> load ? load(people) : ask(table, people), Long::longValue);
            Entries.Digest digest = new Entries.Digest();
            for (int question = 0; question < work.checked(options); question++) {
                List<String> ids = new ArrayList<>();
                work.ask(table, people, question, (id, document) -> ids.add(id));
                add(ids, question, digest);
            }
            return new Trial.Outcome(
                    measured.nanos(),
                    load ? options.keys() : options.lookups(),
                    0,
                    0,
                    digest.count(),
                    digest.toString());
        }
    }

    /** What the outcome must have, found out without any table. */
    static Entries.Digest expected(Work work, People people, Trial.Options options) {
        Entries.Digest digest = new Entries.Digest();
        for (int question = 0; question < work.checked(options); question++) {
            add(work.answer(people, question), question, digest);
        }
        return digest;
    }

    /** The order of an answer does not count. */
    private static void add(List<String> ids, int question, Entries.Digest digest) {
        ids.stream().sorted().forEach(id -> digest.add(question + " " + id));
    }

    /** Puts all into a table that is empty, and says how long that took. */
    private long load(People people) {
        System.gc();
        try (PeopleTable table = contestant.empty()) {
            long start = System.nanoTime();
            table.load(people.lines());
            return System.nanoTime() - start;
        }
    }

    /** Asks all questions, and says how long that took. */
    private long ask(PeopleTable table, People people) {
        System.gc();
        Count count = new Count();
        long start = System.nanoTime();
        for (int question = 0; question < options.lookups(); question++) {
            work.ask(table, people, question, count);
        }
        long nanos = System.nanoTime() - start;
        if (count.rows == 0) {
            throw new IllegalStateException("nothing found");
        }
        return nanos;
    }
}
