package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class PlotTest {
    private static final Plot.Line FLAT =
            new Plot.Line("a < b & c", List.of(new Plot.Point(10_000, 100), new Plot.Point(1_000_000, 100)));
    private static final Plot.Line RISING =
            new Plot.Line("rising", List.of(new Plot.Point(10_000, 1_000), new Plot.Point(100_000, 10_000)));

    private static Document parsed(Plot plot) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(plot.svg().getBytes(StandardCharsets.UTF_8)));
    }

    private static double number(Document svg, int circle, String attribute) {
        return Double.parseDouble(((Element) svg.getElementsByTagName("circle").item(circle)).getAttribute(attribute));
    }

    @Test
    void eachPointIsWhereItsLogarithmIs() throws Exception {
        Document svg = parsed(new Plot("up", "right", List.of(FLAT, RISING)));

        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(4);
        assertThat(number(svg, 0, "cy")).isEqualTo(number(svg, 1, "cy"));
        assertThat(number(svg, 2, "cx")).isEqualTo(number(svg, 0, "cx"));
        assertThat(number(svg, 3, "cx")).isEqualTo((number(svg, 0, "cx") + number(svg, 1, "cx")) / 2);
        assertThat(number(svg, 3, "cy")).as("more is higher").isLessThan(number(svg, 2, "cy"));
    }

    @Test
    void titlesAreText() throws Exception {
        assertThat(parsed(new Plot("up", "right", List.of(FLAT)))
                        .getDocumentElement()
                        .getTextContent())
                .contains("a < b & c", "up", "right", "1e6");
    }

    @Test
    void aPlotOfNothingIsEmpty() throws Exception {
        assertThat(parsed(new Plot("up", "right", List.of()))
                        .getElementsByTagName("polyline")
                        .getLength())
                .isZero();
    }
}
