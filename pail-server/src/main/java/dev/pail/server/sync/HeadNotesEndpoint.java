package dev.pail.server.sync;

import dev.pail.remote.wire.Messages;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.server.http.Caller;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.sign.HeadNote;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** The signed heads beside branches and tags: {@code GET} lists all, and {@code PUT} keeps one. */
final class HeadNotesEndpoint implements Endpoint {
    static final String PATH = "/v1/signed-heads";

    /** A page of the list ends with the notes of the name that reaches this many bytes. */
    private static final int PAGE = 1 << 20;

    private final Repository repository;

    HeadNotesEndpoint(Repository repository) {
        this.repository = repository;
    }

    @Override
    public void answer(Request request, Response response, Callback callback) throws IOException {
        boolean isList = String.valueOf(request.getHttpURI().getPath()).equals(PATH);
        Endpoint.checkMethod(request, isList ? "GET, HEAD" : "PUT");
        Reply reply = isList ? list(request) : keep(request);
        reply.send(request, response, callback);
    }

    /** Rule SY22. */
    private Reply list(Request request) {
        String after = Parameters.of(request, "after").find("after").orElse("");
        List<HeadNote> page = new ArrayList<>();
        int bytes = 0;
        for (String name : repository.refs().notedNames()) {
            if (name.compareTo(after) > 0 && bytes < PAGE) {
                List<HeadNote> notes = repository.headNotes().of(name);
                page.addAll(notes);
                bytes += notes.stream().mapToInt(note -> note.bytes().length).sum();
            }
        }
        return Reply.done(Messages.headNotes(page));
    }

    /** Rule SY23. */
    private Reply keep(Request request) throws IOException {
        String name = PeerRequest.rest(request, PATH + "/");
        Caller.of(request).checkWrite(name);
        List<HeadNote> notes = PeerRequest.read(request, Messages::readHeadNotes);
        if (notes.size() != 1 || !notes.get(0).name().equals(name)) {
            throw Refusal.malformed("the body has one note, for the name in the address");
        }
        HeadNotes.Outcome outcome = repository.headNotes().keep(notes.get(0));
        int status = switch (outcome) {
            case KEPT -> HttpStatus.CREATED_201;
            case KNOWN -> HttpStatus.OK_200;
            case CONTRADICTS -> HttpStatus.CONFLICT_409;
            case LEFT -> HttpStatus.NOT_FOUND_404;
            case TOO_MANY -> HttpStatus.PAYLOAD_TOO_LARGE_413;
        };
        return new Reply.Message(
                status, Messages.headNotes(repository.headNotes().of(name)));
    }
}
