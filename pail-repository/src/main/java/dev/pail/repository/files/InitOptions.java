package dev.pail.repository.files;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ShardFormat;
import dev.pail.keys.KeyCodec;
import java.util.Objects;
import java.util.Optional;

/**
 * The options for a new repository in a folder: {@link FileRepository#init(java.nio.file.Path, InitOptions)}. Immutable.
 *
 * <pre>{@code
 * InitOptions options = InitOptions.of(ShardFormat.v1()).withStorage(BlockStorage.SEGMENTS);
 * FileRepository.init(folder, options).close();
 * }</pre>
 *
 * @param format the format of pails
 * @param storage how new blocks are stored
 * @param isDescribed whether events may have descriptions (spec rule DE11). Version 0.2.0 reads only repositories without
 * @param namespaceCodec the setting {@code namespace-codec}: a name that {@link KeyCodec#named} takes; empty for the codec of every version
 */
@CheckReturnValue
public record InitOptions(
        ShardFormat format, BlockStorage storage, boolean isDescribed, Optional<String> namespaceCodec) {
    /** @throws IllegalArgumentException if no codec has the name */
    public InitOptions {
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(storage, "storage");
        namespaceCodec.ifPresent(name -> {
            KeyCodec unused = KeyCodec.named(name);
        });
    }

    /** Returns the defaults: blocks in files, and described events. */
    public static InitOptions of(ShardFormat format) {
        return new InitOptions(format, BlockStorage.FILES, true, Optional.empty());
    }

    /** Returns these options, with another storage of blocks. */
    public InitOptions withStorage(BlockStorage other) {
        return new InitOptions(format, other, isDescribed, namespaceCodec);
    }

    /** Returns these options for a repository of plain events, which version 0.2.0 reads as well. */
    public InitOptions withPlainEvents() {
        return new InitOptions(format, storage, false, namespaceCodec);
    }

    /** Returns these options, with the name of a codec for namespaces. */
    public InitOptions withNamespaceCodec(String name) {
        return new InitOptions(format, storage, isDescribed, Optional.of(Objects.requireNonNull(name, "name")));
    }
}
