package dev.pail.spark;

import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.spi.RepositoryLocator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** The repository in a folder or at a URL. */
final class LocatedTarget implements PailTarget {
    private static final long serialVersionUID = 1;

    /** A folder with segments has one writer at a time, and each task writes for a moment only. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final String place;

    LocatedTarget(String place) {
        this.place = Objects.requireNonNull(place, "place");
    }

    @Override
    public Repository open() {
        int scheme = place.indexOf("://");
        if (scheme < 0) {
            return FileRepository.open(FileRepository.in(Path.of(place)), PATIENCE);
        }
        // The loader of the user's jars, which is not the one that loaded this class if an executor has Pail on its own
        // class path.
        Optional<RepositoryLocator> locator = RepositoryLocator.find(place);
        if (locator.isPresent()) {
            return Repository.open(locator.get().open(place, PATIENCE));
        }
        // Without the rest of the URL, which may have a password in it.
        throw new IllegalArgumentException("no module on the class path opens a URL with the scheme "
                + place.substring(0, scheme) + ": add the module to the jars of the job");
    }

    /** What a message may show of the place. */
    @Override
    public String toString() {
        return "target";
    }
}
