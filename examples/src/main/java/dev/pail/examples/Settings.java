package dev.pail.examples;

import dev.pail.MergePolicy;
import dev.pail.ipld.Block;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Settings of a program with branches, a history, and conflicts that a person decides. */
public final class Settings {
    private final Repository repository;
    private final String branch;

    /** The settings of a branch. */
    public Settings(Repository repository, String branch) {
        this.repository = repository;
        this.branch = branch;
    }

    /** The value of a setting. */
    public Optional<String> get(String name) {
        return text(repository.pail(branch).getBytes(name));
    }

    /** Changes a setting, and says who did it and why. */
    public void set(String name, String value, String author, String why) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        repository
                .withNote(new Note(Optional.of(author), Optional.of(why)))
                .update(branch, pail -> pail.putBytes(name, bytes));
    }

    /** A branch that begins here, for changes to try out. */
    public Settings branch(String name) {
        repository.branches().create(name, repository.head(branch));
        return new Settings(repository, name);
    }

    /** Takes in what another branch changed. If both changed a setting, this changes nothing, and throws. */
    public void merge(Settings other) {
        repository.merge(branch, other.branch, MergeOptions.DEFAULT.withPolicy(MergePolicy.fail()));
    }

    /** The values that a setting had, newest first, and why. */
    public List<String> history(String name) {
        try (Stream<HistoryEntry> changes = repository.history().of(branch, name)) {
            return changes.map(change -> change.value()
                                    .flatMap(cid ->
                                            text(repository.blocks().get(cid).map(Block::bytes)))
                                    .orElse("removed")
                            + change.note().message().map(why -> ": " + why).orElse(""))
                    .toList();
        }
    }

    private static Optional<String> text(Optional<byte[]> bytes) {
        return bytes.map(each -> new String(each, StandardCharsets.UTF_8));
    }
}
