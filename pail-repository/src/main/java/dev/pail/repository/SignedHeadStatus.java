package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.RepositoryException;
import dev.pail.sign.InvalidNoteException;
import dev.pail.sign.SignedHead;
import java.util.Objects;
import java.util.function.Function;

/**
 * What a repository or a CAR file has of a signed head. Rule SN10.
 *
 * <pre>{@code
 * VerifierKey ann = VerifierKey.parse(Files.readString(file.resolveSibling("ann.key.pub")).strip());
 * SignedHead signed = SignedHead.open(Files.readAllBytes(file), ann);
 * switch (SignedHeadStatus.of(repository, signed)) {
 *     case CURRENT -> System.out.println("this is the newest version");
 *     case OLDER -> System.out.println("there are newer changes than the signed ones");
 *     case ABSENT -> System.out.println("the signed version is not here");
 * }
 * }</pre>
 */
public enum SignedHeadStatus {
    /** The current head is the signed one. */
    CURRENT,
    /** Each signed event is in the current head or an event of the history before it. */
    OLDER,
    /** A signed event is not in the history of the current head. */
    ABSENT;

    /**
     * Compares a signed head with the branch of its name; if there is none, with the tag.
     *
     * @throws RepositoryException if there is no branch and no tag of this name
     * @throws InvalidNoteException if the signed root is not that of the signed events
     * @throws dev.pail.MissingBlockException if an event or a shard is missing
     */
    public static SignedHeadStatus of(Repository repository, SignedHead signed) {
        String name = Objects.requireNonNull(signed, "signed").name();
        Head current =
                Objects.requireNonNull(repository, "repository").branches().contains(name)
                        ? repository.head(name)
                        : repository.tags().head(name).orElseGet(() -> repository.head(name));
        return of(repository, current, signed);
    }

    /**
     * Compares a signed head with another head, for example that of a branch of another name.
     *
     * @throws InvalidNoteException if the signed root is not that of the signed events
     * @throws dev.pail.MissingBlockException if an event or a shard is missing
     */
    public static SignedHeadStatus of(Repository repository, Head current, SignedHead signed) {
        Objects.requireNonNull(repository, "repository");
        // The root of several events may be read from a file, which proves nothing.
        return of(
                repository.blocks(),
                current,
                signed,
                head -> repository.maintenance().recompute(head).root());
    }

    /**
     * Compares a signed head with the head of a CAR file.
     *
     * @param current the head to compare with, such as {@link CarVersions#head}
     * @throws InvalidNoteException if the signed root is not that of the signed events
     * @throws dev.pail.MissingBlockException if an event or a shard is missing
     */
    public static SignedHeadStatus of(CarVersions versions, Head current, SignedHead signed) {
        Objects.requireNonNull(versions, "versions");
        return of(
                versions.blocks(),
                current,
                signed,
                head -> versions.pailAt(head).root());
    }

    private static SignedHeadStatus of(BlockStore blocks, Head current, SignedHead signed, Function<Head, Cid> roots) {
        Objects.requireNonNull(current, "current");
        Head head = Objects.requireNonNull(signed, "signed").head();
        if (!holds(blocks, current, head)) {
            return ABSENT;
        }
        Cid root = roots.apply(head);
        if (!root.equals(signed.root())) {
            throw new InvalidNoteException(
                    "another root than that of the signed events (SN10): " + signed.root() + ", not " + root);
        }
        return current.equals(head) ? CURRENT : OLDER;
    }

    private static boolean holds(BlockStore blocks, Head current, Head signed) {
        return current.equals(signed)
                || (signed.events().stream().allMatch(blocks::has)
                        && MerkleClock.open(blocks).common(current, signed).equals(signed));
    }
}
