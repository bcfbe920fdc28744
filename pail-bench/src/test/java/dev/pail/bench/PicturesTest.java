package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PicturesTest {
    private static final Path MODULE =
            Path.of(System.getProperty("pail.project", "..")).resolve("pail-bench");

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static double x(NodeList circles, int place) {
        return Double.parseDouble(((Element) circles.item(place)).getAttribute("cx"));
    }

    @Test
    void aDotIsWhereItsLogarithmIs() throws Exception {
        List<Dots.Row> rows =
                List.of(new Dots.Row("a < b", Map.of("x", 1.0, "y", 100.0)), new Dots.Row("c", Map.of("x", 10.0)));
        Document svg = parsed(new Dots("right", List.of("x", "y"), rows).svg());
        NodeList circles = svg.getElementsByTagName("circle");

        assertThat(circles.getLength()).as("with those of the legend").isEqualTo(5);
        assertThat(x(circles, 2)).isEqualTo((x(circles, 0) + x(circles, 1)) / 2);
        assertThat(x(circles, 1)).isLessThan(x(circles, 0));
        assertThat(svg.getDocumentElement().getTextContent()).contains("a < b", "right", "100");
    }

    @Test
    void nothingHasNoDots() throws Exception {
        assertThat(parsed(new Dots("right", List.of(), List.of()).svg())
                        .getElementsByTagName("circle")
                        .getLength())
                .isZero();
    }

    /** With {@code -Dpail.write}, they are drawn. */
    @Test
    void picturesShowTheFiguresOfTheFiles() throws IOException {
        Map<String, String> pictures = Pictures.of(MODULE.resolve("results"));
        assertThat(pictures).hasSize(4);
        for (Map.Entry<String, String> picture : pictures.entrySet()) {
            Path file = MODULE.resolve(picture.getKey());
            if (System.getProperty("pail.write") != null) {
                Files.writeString(file, picture.getValue());
            }
            assertThat(Files.readString(file))
                    .as("draw it with pail-bench/pictures")
                    .isEqualTo(picture.getValue());
        }
    }
}
