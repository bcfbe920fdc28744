package dev.pail.cli.text;

import dev.pail.Escapes;
import dev.pail.cli.terminal.Terminal;
import dev.pail.content.lines.Edit;
import dev.pail.content.lines.LineDiff;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words that differ within lines, marked as git marks them. */
public final class WordDiff {
    /** The longest run whose words are compared, in characters. A longer one is removed and added as a whole. */
    private static final int MOST_CHARACTERS = 1 << 16;

    /** A line end, other space, a word, or any other character. */
    private static final Pattern PART = Pattern.compile("\n|[^\\S\n]+|[\\p{L}\\p{N}_]+|.", Pattern.DOTALL);

    private static final Pattern LINE = Pattern.compile("[^\n]+");

    private WordDiff() {}

    /** The lines after a change, with removed words in {@code [--]} and added ones in <code>{++}</code>, for {@link Terminal#printStyled}. */
    public static String of(Terminal terminal, List<String> before, List<String> after) {
        List<String> old = parts(before);
        List<String> now = parts(after);
        StringBuilder text = new StringBuilder();
        int at = 0;
        for (Edit edit : LineDiff.of(old, now)) {
            text.append(shown(now.subList(at, edit.afterFrom())));
            text.append(marked(
                    shown(old.subList(edit.beforeFrom(), edit.beforeTo())),
                    words -> terminal.removed("[-" + words + "-]")));
            text.append(marked(
                    shown(now.subList(edit.afterFrom(), edit.afterTo())),
                    words -> terminal.added("{+" + words + "+}")));
            at = edit.afterTo();
        }
        return text.append(shown(now.subList(at, now.size()))).toString();
    }

    private static List<String> parts(List<String> lines) {
        String text = String.join("", lines);
        return text.length() > MOST_CHARACTERS
                ? List.of(text)
                : PART.matcher(text).results().map(MatchResult::group).toList();
    }

    private static String shown(List<String> parts) {
        return Escapes.printableLines(String.join("", parts));
    }

    /** Marks what is on each line. */
    private static String marked(String text, UnaryOperator<String> mark) {
        return LINE.matcher(text).replaceAll(line -> Matcher.quoteReplacement(mark.apply(line.group())));
    }
}
