package dev.pail.cli.command.store;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Codecs;
import dev.pail.repository.GarbageCollection;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.RepositoryException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes away blocks that nothing needs. */
public final class GcCommand extends Command {
    private static final Option.Flag DRY_RUN = Option.flag("Print what gc would do, and change nothing.", "--dry-run");

    private static final Option.Text GRACE = Option.text(
            "TIME",
            "How old a block must be to be moved, and how long it stays in the trash, such as 36h, 7d or 2w; at least 1h, else 14d.",
            "--grace");

    private static final Option.Text RETENTION =
            Option.text("TIME", "How long the moves of branches are kept; else 90d.", "--retention");

    private static final int DAYS_IN_A_WEEK = 7;

    /** At most as many hours as a hundred years have, and that many days. */
    private static final Pattern TIME = Pattern.compile("([0-9]{1,6})([hdw])");

    public GcCommand() {
        super(
                "gc",
                "Moves blocks that nothing needs to the trash, and deletes old trash.",
                "A block is needed if a branch, a tag or a move of the last 90 days leads to it. gc moves others that were put more than 14 days",
                "ago, and deletes what was in the trash for 14 days. Until then, a command that reads or puts a block brings it back. Other processes may work",
                "meanwhile. If a block that a branch or a tag needs is missing or damaged, gc moves nothing: see pail verify.",
                "Links of values are followed in dag-cbor, CBOR, dag-pb, dag-json, dag-jose and git-raw. gc says how many values have another codec",
                "whose links it cannot know. In segments, gc then copies the shards of the newest version of each branch together, if many changes have",
                "scattered them: walks are faster after that.");
        takes(DRY_RUN, GRACE, RETENTION);
        examples("  pail gc --dry-run", "  pail gc", "  pail gc --retention 0d --grace 1h");
    }

    @Override
    public int run(Call call) {
        Mode mode = call.get(DRY_RUN) ? Mode.DRY_RUN : Mode.RUN;
        try (Repository repository = call.bareRepository();
                Progress progress = call.progress("blocks")) {
            if (mode == Mode.RUN) {
                call.terminal().kept = () -> "all that is needed is kept; run the same command again to free the rest";
            }
            call.warnOfForeignFiles(repository);
            repository.refs().checkWhole();
            warnIfReplaced(call.terminal(), repository);
            GarbageCollection collection = repository
                    .maintenance()
                    .garbageCollection()
                    .withGrace(time(call, GRACE, GarbageCollection.GRACE))
                    .withRetention(time(call, RETENTION, GarbageCollection.RETENTION))
                    .withProgress(progress::step);
            Collected collected = mode == Mode.DRY_RUN ? collection.dryRun() : collection.run();
            call.terminal().changed = mode == Mode.DRY_RUN ? null : "blocks that nothing needs were moved";
            progress.hide();
            collected
                    .lost()
                    .forEach(lost -> call.terminal()
                            .warn("a log leads to what is lost, and what only that leads to is not kept: "
                                    + Failure.message(lost)));
            if (collected.unfollowed() > 0) {
                call.terminal()
                        .warn(Codecs.unfollowed(collected.unfollowed()) + ": blocks that only "
                                + (collected.unfollowed() == 1 ? "it links" : "they link") + " to are not kept");
            }
            print(call.terminal(), collected, mode);
            return Exit.DONE;
        }
    }

    /** A time that an option gives: a number and a unit. */
    private static Duration time(Call call, Option.Text option, Duration standard) {
        String given = call.get(option);
        if (given == null) {
            return standard;
        }
        Matcher matcher = TIME.matcher(given);
        if (!matcher.matches()) {
            throw Failure.usage(
                    option + " is a number with h, d or w, such as 36h, 14d or 2w; not " + Escapes.brief(given));
        }
        long number = Long.parseLong(matcher.group(1));
        Duration time = switch (matcher.group(2)) {
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofDays(number * DAYS_IN_A_WEEK);
        };
        if (option.equals(GRACE) && time.compareTo(GarbageCollection.LEAST_GRACE) < 0) {
            throw Failure.usage(GRACE + " is at least 1h, not " + given);
        }
        return time;
    }

    private static void warnIfReplaced(Terminal terminal, Repository repository) {
        try {
            repository.maintenance().logsKeptSince();
        } catch (RepositoryException e) {
            terminal.warn(Failure.message(e)
                    + ": it is replaced, and versions that only logs lead to are kept as far as they are there");
        }
    }

    private enum Mode {
        RUN,
        DRY_RUN
    }

    private static void print(Terminal terminal, Collected collected, Mode mode) {
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeBooleanField("dryRun", mode == Mode.DRY_RUN);
                json.writeNumberField("unfollowed", collected.unfollowed());
                for (Line line : Line.values()) {
                    Collected.Amount amount = line.of(collected);
                    json.writeNumberField(line.field, amount.blocks());
                    json.writeNumberField(line.field + "Bytes", amount.bytes());
                }
            });
        } else if (!terminal.quiet) {
            for (Line line : Line.values()) {
                Collected.Amount amount = line.of(collected);
                if (line.shown == Shown.UNLESS_ZERO && amount.blocks() == 0) {
                    continue;
                }
                terminal.print(line.text + "\tblocks " + amount.blocks() + ", bytes " + amount.bytes());
            }
        }
    }

    private enum Shown {
        ALWAYS,
        UNLESS_ZERO
    }

    /** The lines of the report. */
    private enum Line {
        KEPT("kept", "kept", Shown.ALWAYS),
        MOVED("moved to the trash", "moved", Shown.ALWAYS),
        WAITING("in the trash before", "waiting", Shown.UNLESS_ZERO),
        DELETED("deleted from the trash", "deleted", Shown.ALWAYS),
        RESTORED("brought back from the trash", "restored", Shown.UNLESS_ZERO);

        private final String text;
        private final String field;

        private final Shown shown;

        Line(String text, String field, Shown shown) {
            this.text = text;
            this.field = field;
            this.shown = shown;
        }

        Collected.Amount of(Collected collected) {
            return switch (this) {
                case KEPT -> collected.kept();
                case MOVED -> collected.moved();
                case WAITING -> collected.waiting();
                case DELETED -> collected.deleted();
                case RESTORED -> collected.restored();
            };
        }
    }
}
