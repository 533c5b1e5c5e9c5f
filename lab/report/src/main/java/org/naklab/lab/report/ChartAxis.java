package org.naklab.lab.report;

/**
 * A value axis of a chart.
 *
 * @param unit how its values are written: {@code bytes}, {@code memory}, {@code ms}, {@code count} or {@code per second}; empty:
 *     there is no such axis
 * @param title what it counts
 */
record ChartAxis(String unit, String title) {
    static final ChartAxis NONE = new ChartAxis("", "");

    static ChartAxis count(String title) {
        return new ChartAxis("count", title);
    }
}
