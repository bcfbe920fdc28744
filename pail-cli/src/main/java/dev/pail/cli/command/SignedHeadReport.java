package dev.pail.cli.command;

import dev.pail.Escapes;
import dev.pail.cli.terminal.Terminal;
import dev.pail.repository.HeadNotes;
import dev.pail.sign.HeadNote;
import java.util.List;
import java.util.function.Predicate;

/** Exchanges the signed heads beside branches and tags, and says what became of them. */
public final class SignedHeadReport {
    private SignedHeadReport() {}

    /** Takes the signed heads of a remote whose branches and tags are here; returns whether there are new ones. */
    public static boolean fetch(Terminal terminal, HeadNotes here, HeadNotes remote) {
        List<HeadNotes.Taken> taken = here.takeAll(remote, name -> true);
        taken.forEach(each -> print(terminal, each, "here"));
        return taken.stream().anyMatch(each -> each.outcome() == HeadNotes.Outcome.KEPT);
    }

    /** Gives the signed heads of some branches and tags to a remote. */
    public static void push(Terminal terminal, HeadNotes here, HeadNotes remote, Predicate<String> names) {
        for (HeadNotes.Taken each : remote.takeAll(here, names)) {
            if (each.outcome() == HeadNotes.Outcome.LEFT) {
                terminal.warn("the remote keeps no signed heads: that of " + shown(each.note()) + " stays here");
            }
            print(terminal, each, "at the remote");
        }
    }

    /** Says what became of a note; nothing of one that is known or left. */
    public static void print(Terminal terminal, HeadNotes.Taken taken, String place) {
        HeadNote note = taken.note();
        switch (taken.outcome()) {
            case KEPT -> {
                terminal.changed = "kept a signed head of " + note.name();
                if (terminal.json) {
                    terminal.printJson(json -> {
                        json.writeStringField("signed", note.name());
                        json.writeNumberField("generation", note.claim().generation());
                        json.writeStringField("key", note.signer());
                    });
                } else if (!terminal.quiet) {
                    terminal.note("kept " + place + " the signed head of " + shown(note));
                }
            }
            case CONTRADICTS ->
                terminal.warn(place + " is another signed head of " + shown(note)
                        + ", which stays: the owner of the key has signed two histories");
            case TOO_MANY ->
                terminal.warn("not kept " + place + ", where there are too many: the signed head of " + shown(note));
            case KNOWN, LEFT -> {}
        }
    }

    private static String shown(HeadNote note) {
        long generation = note.claim().generation();
        return note.name() + (generation == 0 ? "" : ", update " + generation) + ", by "
                + Escapes.printable(note.signer());
    }
}
