package dev.pail.cli;

import dev.pail.cli.command.Command;
import dev.pail.cli.command.exchange.CheckCommand;
import dev.pail.cli.command.exchange.CloneCommand;
import dev.pail.cli.command.exchange.ExportCommand;
import dev.pail.cli.command.exchange.FetchCommand;
import dev.pail.cli.command.exchange.ImportCommand;
import dev.pail.cli.command.exchange.ProveCommand;
import dev.pail.cli.command.exchange.PullCommand;
import dev.pail.cli.command.exchange.PushCommand;
import dev.pail.cli.command.exchange.RemoteCommand;
import dev.pail.cli.command.exchange.ServeCommand;
import dev.pail.cli.command.exchange.SignCommand;
import dev.pail.cli.command.history.BlameCommand;
import dev.pail.cli.command.history.BranchCommand;
import dev.pail.cli.command.history.CherryPickCommand;
import dev.pail.cli.command.history.ConflictsCommand;
import dev.pail.cli.command.history.ConvertCommand;
import dev.pail.cli.command.history.DescribeCommand;
import dev.pail.cli.command.history.DiffCommand;
import dev.pail.cli.command.history.LogCommand;
import dev.pail.cli.command.history.MergeCommand;
import dev.pail.cli.command.history.MergeRulesCommand;
import dev.pail.cli.command.history.RedoCommand;
import dev.pail.cli.command.history.ResetCommand;
import dev.pail.cli.command.history.ResolveCommand;
import dev.pail.cli.command.history.RevertCommand;
import dev.pail.cli.command.history.ShowCommand;
import dev.pail.cli.command.history.SquashCommand;
import dev.pail.cli.command.history.SwitchCommand;
import dev.pail.cli.command.history.TagCommand;
import dev.pail.cli.command.history.UndoCommand;
import dev.pail.cli.command.history.WatchCommand;
import dev.pail.cli.command.map.ApplyCommand;
import dev.pail.cli.command.map.CatCommand;
import dev.pail.cli.command.map.DuCommand;
import dev.pail.cli.command.map.GetCommand;
import dev.pail.cli.command.map.LoadCommand;
import dev.pail.cli.command.map.LsCommand;
import dev.pail.cli.command.map.MoveCommand;
import dev.pail.cli.command.map.PutCommand;
import dev.pail.cli.command.map.RestoreCommand;
import dev.pail.cli.command.map.RmCommand;
import dev.pail.cli.command.map.RootCommand;
import dev.pail.cli.command.map.StatCommand;
import dev.pail.cli.command.map.StatusCommand;
import dev.pail.cli.command.map.TreeCommand;
import dev.pail.cli.command.store.ConfigCommand;
import dev.pail.cli.command.store.CopyCommand;
import dev.pail.cli.command.store.EraseCommand;
import dev.pail.cli.command.store.GcCommand;
import dev.pail.cli.command.store.InitCommand;
import dev.pail.cli.command.store.PackCommand;
import dev.pail.cli.command.store.RecoverCommand;
import dev.pail.cli.command.store.UnpackCommand;
import dev.pail.cli.command.store.VerifyCommand;
import dev.pail.cli.table.TableCommand;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The commands, in the order and the groups in which {@code pail help} lists them. The parser, help, completion and hints take them from
 * here.
 */
enum Commands {
    INIT("start", "Make a repository: .pail here, or where -C says"),
    CLONE("start", "Make a repository with all that a remote has"),
    IMPORT("start", "Take in a CAR file and merge its history"),
    CONFIG("start", "Show or change settings and aliases"),
    PUT("change", "Give a key a value, or put the files of a folder"),
    RM("change", "Remove keys"),
    MV("change", "Rename a key"),
    CP("change", "Give another key the same value"),
    APPLY("change", "Make the changes that lines of JSON describe"),
    LOAD("change", "Put the keys and values of a text"),
    RESTORE("change", "Write the values of keys to files"),
    GET("look", "Print the CID of a key's value"),
    CAT("look", "Print the bytes of a key's value"),
    LS("look", "List keys and values in order"),
    DU("look", "Add up the sizes of values"),
    TREE("look", "Draw the shards"),
    STATUS("look", "Show the branch, what was not pushed, and conflicts"),
    STAT("look", "Show entries, shards, depth and size"),
    ROOT("look", "Print the root of a version"),
    LOG("history", "List changes, newest first"),
    DIFF("history", "List the keys that differ between two versions"),
    SHOW("history", "Show one change: author, time, message, keys"),
    BLAME("history", "Name the change that gave each key its value"),
    REVERT("history", "Take back one change by a new change"),
    UNDO("history", "Move the branch back before its last update"),
    REDO("history", "Move the branch forward after an undo"),
    RESET("history", "Move the branch to any version"),
    BRANCH("history", "List, make, rename or remove branches"),
    SWITCH("history", "Make another branch the current one"),
    TAG("history", "List, make or remove tags"),
    DESCRIBE("history", "Name a version by the newest tag below it"),
    MERGE("history", "Merge another branch into this one"),
    MERGE_RULES("history", "List or set which values merge inside"),
    CHERRY_PICK("history", "Make changes of another branch again"),
    CONFLICTS("history", "List the conflicts that merges left open"),
    RESOLVE("history", "Decide a conflict that a merge left open"),
    SQUASH("history", "Start a new history with this version"),
    CONVERT("history", "Change the format of the branch"),
    WATCH("history", "Wait for updates and list what they change"),
    EXPORT("exchange", "Write a version with its history to a CAR file"),
    REMOTE("exchange", "List, add or remove other repositories"),
    FETCH("exchange", "Take in the versions of a remote"),
    PULL("exchange", "Take in a branch of a remote and merge it"),
    PUSH("exchange", "Send a branch to a remote"),
    PROVE("exchange", "Write a proof of keys, a diff or a history to a CAR"),
    CHECK("exchange", "Check a proof that prove has written"),
    SIGN("exchange", "Sign the head of a branch or tag, or make a key"),
    SERVE("exchange", "Serve blocks over HTTP to programs of this machine"),
    VERIFY("look after", "Check blocks, shards, events and logs"),
    ERASE("look after", "Remove the bytes of a value for good"),
    RECOVER("look after", "Rebuild branches that a shared store has lost"),
    GC("look after", "Move blocks that nothing needs to the trash"),
    PACK("look after", "Move blocks from files to segments"),
    UNPACK("look after", "Move blocks from segments to files"),
    COPY("look after", "Copy a whole repository to another store"),
    TABLE("tables", "Keep tables of JSON documents with indexes"),
    HELP("help", "Explain a command, or exit-codes"),
    BATCH("help", "Run the commands of a file in one process"),
    SHELL("help", "Run the commands that you type in one process"),
    COMPLETION("help", "Print the completion script of a shell");

    private final String group;
    private final String summary;

    Commands(String group, String summary) {
        this.group = group;
        this.summary = summary;
    }

    Command make() {
        return switch (this) {
            case INIT -> new InitCommand();
            case CLONE -> new CloneCommand();
            case IMPORT -> new ImportCommand();
            case CONFIG -> new ConfigCommand(names());
            case PUT -> new PutCommand();
            case RM -> new RmCommand();
            case MV -> MoveCommand.renaming();
            case CP -> MoveCommand.copying();
            case APPLY -> new ApplyCommand();
            case LOAD -> new LoadCommand();
            case RESTORE -> new RestoreCommand();
            case GET -> new GetCommand();
            case CAT -> new CatCommand();
            case LS -> new LsCommand();
            case DU -> new DuCommand();
            case TREE -> new TreeCommand();
            case STATUS -> new StatusCommand();
            case STAT -> new StatCommand();
            case ROOT -> new RootCommand();
            case LOG -> new LogCommand();
            case DIFF -> new DiffCommand();
            case SHOW -> new ShowCommand();
            case BLAME -> new BlameCommand();
            case REVERT -> new RevertCommand();
            case UNDO -> new UndoCommand();
            case REDO -> new RedoCommand();
            case RESET -> new ResetCommand();
            case BRANCH -> new BranchCommand();
            case SWITCH -> new SwitchCommand();
            case TAG -> new TagCommand();
            case DESCRIBE -> new DescribeCommand();
            case MERGE -> new MergeCommand();
            case MERGE_RULES -> new MergeRulesCommand();
            case CHERRY_PICK -> new CherryPickCommand();
            case CONFLICTS -> new ConflictsCommand();
            case RESOLVE -> new ResolveCommand();
            case SQUASH -> new SquashCommand();
            case CONVERT -> new ConvertCommand();
            case WATCH -> new WatchCommand();
            case EXPORT -> new ExportCommand();
            case REMOTE -> new RemoteCommand();
            case FETCH -> new FetchCommand();
            case PULL -> new PullCommand();
            case PUSH -> new PushCommand();
            case PROVE -> new ProveCommand();
            case CHECK -> new CheckCommand();
            case SIGN -> new SignCommand();
            case SERVE -> new ServeCommand();
            case VERIFY -> new VerifyCommand();
            case ERASE -> new EraseCommand();
            case RECOVER -> new RecoverCommand();
            case GC -> new GcCommand();
            case PACK -> new PackCommand();
            case UNPACK -> new UnpackCommand();
            case COPY -> new CopyCommand();
            case TABLE -> new TableCommand();
            case HELP -> new HelpCommand();
            case BATCH -> new BatchCommand();
            case SHELL -> new ShellCommand();
            case COMPLETION -> new CompletionCommand();
        };
    }

    /** The name that is typed. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Lists all with their summaries, group by group. */
    static String list() {
        StringBuilder text = new StringBuilder();
        String last = "";
        for (Commands each : values()) {
            if (!each.group.equals(last)) {
                text.append(last.isEmpty() ? "" : "%n".formatted())
                        .append(each.group)
                        .append("%n".formatted());
                last = each.group;
            }
            text.append("  %-11s %s%n".formatted(each.title(), each.summary));
        }
        return text.toString();
    }

    static List<String> names() {
        return Arrays.stream(values()).map(Commands::title).toList();
    }
}
