package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Everything that one can do with a pail, done with each of the {@link HostileInputs} where there is little memory and
 * little stack: it ends after few reads and with little memory, with a result or an error of ours.
 */
class HostileInputTest {
    @Test
    void everyInputHasANameOfItsOwn() {
        List<String> names =
                HostileInputs.all().stream().map(HostileInput::name).toList();
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(300).noneMatch(name -> name.contains("\t"));
    }

    @TestFactory
    Stream<DynamicTest> everyInputEndsWell() throws IOException, InterruptedException {
        Map<Integer, HostileReport> reports = HostileChild.run();
        List<HostileInput> inputs = HostileInputs.all();
        return IntStream.range(0, inputs.size())
                .mapToObj(
                        i -> DynamicTest.dynamicTest(inputs.get(i).name(), () -> check(inputs.get(i), reports.get(i))));
    }

    private static void check(HostileInput input, HostileReport report) {
        assertThat(report).as("the report").isNotNull();
        assertThat(HostileExpectations.complaints(input, report))
                .as("%s: %s", input.name(), report)
                .isEmpty();
    }
}
