package dev.pail.examples;

import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.car.CarExport;
import dev.pail.car.CarReader;
import dev.pail.repository.Repository;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.ImportResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Two replicas of one map that change apart from each other, exchange CAR files, and have the same root in the end. */
public final class TwoReplicas {
    private TwoReplicas() {}

    /** Prints what both replicas hold after they have exchanged their changes. */
    public static void main(String[] args) {
        try (Repository phone = Repository.inMemory();
                Repository laptop = Repository.inMemory()) {
            put(phone, "shopping/1", "milk");
            send(phone, laptop);

            put(phone, "shopping/2", "tea");
            put(laptop, "shopping/2", "bread");
            put(laptop, "shopping/3", "salt");
            send(phone, laptop);
            send(laptop, phone);

            System.out.println("same root: " + phone.root("main").equals(laptop.root("main")));
            Pail merged = phone.pail();
            merged.entries(KeyRange.prefix("shopping/"))
                    .map(Entry::key)
                    .forEach(key -> System.out.println(key + " " + text(merged, key)));
        }
    }

    private static void put(Repository repository, String key, String text) {
        Pail now = repository
                .update("main", pail -> pail.putBytes(key, text.getBytes(StandardCharsets.UTF_8)))
                .pail();
        System.out.println("put " + key + " " + text(now, key));
    }

    private static String text(Pail pail, String key) {
        return new String(pail.getBytes(key).orElseThrow(), StandardCharsets.UTF_8);
    }

    /** Sends the whole history. What the other replica has already is no new block there. */
    private static void send(Repository from, Repository to) {
        ByteArrayOutputStream car = new ByteArrayOutputStream();
        CarExport.of(from.blocks(), from.head("main").events()).writeTo(car, "a buffer");
        try (CarReader reader = CarReader.of(new ByteArrayInputStream(car.toByteArray()), "a buffer")) {
            ImportResult result = to.take("main", reader, ImportOptions.DEFAULT);
            System.out.println("new blocks: " + result.blocks().added());
            result.merge()
                    .ifPresent(merge -> merge.conflicts()
                            .forEach(each -> System.out.println(
                                    "conflict: " + each.conflict().key())));
        }
    }
}
