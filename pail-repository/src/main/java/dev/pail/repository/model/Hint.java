package dev.pail.repository.model;

import java.util.Objects;
import java.util.Optional;

/**
 * A hint to the solution of a failure. A program with its own form of the call, such as the command {@code pail}, puts that form
 * behind {@code words}.
 *
 * <pre>{@code
 * try {
 *     Pail version = repository.pail("drafts");
 * } catch (RepositoryException e) {
 *     System.err.println(e.getMessage() + "; " + e.advice()); // what to do, with the call that does it
 * }
 * }</pre>
 *
 * @param words a part of a sentence; if there is a call, it ends with a colon and a space
 * @param call the call to make
 */
public record Hint(String words, Optional<Call> call) {
    public Hint {
        Objects.requireNonNull(words, "words");
        Objects.requireNonNull(call, "call");
    }

    /** A hint without a call. */
    public static Hint of(String words) {
        return new Hint(words, Optional.empty());
    }

    /**
     * A hint with a call.
     *
     * @param name of the branch or tag that it is for
     */
    public static Hint of(String words, Action action, String name) {
        return new Hint(words, Optional.of(new Call(action, name)));
    }

    /** The words, with the call as it is in Java. */
    @Override
    public String toString() {
        return words + call.map(Call::inJava).orElse("");
    }

    /**
     * A call of {@link dev.pail.repository.Repository}.
     *
     * @param name the branch or tag that it is for; empty if there is none
     */
    public record Call(Action action, String name) {
        public Call {
            Objects.requireNonNull(action, "action");
            Objects.requireNonNull(name, "name");
        }

        private String inJava() {
            return (action == Action.REBUILD ? "locator." : "repository.")
                    + switch (action) {
                        case CREATE_BRANCH -> "branches().create(\"" + name + "\", head)";
                        case REMOVE_BRANCH -> "branches().remove(\"" + name + "\")";
                        case SWITCH_TO -> "branches().switchTo(\"" + name + "\")";
                        case REMOVE_TAG -> "tags().remove(\"" + name + "\")";
                        case RECOVER -> "maintenance().recover(\"" + name + "\")";
                        case HISTORY -> "history().of(revision)";
                        case LOG -> "history().log(\"" + name + "\")";
                        case CONFLICTS -> "conflicts().of(\"" + name + "\")";
                        case CHANGES -> "changes(\"" + name + "\")";
                        case COLLECT -> "maintenance().garbageCollection().run()";
                        case VERIFY -> "verify(options)";
                        case DESCRIBE_EVENTS -> "refs().describeEvents()";
                        case REBUILD -> "recover(url, patience)";
                    };
        }
    }

    /** The action of a call. */
    public enum Action {
        /** {@link dev.pail.repository.Branches#create(String, dev.pail.clock.Head)}. */
        CREATE_BRANCH,
        /** {@link dev.pail.repository.Branches#remove}. */
        REMOVE_BRANCH,
        /** {@link dev.pail.repository.Branches#switchTo}. */
        SWITCH_TO,
        /** {@link dev.pail.repository.Tags#remove}. */
        REMOVE_TAG,
        /** {@link dev.pail.repository.Maintenance#recover}. */
        RECOVER,
        /** {@link dev.pail.repository.VersionHistory#of(String)}. */
        HISTORY,
        /** {@link dev.pail.repository.VersionHistory#log}. */
        LOG,
        /** {@link dev.pail.repository.Conflicts#of}. */
        CONFLICTS,
        /** {@link dev.pail.repository.Repository#changes(String)}. */
        CHANGES,
        /** {@link dev.pail.repository.Maintenance#garbageCollection}. */
        COLLECT,
        /** {@code Repository.verify}. */
        VERIFY,
        /** {@code RefStore.describeEvents}. */
        DESCRIBE_EVENTS,
        /** {@code RepositoryLocator.recover}, for refs that a shared store has lost. */
        REBUILD
    }
}
