package dev.pail;

import java.util.List;
import java.util.stream.Stream;

/** All hostile inputs, rows H1 to H19 of the threat model. Each is made when it is needed. */
final class HostileInputs {
    private static final List<HostileInput> ALL = Stream.of(
                    HostileLengthInputs.all(),
                    HostileFormInputs.all(),
                    HostileKeyInputs.all(),
                    HostileCidInputs.all(),
                    HostileShardInputs.all(),
                    HostileLayoutInputs.all(),
                    HostileGraphInputs.all(),
                    HostileOverlapInputs.all())
            .flatMap(List::stream)
            .toList();

    private HostileInputs() {}

    static List<HostileInput> all() {
        return ALL;
    }
}
