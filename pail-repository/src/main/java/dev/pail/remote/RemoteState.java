package dev.pail.remote;

import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a remote says of itself, and where its branches stand, in one answer.
 *
 * <pre>{@code
 * RemoteState state = remote.state();
 * state.branches().forEach(branch -> System.out.println(branch.name() + " at " + branch.head()));
 * }</pre>
 *
 * @param branches in the order of their names
 * @param root the root of the current branch, if the remote says it
 */
public record RemoteState(RemoteInfo info, List<RemoteBranch> branches, Optional<Cid> root) {
    public RemoteState {
        Objects.requireNonNull(info, "info");
        Objects.requireNonNull(root, "root");
        branches = List.copyOf(branches);
    }
}
