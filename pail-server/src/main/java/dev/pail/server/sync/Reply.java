package dev.pail.server.sync;

import dev.pail.PailException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.remote.PushReply;
import dev.pail.remote.RemoteBranch;
import dev.pail.remote.RemoteException;
import dev.pail.remote.wire.Messages;
import dev.pail.repository.Repository;
import dev.pail.server.http.BudgetedOutput;
import dev.pail.server.http.EntityTags;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.WireText;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What the server answers to a peer. {@link #send} alone makes it a status, headers and a body. */
sealed interface Reply {
    /** A message. */
    @SuppressWarnings("ArrayRecordComponent") // Replies are not compared.
    record Message(int status, byte[] body) implements Reply {}

    /** The state of a branch. */
    record OfBranch(RemoteBranch branch, Optional<Cid> root) implements Reply {}

    /** A status without a body. */
    record Empty(int status) implements Reply {}

    /** A CAR. */
    record Car(String type, CarBytes bytes) implements Reply {}

    /** A refusal. */
    record Refused(int status, Messages.Problem problem) implements Reply {}

    /** Another reply, which says in its headers in which state the branch is that it is made from. */
    record From(RemoteBranch branch, Reply reply) implements Reply {}

    /** Writes a CAR. */
    interface CarBytes {
        void writeTo(OutputStream out);
    }

    static Reply done(byte[] message) {
        return new Message(HttpStatus.OK_200, message);
    }

    static Reply of(Repository repository, RemoteBranch branch) {
        Head head = branch.head();
        return new OfBranch(
                branch,
                head.isEmpty()
                        ? Optional.empty()
                        : Optional.of(repository.pailAt(head).root()));
    }

    static Reply refused(RemoteException why) {
        return new Refused(
                Refusal.statusOf(why),
                new Messages.Problem(String.valueOf(why.getMessage()), why.code(), Optional.empty(), Optional.empty()));
    }

    static Reply refused(int status, RemoteException.Reason why, String text) {
        return new Refused(status, new Messages.Problem(text, why.code(), Optional.empty(), Optional.empty()));
    }

    /** A block of a push is not accepted. */
    static Reply refused(Cid cid, PailException why) {
        return new Refused(
                HttpStatus.UNPROCESSABLE_ENTITY_422,
                new Messages.Problem(WireText.of(why), why.code(), Optional.of(cid), Optional.empty()));
    }

    /** The branch is not in the state that the peer expects. */
    static Reply moved(PushReply reply, String text) {
        return new Refused(
                HttpStatus.PRECONDITION_FAILED_412, problem(RemoteException.Reason.MOVED, text, reply.current()));
    }

    /** The branch cannot move to what the peer pushed. */
    static Reply conflict(PushReply reply, RemoteException.Reason why, String text) {
        return new Refused(HttpStatus.CONFLICT_409, problem(why, text, reply.current()));
    }

    private static Messages.Problem problem(RemoteException.Reason why, String text, RemoteBranch current) {
        return new Messages.Problem(text, why.code(), Optional.empty(), Optional.of(current));
    }

    /** Answers a request with this reply. */
    default void send(Request request, Response response, Callback callback) {
        if (this instanceof Message message) {
            JsonReply.send(request, response, callback, message.status(), message.body());
        } else if (this instanceof OfBranch state) {
            JsonReply.sendBranch(request, response, callback, state.branch(), state.root());
        } else if (this instanceof Empty empty) {
            response.setStatus(empty.status());
            response.getHeaders().put(JsonReply.NOT_STORED);
            response.write(true, ByteBuffer.allocate(0), callback);
        } else if (this instanceof Car car) {
            send(car, request, response, callback);
        } else if (this instanceof Refused refused) {
            Messages.Problem why = refused.problem();
            String text = WireText.without(request, why.message());
            byte[] body = Messages.problem(new Messages.Problem(text, why.code(), why.cid(), why.current()));
            JsonReply.send(request, response, callback, refused.status(), body);
        } else if (this instanceof From from) {
            response.getHeaders().put(Messages.GENERATION, from.branch().generation());
            response.getHeaders()
                    .put(HttpHeader.ETAG, EntityTags.of(from.branch().token()));
            from.reply().send(request, response, callback);
        }
    }

    /** Sends a CAR. A failure in the middle ends the connection (GW9). */
    private static void send(Car car, Request request, Response response, Callback callback) {
        if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_0) {
            throw Refusal.oldVersion();
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, car.type());
        response.getHeaders().put(JsonReply.NOT_STORED);
        response.getHeaders().put(JsonReply.NO_SNIFFING);
        // Closing the stream would end the response as if it were whole.
        @SuppressWarnings("resource")
        OutputStream out = new BudgetedOutput(request, Content.Sink.asOutputStream(response));
        car.bytes().writeTo(out);
        response.write(true, ByteBuffer.allocate(0), callback);
    }
}
