package dev.pail.cli;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Makes a repository. */
final class InitCommand extends Command {
    InitCommand() {
        super("init", "Makes a repository with an empty pail: .pail here, or the folder that -C names.");
        option(String.class, "FORMAT", "v0 (the specification), v1 or v2; else v0.", "--format");
        option(Long.class, "BYTES", "v0: the largest size of a shard; else 524288.", "--max-size");
        option(Long.class, "N", "v0: the largest length of a key within a shard; else 64.", "--max-key-length");
        option(Long.class, "BYTES", "v1, v2: the largest size of a key; else 4096.", "--max-key-size");
        option(
                String.class,
                "KIND",
                "Where blocks go: files, one for each block, which other tools can read; or segments, a few large files, which"
                        + " take about the bytes that a version changed. Else files.",
                "--blocks");
        examples(
                "  pail init",
                "  pail -C /data/photos.pail init --format v1",
                "  pail -C /data/log.pail init --blocks segments");
    }

    @Override
    int run(Call call) {
        String given = call.namedStore();
        String branch = call.globals().branch();
        if (branch != null && !branch.equals(Repository.MAIN)) {
            throw Failure.usage("init makes the branch " + Repository.MAIN + " and no other");
        }
        Path folder = call.terminal().path(given == null ? ".pail" : given);
        if (Files.isRegularFile(folder)) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-repository",
                    "cannot make a repository: " + folder + " is a file, not a folder",
                    "choose a folder with: pail -C DIR init; a CAR file is only read, or taken in with: pail import FILE");
        }
        BlockStorage storage = storage(call, BlockStorage.FILES);
        try (Repository repository = Repository.init(folder, format(call), storage)) {
            String root = repository.root(Repository.MAIN).toString();
            call.terminal().changed = "made " + folder.toAbsolutePath();
            if (call.terminal().json) {
                call.terminal().printJson(json -> {
                    json.writeStringField("repository", folder.toAbsolutePath().toString());
                    json.writeStringField("format", repository.format().name());
                    json.writeStringField("blocks", name(storage));
                    json.writeStringField("root", root);
                });
                return Exit.DONE;
            }
            if (!call.terminal().quiet) {
                call.terminal()
                        .note("made " + folder.toAbsolutePath() + ", format "
                                + repository.format().name() + " (" + cost(repository.format()) + "), blocks in "
                                + name(storage));
                call.terminal().print(root);
            }
            return Exit.DONE;
        }
    }

    /** What a format takes and costs, in a few words. */
    private static String cost(ShardFormat format) {
        return format.name().equals("v0")
                ? "any key; a change to a large map writes up to 512 KiB. For large maps with ASCII keys take v1"
                : "ASCII keys; a change writes a few KB";
    }

    private static String name(BlockStorage storage) {
        return storage.name().toLowerCase(Locale.ROOT);
    }

    /** @param standard the answer if the option is absent */
    static BlockStorage storage(Call call, BlockStorage standard) {
        String given = call.option("--blocks");
        if (given == null) {
            return standard;
        }
        for (BlockStorage storage : BlockStorage.values()) {
            if (name(storage).equals(given.toLowerCase(Locale.ROOT))) {
                return storage;
            }
        }
        throw Failure.usage("--blocks is files or segments, not \"" + given + "\"");
    }

    private static ShardFormat format(Call call) {
        String name = call.option("--format");
        name = name == null ? "v0" : name.toLowerCase(Locale.ROOT);
        Map<String, Integer> configuration;
        try {
            configuration = new LinkedHashMap<>(ShardFormat.named(name).configuration());
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--format is v0, v1 or v2, not \"" + name + "\"");
        }
        set(call, configuration, "maxSize", "--max-size");
        set(call, configuration, "maxKeyLength", "--max-key-length");
        set(call, configuration, "maxKeySize", "--max-key-size");
        try {
            return ShardFormat.of(name, configuration);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    private static void set(Call call, Map<String, Integer> configuration, String name, String option) {
        Long given = call.number(option);
        if (given == null) {
            return;
        }
        if (!configuration.containsKey(name)) {
            throw Failure.usage(option + " is for another format");
        }
        if (given != given.intValue()) {
            throw Failure.usage(option + " is out of range: " + given);
        }
        configuration.put(name, given.intValue());
    }
}
