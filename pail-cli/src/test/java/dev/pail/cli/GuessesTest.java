package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people type who know git, SQLite, restic and dolt, and have read nothing: it works, or the hint has the command. */
class GuessesTest {
    private static final String WORKS = "works";

    /** A command line, and what the hint has; or that it works. */
    private static final String[][] GUESSES = {
        {"", WORKS},
        {"--help", WORKS},
        {"help", WORKS},
        {"version", WORKS},
        {"--version", WORKS},
        {"-V", WORKS},
        {"put title buy-milk", WORKS},
        {"put title buy milk", "pail put KEY 'buy milk'"},
        {"set title milk", WORKS},
        {"get title", WORKS},
        {"cat title", WORKS},
        {"ls", WORKS},
        {"list", WORKS},
        {"keys", WORKS},
        {"ls -l", WORKS},
        {"mv title name", WORKS},
        {"rename name title", WORKS},
        {"cp title other", WORKS},
        {"rm other", WORKS},
        {"cp title other", WORKS},
        {"delete other", WORKS},
        {"log", WORKS},
        {"log -1", WORKS},
        {"log -n 1", WORKS},
        {"log --oneline", WORKS},
        {"log --all", WORKS},
        {"log --graph", WORKS},
        {"history", WORKS},
        {"snapshots", WORKS},
        {"show", WORKS},
        {"show HEAD", WORKS},
        {"diff HEAD~1", WORKS},
        {"diff HEAD~1 HEAD", WORKS},
        {"blame", WORKS},
        {"annotate", WORKS},
        {"branch x", WORKS},
        {"branch", WORKS},
        {"branch -v", WORKS},
        {"branch -a", WORKS},
        {"branch --list", WORKS},
        {"branch --merged", WORKS},
        {"checkout x", WORKS},
        {"checkout -b y", WORKS},
        {"switch -c z", WORKS},
        {"switch main", WORKS},
        {"merge y", WORKS},
        {"tag v1", WORKS},
        {"tag", WORKS},
        {"tag -l", WORKS},
        {"tag -f v1", WORKS},
        {"tag -m why v2", "a tag is a name alone"},
        {"describe", WORKS},
        {"reset --hard HEAD~1", WORKS},
        {"undo", WORKS},
        {"stash", "pail switch -c"},
        {"status", WORKS},
        {"add title", "pail put"},
        {"commit -m why", "pail put"},
        {"remote", WORKS},
        {"remote -v", WORKS},
        {"config --list", WORKS},
        {"config author Ann", WORKS},
        {"config --get author", WORKS},
        {"config user.name Ann", "pail config set author"},
        {"backup", "pail export"},
        {"forget --keep-last 3", "pail gc"},
        {"vacuum", "pail gc"},
        {"fsck", WORKS},
        {"verify", WORKS},
        {"sql", "pail table scan"},
        {"search milk", "pail ls"},
        {"find milk", "pail ls"},
        {"grep milk", "pail ls"},
        {"rebase", "pail pull --rebase"},
        {"gc", WORKS},
        {"prune", "pail gc"},
        {"init here", "pail -C DIR init"},
        {"tables", "pail ls"},
        {"load --text titles.tsv", WORKS},
        {"load titles.tsv", WORKS},
        {"load --csv titles.csv", WORKS},
        {"load --csv books.csv", "--key FIELD"},
        {"load --csv --key isbn --value title books.csv", WORKS},
        {"load --csv titles.tsv", "the first line has tabs"},
        {"apply values.ndjson", WORKS},
        {"apply --cid values.ndjson", "pail put KEY --text TEXT"},
        {"table create releases", WORKS},
        {"table load releases debian.csv --csv", "--id FIELD: no text comes twice in \"series\""},
        {"table load releases debian.csv --csv --id series", "--ragged"},
        {"table load releases debian.csv --csv --id series --ragged", WORKS},
    };

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private void write(String file, String text) throws IOException {
        Files.writeString(folder.resolve("r").resolve(file), text, StandardCharsets.UTF_8);
    }

    @Test
    void eachWorksOrNamesTheCommand() throws Exception {
        Shell shell = Shell.in(Files.createDirectory(folder.resolve("r")));
        assertThat(shell.run("init", "-q").status()).isZero();
        shell.run("put", "first", "--text", "1").done();
        write("titles.tsv", "t/1\tbuy milk\nt/2\tread a book\n");
        write("titles.csv", "key,title\nt/1,\"milk, and bread\"\n");
        write("books.csv", "isbn,author,title\n978,Ann,On lists\n");
        write("values.ndjson", """
                {"op":"put","key":"a","value":"buy milk"}
                {"op":"put","key":"b","value":{"done":false}}
                """);
        write("debian.csv", "version,series,eol\n1.1,buzz\n,sid,\n");
        List<String> wrong = new ArrayList<>();
        for (String[] guess : GUESSES) {
            Answer answer = shell.run(guess[0].isEmpty() ? new String[0] : guess[0].split(" "));
            boolean isFine = guess[1].equals(WORKS)
                    ? answer.status() == 0
                    : answer.status() != 0 && answer.err().contains(guess[1]);
            if (!isFine) {
                wrong.add("pail " + guess[0] + ": " + answer.status() + " " + answer.err());
            }
        }
        assertThat(wrong).isEmpty();
    }
}
