package dev.pail.repository.update;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time that a text names: a day, a minute, a second or an instant. Rule REP27.
 *
 * @param begin its first moment
 * @param end the first moment behind it
 */
public record RevisionTime(Instant begin, Instant end) {
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern TIME = Pattern.compile(
            "(" + DATE + ")[ T]([0-9]{2}:[0-9]{2})(?:(:[0-9]{2})(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})?");
    private static final Pattern AGO = Pattern.compile("([0-9]{1,9}) (second|minute|hour|day|week)s? ago");

    /**
     * Reads a text.
     *
     * @param zone of dates and times that name none
     * @return nothing, if the text is not a time
     */
    public static Optional<RevisionTime> of(String text, Instant now, ZoneId zone) {
        String when = text.strip().toLowerCase(Locale.ROOT);
        try {
            if (when.equals("today") || when.equals("yesterday")) {
                LocalDate today = LocalDate.ofInstant(now, zone);
                return Optional.of(day(when.equals("today") ? today : today.minusDays(1), zone));
            }
            if (DATE.matcher(when).matches()) {
                return Optional.of(day(LocalDate.parse(when), zone));
            }
            Matcher ago = AGO.matcher(when);
            if (ago.matches()) {
                Duration unit = ChronoUnit.valueOf(ago.group(2).toUpperCase(Locale.ROOT) + "S")
                        .getDuration();
                return Optional.of(instant(now.minus(unit.multipliedBy(Long.parseLong(ago.group(1))))));
            }
            Matcher time = TIME.matcher(when.toUpperCase(Locale.ROOT));
            return time.matches() ? Optional.of(time(time, zone)) : Optional.empty();
        } catch (DateTimeException e) {
            // A day or an hour that there is not.
            return Optional.empty();
        }
    }

    private static RevisionTime instant(Instant at) {
        return new RevisionTime(at, at.plusNanos(1));
    }

    private static RevisionTime day(LocalDate day, ZoneId zone) {
        return new RevisionTime(
                day.atStartOfDay(zone).toInstant(),
                day.plusDays(1).atStartOfDay(zone).toInstant());
    }

    private static RevisionTime time(Matcher time, ZoneId zone) {
        boolean hasSeconds = time.group(3) != null;
        boolean hasFraction = time.group(4) != null;
        String local = time.group(1) + "T" + time.group(2) + (hasSeconds ? time.group(3) : ":00")
                + (hasFraction ? time.group(4) : "");
        Instant begin = time.group(5) == null
                ? LocalDateTime.parse(local).atZone(zone).toInstant()
                : OffsetDateTime.parse(local + time.group(5)).toInstant();
        return hasFraction
                ? instant(begin)
                : new RevisionTime(begin, begin.plus(1, hasSeconds ? ChronoUnit.SECONDS : ChronoUnit.MINUTES));
    }
}
