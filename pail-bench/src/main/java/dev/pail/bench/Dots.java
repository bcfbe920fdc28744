package dev.pail.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows with a dot for each contestant, on one logarithmic axis, as SVG.
 *
 * @param title what goes to the right
 * @param contestants the names that rows have values of, in the order of the legend
 */
record Dots(String title, List<String> contestants, List<Row> rows) {
    private static final int WIDTH = 760;
    private static final int LEFT = 250;
    private static final int RIGHT = 150;
    private static final int TOP = 44;
    private static final int ROW = 26;
    private static final int BOTTOM = 24;

    /** @param values by contestant, positive */
    record Row(String title, Map<String, Double> values) {}

    String svg() {
        double[] logs = rows.stream()
                .flatMap(row -> row.values().values().stream())
                .mapToDouble(Math::log10)
                .sorted()
                .toArray();
        int least = logs.length == 0 ? 0 : (int) Math.floor(logs[0]);
        int most = logs.length == 0 ? 1 : Math.max(least + 1, (int) Math.ceil(logs[logs.length - 1]));
        int height = Math.max(TOP + ROW * rows.size() + BOTTOM, TOP + 20 * contestants.size());
        List<String> parts = new ArrayList<>();
        parts.add(Plot.format(
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' font-size='12'>",
                WIDTH, height));
        parts.add(Plot.format("<rect width='%d' height='%d' fill='white'/>", WIDTH, height));
        parts.add(Plot.text(LEFT, 16, "start", title));
        for (int power = least; power <= most; power++) {
            double x = at(power, least, most);
            parts.add(Plot.grid(x, TOP - 8, x, TOP + ROW * rows.size()));
            parts.add(Plot.text(x, TOP - 12, "middle", label(power)));
        }
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            double y = TOP + ROW * i + ROW / 2.0;
            parts.add(Plot.text(LEFT - 10, y + 4, "end", row.title()));
            parts.add(Plot.grid(LEFT, y, WIDTH - RIGHT, y));
            for (int c = contestants.size() - 1; c >= 0; c--) {
                Double value = row.values().get(contestants.get(c));
                if (value != null) {
                    parts.add(dot(at(Math.log10(value), least, most), y, c));
                }
            }
        }
        for (int c = 0; c < contestants.size(); c++) {
            parts.add(dot(WIDTH - RIGHT + 20, TOP + 20.0 * c, c));
            parts.add(Plot.text(WIDTH - RIGHT + 32, TOP + 20.0 * c + 4, "start", contestants.get(c)));
        }
        parts.add("</svg>");
        return String.join("\n", parts) + "\n";
    }

    private static String label(int power) {
        return power < 6 ? Report.number(Math.pow(10, power)) : Report.number(Math.pow(10, power - 6)) + " M";
    }

    private static double at(double log, int least, int most) {
        return LEFT + (log - least) / (most - least) * (WIDTH - RIGHT - LEFT);
    }

    private static String dot(double x, double y, int contestant) {
        return Plot.format("<circle cx='%.1f' cy='%.1f' r='6' fill='%s'/>", x, y, Plot.color(contestant));
    }
}
