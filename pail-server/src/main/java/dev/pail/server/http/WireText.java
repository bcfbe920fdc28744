package dev.pail.server.http;

import dev.pail.CorruptBlockException;
import dev.pail.OperationInterruptedException;
import dev.pail.PailException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.RepositoryException;
import org.eclipse.jetty.server.Request;

/**
 * What clients read of failures. The messages of the library are for the person who runs the server: they name its files, and commands that
 * only that person can run. See GW19.
 */
public final class WireText {
    private static final String PLACE = WireText.class.getName();
    private static final String DAMAGED = "the repository of the server is damaged: the log of the server says where";

    private WireText() {}

    /** Notes where the repository is: no answer to the request names it. */
    public static void hide(Request request, String place) {
        request.setAttribute(PLACE, place);
    }

    /** The sentence for a failure. */
    public static String of(PailException failure) {
        if (failure instanceof CorruptBlockException corrupt) {
            return "corrupt block: " + corrupt.cid();
        }
        if (failure instanceof StoreDamagedException) {
            return DAMAGED;
        }
        if (failure instanceof StoreIOException) {
            return "the server cannot read or write its files now: the log of the server says why";
        }
        if (failure instanceof StoreLockedException) {
            return "another program is writing to the repository: send the request again later";
        }
        if (failure instanceof OperationInterruptedException) {
            return "the server has ended the request and changed nothing: send it again later";
        }
        if (failure instanceof HeadUpdateUncertainException uncertain) {
            return "it is not known whether the branch " + uncertain.branch() + " has moved: read where it is";
        }
        if (failure instanceof RepositoryException repository) {
            switch (repository.reason()) {
                case NO_REPOSITORY, NOT_EXCLUSIVE, SERVER_FILE, DAMAGED -> {
                    return DAMAGED;
                }
                default -> {}
            }
        }
        return String.valueOf(failure.getMessage());
    }

    /** A sentence without the place of the repository. */
    public static String without(Request request, String text) {
        if (!(request.getAttribute(PLACE) instanceof String place) || place.isEmpty() || !text.contains(place)) {
            return text;
        }
        String end = ": " + place;
        if (text.endsWith(end) && text.indexOf(place) == text.length() - place.length()) {
            return text.substring(0, text.length() - end.length());
        }
        return "the repository of the server does not have what the request names, or not as it should be";
    }
}
