package dev.pail.cli.command;

import dev.pail.ipld.Cid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** A block whose file has a name of another layout, so that no repository finds it (spec rule REP8). */
final class MisnamedBlock {
    private static final String BLOCKS = "blocks";

    private MisnamedBlock() {}

    /** What to do about a missing block, if its file is in a repository under a name of Kubo's flatfs or in small letters. */
    static Optional<String> hint(Path store, Cid cid) {
        String name = cid.multihashName();
        String wanted = file(name, 0);
        return others(name)
                .filter(other -> !other.equals(wanted) && Files.isRegularFile(store.resolve(other)))
                .findFirst()
                .map(found -> "the block is in " + found + ", " + layout(found, wanted) + "; pail reads " + wanted
                        + ": rename the files in " + BLOCKS + " like that");
    }

    private static String layout(String found, String wanted) {
        if (found.equalsIgnoreCase(wanted)) {
            return "whose name is in small letters";
        }
        boolean isBare = !name(found).equalsIgnoreCase(name(wanted));
        return isBare ? "as Kubo's flatfs lays it out, without the B" : "in another folder";
    }

    /** Kubo leaves out the multibase, and names a folder by the two characters before the last one. */
    private static Stream<String> others(String name) {
        return Stream.of(name, name.substring(1))
                .flatMap(each -> Stream.of(each, each.toLowerCase(Locale.ROOT)))
                .flatMap(each -> Stream.of(file(each, 0), file(each, 1), BLOCKS + '/' + each + ".data"))
                .flatMap(each -> Stream.of(each, inOtherFolder(each)));
    }

    /** @param behind how many characters of the name are behind those that the folder is named by */
    private static String file(String name, int behind) {
        int end = name.length() - behind;
        return BLOCKS + '/' + name.substring(end - 2, end) + '/' + name + ".data";
    }

    /** The file in a folder whose name is written in the other letters, small or capital. */
    private static String inOtherFolder(String file) {
        List<String> parts = List.of(file.split("/"));
        String folder = parts.get(1);
        return parts.size() == 2
                ? file
                : String.join(
                        "/",
                        BLOCKS,
                        isSmall(folder) ? folder.toUpperCase(Locale.ROOT) : folder.toLowerCase(Locale.ROOT),
                        parts.get(2));
    }

    private static String name(String file) {
        return file.substring(file.lastIndexOf('/') + 1);
    }

    private static boolean isSmall(String name) {
        return name.equals(name.toLowerCase(Locale.ROOT));
    }
}
