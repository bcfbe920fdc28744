package dev.pail.cli.command.exchange;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Library;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.HttpRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryServer;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Serves the repository over HTTP until the process is asked to end. */
public final class ServeCommand extends Command {
    private static final String USUAL = "127.0.0.1:8080";

    private static final Option.Text LISTEN = Option.text(
                    "ADDRESS:PORT",
                    "Listen there instead of " + USUAL
                            + ". Port 0 is a free port. ADDRESS is 127.0.0.1, [::1] or localhost; with tokens and TLS, any address of this machine, or 0.0.0.0 for all.",
                    "--listen")
            .offering("127.0.0.1:8080", "[::1]:8080");

    private static final Option.Text TOKENS =
            Option.text("FILE", "Answer requests with one of these tokens only.", "--tokens");

    private static final Option.Text CERTIFICATE = Option.text(
            "FILE",
            "Serve over TLS with the certificates in this file, as PEM, that of the server first.",
            "--tls-cert");

    private static final Option.Text KEY = Option.text(
            "FILE", "Its private key, as PEM in PKCS#8, which only the owner of the file may read.", "--tls-key");

    private static final Option.Flag READ_ONLY = Option.flag("Refuse all changes.", "--read-only");

    private static final Option.Text MIRROR = Option.text(
            "URL",
            "Be a read-only mirror of this remote: keep the repository, which is made if it is not there, equal to it, and refuse all changes. URL is as for clone.",
            "--mirror");

    private static final Option.Flag OPEN_GATEWAY = Option.flag(
            "Let pages of all sites read /ipfs in a browser, as from other gateways of IPFS.", "--open-gateway");

    /** No name of a host, as the network would have to be asked what it is. */
    private static final Pattern ADDRESS =
            Pattern.compile("(localhost|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:.]{2,45}]):([0-9]{1,5})");

    private static final int LAST_PORT = 65_535;

    public ServeCommand() {
        super(
                "serve",
                "Serves the repository over HTTP: its blocks, as a trustless gateway of IPFS.",
                "/ipfs/CID?format=raw is a block and /ipfs/CID?format=car a CAR. Without --tokens, only programs of this machine can reach it, and need no",
                "password. Serves until SIGTERM or Ctrl-C: then it ends after the responses that have begun, with exit status 0. Standard error has a line",
                "for each request, unless -q is given: time, name of the token, method, path, status, bytes, milliseconds.",
                "  A file of tokens has a line for each: SHA256 RIGHT BRANCHES NAME. It holds no token, but its SHA-256:",
                "    token=$(openssl rand -hex 32)",
                "    echo \"$(printf %%s \"$token\" | sha256sum | cut -c1-64) write main ann\" >> tokens",
                "  RIGHT is read, write, force, which also moves a branch to another history, or erase, which also erases values. BRANCHES is a pattern of the branches that the token may",
                "  update; * is any text without a slash, ** any text. Every token reads the whole repository. NAME is for logs. Only",
                "  the owner of the file may read it. Changes of the file count at once.");
        takes(LISTEN, TOKENS, CERTIFICATE, KEY, READ_ONLY, MIRROR, OPEN_GATEWAY, Remotes.AUTHORITIES);
        needs(Remotes.AUTHORITIES, MIRROR, Remotes.AUTHORITIES + " is for " + MIRROR);
        needs(CERTIFICATE, KEY, CERTIFICATE + " and " + KEY + " go together");
        needs(KEY, CERTIFICATE, CERTIFICATE + " and " + KEY + " go together");
        examples(
                "  pail serve",
                "  pail serve --listen [::1]:0 --read-only",
                "  pail -C copy.pail serve --mirror https://pail.example.org",
                "  pail serve --tokens tokens",
                "  pail serve --tokens tokens --tls-cert chain.pem --tls-key key.pem");
    }

    @Override
    public int run(Call call) {
        InetSocketAddress address = address(call);
        RepositoryServer server = server();
        String origin = call.get(MIRROR);
        if (origin != null) {
            return mirror(call, server, address, Remotes.absolute(call.terminal(), origin));
        }
        Repository repository = call.repository();
        try {
            RepositoryServer.Running running =
                    options(call, server.over(repository).withAddress(address)).start();
            return untilEnded(call, repository, running, () -> {});
        } catch (RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    /** Serves a mirror, and keeps it equal to its origin until the process is asked to end. */
    private static int mirror(Call call, RepositoryServer server, InetSocketAddress address, String origin) {
        try (Remotes.Connection connection = Remotes.open(call, origin)) {
            MirrorFolder folder = new MirrorFolder(call, connection.remote(), origin);
            folder.make();
            Repository repository = call.repository();
            try {
                folder.checkIsOf(repository);
                RepositoryServer.Options options =
                        options(call, server.over(repository).withAddress(address));
                // The place of a folder or of a database is no matter of clients.
                RepositoryServer.Running running = options.mirrorOf(
                                HttpRemote.isAddress(origin) ? origin : "another repository")
                        .start();
                return untilEnded(call, repository, running, folder.follow(repository));
            } catch (RuntimeException e) {
                repository.close();
                throw e;
            }
        }
    }

    private static RepositoryServer.Options options(Call call, RepositoryServer.Options usual) {
        RepositoryServer.Options options = call.get(READ_ONLY) ? usual.readOnly() : usual;
        options = call.get(OPEN_GATEWAY) ? options.withOpenGateway() : options;
        String tokens = call.get(TOKENS);
        String certificate = call.get(CERTIFICATE);
        String key = call.get(KEY);
        Terminal terminal = call.terminal();
        if (!terminal.quiet && !terminal.json) {
            options = options.withAccessLog(terminal::note);
        }
        if (tokens != null) {
            options = options.withTokens(call.terminal().path(tokens));
        }
        if (certificate != null && key != null) {
            options = options.withTls(
                    call.terminal().path(certificate), call.terminal().path(key));
        }
        return options;
    }

    private static String url(Call call, InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (call.get(CERTIFICATE) == null ? "http://" : "https://")
                + (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static void tell(Terminal terminal, String url) {
        if (terminal.json) {
            terminal.printJson(json -> json.writeStringField("url", url));
            terminal.flush();
        } else {
            terminal.note("serving at " + url);
        }
    }

    private static RepositoryServer server() {
        List<RepositoryServer> servers = new ArrayList<>(Library.load("serve", RepositoryServer.class));
        // A program that has the command on its class path may have the server there, too.
        ServiceLoader.load(RepositoryServer.class).forEach(servers::add);
        if (servers.isEmpty()) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "not-installed",
                    "this installation of pail has no server: the folder serve in its lib",
                    "install a package other than pail-core, or run bin/pail of a clone");
        }
        return servers.get(0);
    }

    private static InetSocketAddress address(Call call) {
        String listen = call.get(LISTEN) == null ? USUAL : call.get(LISTEN);
        Matcher parts = ADDRESS.matcher(String.valueOf(listen));
        int port = parts.matches() ? Integer.parseInt(parts.group(2)) : LAST_PORT + 1;
        InetAddress address = port <= LAST_PORT ? resolve(parts.group(1)) : null;
        if (address == null) {
            throw Failure.usage(LISTEN
                    + " is ADDRESS:PORT, such as 127.0.0.1:8080, [::1]:8080 or localhost:8080, with a port of at most 65535; not "
                    + Escapes.brief(String.valueOf(listen)));
        }
        if (!address.isLoopbackAddress() && (call.get(TOKENS) == null || call.get(CERTIFICATE) == null)) {
            throw Failure.usage(LISTEN + " is 127.0.0.1:PORT, [::1]:PORT or localhost:PORT, unless there are " + TOKENS
                    + ", " + CERTIFICATE + " and " + KEY + "; not " + Escapes.brief(String.valueOf(listen)));
        }
        return new InetSocketAddress(address, port);
    }

    private static @Nullable InetAddress resolve(String host) {
        try {
            return InetAddress.getAllByName(host.equals("localhost") ? "127.0.0.1" : host)[0];
        } catch (UnknownHostException e) {
            // Such as 127.0.0.999.
            return null;
        }
    }

    /** Waits until the process is asked to end. Then a hook stops the server. */
    private static int untilEnded(
            Call call, Repository repository, RepositoryServer.Running running, MirrorFolder.Ending following) {
        call.terminal().endsItself();
        CountDownLatch never = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            following.close();
            running.close();
            repository.close();
            // Java itself would end with the number of the signal.
            Runtime.getRuntime().halt(Exit.DONE);
        }));
        // A script that reads this line may end the process at once.
        tell(call.terminal(), url(call, running.address()));
        try {
            never.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        following.close();
        running.close();
        repository.close();
        return Exit.INTERRUPTED;
    }
}
