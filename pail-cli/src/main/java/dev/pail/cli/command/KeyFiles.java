package dev.pail.cli.command;

import dev.pail.StoreIOException;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.MalformedDataException;
import dev.pail.sign.SigningKey;
import dev.pail.sign.VerifierKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/** Files of keys: a private key that only its owner can read, and its public key beside it, with {@code .pub} behind its name. */
public final class KeyFiles {
    /** A key as text has at most 1,024 characters. */
    private static final int MAX_SIZE = 4096;

    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private KeyFiles() {}

    /** Writes both files. Refuses to replace one. */
    public static void create(Terminal terminal, String name, SigningKey key) {
        Path secret = terminal.path(name);
        Path published = terminal.path(name + ".pub");
        if (Files.exists(published)) {
            throw exists(published);
        }
        write(secret, key.encoded(), ownerAlone(secret));
        write(published, key.verifierKey().toString());
    }

    /** What makes a new file one that its owner alone can read and write, where files have permissions. */
    public static FileAttribute<?>[] ownerAlone(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER)}
                : new FileAttribute<?>[0];
    }

    private static void write(Path file, String key, FileAttribute<?>... attributes) {
        try (FileChannel out =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
            ByteBuffer line = ByteBuffer.wrap((key + "\n").getBytes(StandardCharsets.UTF_8));
            while (line.hasRemaining()) {
                out.write(line);
            }
            out.force(true);
        } catch (FileAlreadyExistsException e) {
            throw exists(file);
        } catch (IOException e) {
            throw new Failure.Found(
                    Exit.FAILED, "io", "cannot write: " + file + ": " + StoreIOException.reason(e), null);
        }
    }

    private static Failure.Found exists(Path file) {
        return new Failure.Found(
                Exit.FAILED, "io", "a file is there, and no key replaces it: " + file, "name another file for the key");
    }

    /** The private key in a file. */
    public static SigningKey signing(Terminal terminal, String name) {
        checkPrivate(
                terminal.path(name),
                "others than its owner may use this private key",
                "if no other person had it, chmod 600 the file; else make a new key with: pail sign --new-key FILE NAME");
        return read(
                terminal, name, SigningKey::parse, "give the file that was made with: pail sign --new-key FILE NAME");
    }

    /** Fails with a message and a hint if others than its owner have a permission for a file. */
    public static void checkPrivate(Path file, String message, String hint) {
        try {
            PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (view == null || OWNER.containsAll(view.readAttributes().permissions())) {
                return;
            }
        } catch (IOException e) {
            throw Inputs.failure(file.toString(), e);
        }
        throw new Failure.Found(Exit.FAILED, "bad-key", message + ": " + file, hint);
    }

    /** The verifier key that a text is, or that is in the file it names. */
    public static VerifierKey verifier(Terminal terminal, String given) {
        // Such a text is a key with a typing error rather than the name of a file.
        if (given.matches(".+\\+[0-9A-Fa-f]{8}\\+[A-Za-z0-9+/=]+")) {
            return parse("--signed-by", given, VerifierKey::parse, "give the key as its owner published it");
        }
        return read(
                terminal,
                given,
                VerifierKey::parse,
                "give the public key, as it is in the file with .pub behind its name");
    }

    private static <K> K read(Terminal terminal, String name, Function<String, K> parse, String hint) {
        try (InputStream in = Inputs.open(terminal, name)) {
            String text = new String(in.readNBytes(MAX_SIZE), StandardCharsets.UTF_8);
            String line = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
            return parse(Inputs.shown(name), line, parse, hint);
        } catch (IOException e) {
            throw Inputs.failure(name, e);
        }
    }

    private static <K> K parse(String where, String text, Function<String, K> parse, String hint) {
        try {
            return parse.apply(text);
        } catch (MalformedDataException e) {
            throw new Failure.Found(Exit.FAILED, "bad-key", "no key: " + where + ": " + e.rule(), hint);
        }
    }
}
