package dev.pail.repository.files;

import dev.pail.disk.Disk;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files of the remote-tracking refs: in {@code remotes}, a folder for each remote. What changes them needs the writer's lock (spec rule REP31). */
final class Trackings {
    static final String FOLDER = "remotes";

    private final RepositoryFolder folder;

    Trackings(RepositoryFolder folder) {
        this.folder = folder;
    }

    /** In order. What has no name of a remote or a branch is left alone. */
    List<String> names() {
        return folders(folder)
                .flatMap(remote -> HeadFiles.names(folder.disk(), remote).stream()
                        .map(branch -> remote.getFileName() + "/" + branch))
                .filter(Tracking::isName)
                .sorted()
                .toList();
    }

    /** The folders of the remotes. */
    static Stream<Path> folders(RepositoryFolder repository) {
        Path all = repository.resolve(FOLDER);
        Disk disk = repository.disk();
        return disk.isDirectory(all)
                ? HeadFiles.names(disk, all).stream().map(all::resolve).filter(disk::isDirectory)
                : Stream.empty();
    }

    Optional<Tracking> read(String name) {
        Path file = file(name);
        try {
            return Optional.of(Tracking.parse(SmallFiles.read(folder.disk(), file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (MalformedDataException e) {
            throw RepositoryException.damaged(
                    "damaged remote-tracking ref: " + file + ": " + e.getMessage(),
                    "remove this file: the next fetch makes it again",
                    e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read a remote-tracking ref", file, e);
        }
    }

    void write(String name, Optional<Tracking> next) {
        folder.extendLayout();
        folder.write(
                "cannot write a file", file(name), next.map(Tracking::toBytes).orElse(null));
    }

    private Path file(String name) {
        Tracking.checkName(name);
        int slash = name.indexOf('/');
        return folder.resolve(FOLDER)
                .resolve(name.substring(0, slash))
                .resolve(HeadFiles.fileName(name.substring(slash + 1)));
    }
}
