package dev.pail.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Lines through points over two logarithmic axes, as SVG.
 *
 * @param yTitle what goes up
 * @param xTitle what goes to the right
 * @param lines with points of positive coordinates
 */
record Plot(String yTitle, String xTitle, List<Line> lines) {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 80;
    private static final int RIGHT = 200;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final List<String> COLORS =
            List.of("#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#009e73", "#666666", "#cc79a7", "#f0e442", "#000000");

    record Point(double x, double y) {}

    record Line(String title, List<Point> points) {}

    String svg() {
        List<String> parts = new ArrayList<>();
        parts.add(format(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12'>",
                WIDTH, HEIGHT));
        parts.add(format("<rect width='%d' height='%d' fill='white'/>", WIDTH, HEIGHT));
        Scale x = scale(Point::x, LEFT, WIDTH - RIGHT);
        Scale y = scale(Point::y, HEIGHT - BOTTOM, TOP);
        for (int power = x.least; power <= x.most; power++) {
            parts.add(grid(x.at(Math.pow(10, power)), TOP, x.at(Math.pow(10, power)), HEIGHT - BOTTOM));
            parts.add(text(x.at(Math.pow(10, power)), HEIGHT - BOTTOM + 18, "middle", power(power)));
        }
        for (int power = y.least; power <= y.most; power++) {
            parts.add(grid(LEFT, y.at(Math.pow(10, power)), WIDTH - RIGHT, y.at(Math.pow(10, power))));
            parts.add(text(LEFT - 8, y.at(Math.pow(10, power)) + 4, "end", power(power)));
        }
        parts.add(text(LEFT, TOP - 16, "start", yTitle));
        parts.add(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", xTitle));
        for (int i = 0; i < lines.size(); i++) {
            parts.add(line(lines.get(i), color(i), TOP + 10 + 20 * i, x, y));
        }
        parts.add("</svg>");
        return String.join("\n", parts) + "\n";
    }

    private static String line(Line line, String color, double legend, Scale x, Scale y) {
        String path = line.points().stream()
                .map(point -> format("%.1f,%.1f", x.at(point.x()), y.at(point.y())))
                .collect(Collectors.joining(" "));
        String dots = line.points().stream()
                .map(point -> format(
                        "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", x.at(point.x()), y.at(point.y()), color))
                .collect(Collectors.joining());
        int from = WIDTH - RIGHT + 16;
        return format("<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>", path, color)
                + dots
                + format("<rect x='%d' y='%.1f' width='14' height='4' fill='%s'/>", from, legend - 6, color)
                + text(from + 20, legend, "start", line.title());
    }

    /** The color of a line or a contestant, by its place. */
    static String color(int place) {
        return COLORS.get(place % COLORS.size());
    }

    static String grid(double x1, double y1, double x2, double y2) {
        return format("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#dddddd'/>", x1, y1, x2, y2);
    }

    static String text(double x, double y, String anchor, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
        return format("<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, escaped);
    }

    private static String power(int power) {
        return power >= 0 && power < 4 ? format("%,.0f", Math.pow(10, power)) : "1e" + power;
    }

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** From the power of ten at or below the least to that at or above the greatest. */
    private Scale scale(ToDoubleFunction<Point> coordinate, double from, double to) {
        double[] logs = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(point -> Math.log10(coordinate.applyAsDouble(point)))
                .sorted()
                .toArray();
        int least = logs.length == 0 ? 0 : (int) Math.floor(logs[0]);
        int most = logs.length == 0 ? 1 : (int) Math.ceil(logs[logs.length - 1]);
        return new Scale(least, Math.max(most, least + 1), from, to);
    }

    private record Scale(int least, int most, double from, double to) {
        double at(double value) {
            return from + (Math.log10(value) - least) / (most - least) * (to - from);
        }
    }
}
