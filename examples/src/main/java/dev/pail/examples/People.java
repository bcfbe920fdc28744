package dev.pail.examples;

import dev.pail.Pail;
import dev.pail.repository.Repository;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Row;
import dev.pail.table.Table;
import dev.pail.table.Tables;

/** A table of people with an index, in a repository: each change is a version, and old versions can be asked, too. */
public final class People {
    private People() {}

    /** Prints who lives where, now and before. */
    public static void main(String[] args) {
        try (Repository repository = Repository.inMemory()) {
            Pail before = repository
                    .update("main", "two people", pail -> {
                        Table people = Tables.of(pail).create("people").createIndex(FieldPath.parse("address.city"));
                        return people.put("ada", Document.parse("{\"age\":36,\"address\":{\"city\":\"Oslo\"}}"))
                                .put("bo", Document.parse("{\"age\":9,\"address\":{\"city\":\"Rome\"}}"))
                                .pail();
                    })
                    .pail();
            Pail after = repository
                    .update(
                            "main",
                            "Ada moves",
                            pail -> Tables.of(pail)
                                    .table("people")
                                    .put("ada", Document.parse("{\"age\":37,\"address\":{\"city\":\"Rome\"}}"))
                                    .pail())
                    .pail();

            print("in Rome now:", after, "address.city == \"Rome\"");
            print("in Rome before:", before, "address.city == \"Rome\"");
            print("grown up:", after, "age >= 18");
            Tables.of(before)
                    .diff(Tables.of(after))
                    .forEach(change -> System.out.println(change.table() + " " + change.id() + " changed"));
        }
    }

    private static void print(String title, Pail version, String filter) {
        System.out.println(title);
        Tables.of(version)
                .table("people")
                .rows(Filter.parse(filter))
                .map(Row::id)
                .forEach(System.out::println);
    }
}
