package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.terminal.UserFolder;
import dev.pail.cli.text.Values;
import dev.pail.ipld.Cid;
import dev.pail.remote.HttpGateway;
import dev.pail.remote.HttpRemote;
import dev.pail.through.GatewayBlocks;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Connects to servers, with the tokens and the network settings of the user. */
public final class Servers {
    private static final String TOKEN = "PAIL_TOKEN";

    /** What the URL of a version behind a gateway has before the address of the gateway. */
    private static final String GATEWAY = "ipfs+";

    private Servers() {}

    /**
     * Connects to the server at an address. Sends nothing yet.
     *
     * @param authorities the file of certificates that the call names, if it does
     */
    public static HttpRemote open(Terminal terminal, String address, @Nullable String authorities) {
        try {
            return HttpRemote.open(address, token(terminal, address))
                    .withConnector(new NetworkSettings(terminal, authorities));
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    /** Whether a store is the URL of a version behind a gateway: {@code ipfs+https://GATEWAY/ROOT}. */
    static boolean isGateway(String store) {
        return store.regionMatches(true, 0, GATEWAY, 0, GATEWAY.length())
                && HttpRemote.isAddress(store.substring(GATEWAY.length()));
    }

    /** Opens the version that a URL names behind a gateway. */
    static Versions gateway(Terminal terminal, String url, @Nullable String at) {
        String address = url.substring(GATEWAY.length());
        int end = address.lastIndexOf('/');
        Cid root = Values.cid(address.substring(end + 1));
        if (root == null) {
            throw Failure.usage(
                    "the URL of a version behind a gateway ends with the CID of a root or an event: "
                            + Escapes.brief(url),
                    "write it as: " + GATEWAY + "https://GATEWAY/ROOT");
        }
        try {
            HttpGateway gateway = HttpGateway.open(
                            address.substring(0, end), token(terminal, address.substring(0, end)))
                    .withConnector(new NetworkSettings(terminal, null));
            BlockStore blocks = UserFolder.caches(terminal)
                    .map(caches -> GatewayBlocks.open(gateway, caches))
                    .orElseGet(() -> GatewayBlocks.open(gateway));
            return CarFile.open(url, blocks, root, at);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    /** The token for an address: of the environment, or of the file of tokens. */
    private static Optional<String> token(Terminal terminal, String address) {
        String given = terminal.environment(TOKEN);
        if (given != null) {
            return Optional.of(given).filter(text -> !text.isEmpty());
        }
        Path file = UserFolder.of(terminal, "XDG_CONFIG_HOME", ".config")
                .map(folder -> folder.resolve("pail/tokens"))
                .orElse(null);
        if (file == null) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            KeyFiles.checkPrivate(file, "others can read the tokens", "make it private with: chmod 600 " + file);
            String origin = origin(address);
            return lines.stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length == 2
                            && !words[0].startsWith("#")
                            && origin(words[0]).equals(origin))
                    .map(words -> words[1])
                    .findFirst();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new Failure.Found(
                    Exit.FAILED, "io", "cannot read the tokens: " + file + ": " + Failure.message(e), null);
        }
    }

    private static String origin(String address) {
        try {
            URI uri = URI.create(address);
            return uri.getScheme() + "://" + uri.getRawAuthority();
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
