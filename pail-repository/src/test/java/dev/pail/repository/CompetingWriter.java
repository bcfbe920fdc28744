package dev.pail.repository;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import java.nio.file.Path;
import java.time.Duration;

/** Puts keys of its own into a repository, one by one, while others do the same. As a program: folder, name, how many. */
final class CompetingWriter {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private CompetingWriter() {}

    public static void main(String[] arguments) {
        try (Repository repository = open(Path.of(arguments[0]))) {
            put(repository, arguments[1], Integer.parseInt(arguments[2]));
        }
    }

    static Repository open(Path folder) {
        return FileRepository.open(folder, PATIENCE);
    }

    static void put(Repository repository, String name, int count) {
        for (int i = 0; i < count; i++) {
            String key = key(name, i);
            repository.update(Repository.MAIN, key, pail -> pail.put(key, VALUE));
        }
    }

    static String key(String name, int number) {
        return name + "/" + number;
    }
}
