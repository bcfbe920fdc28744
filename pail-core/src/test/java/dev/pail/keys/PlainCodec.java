package dev.pail.keys;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a codec is to write, by the letter of its rules.
 *
 * @param separators all that it puts between names
 * @param takesText whether names are text without separators
 */
record PlainCodec(KeyCodec codec, String separators, boolean takesText) {
    static final List<PlainCodec> ALL = List.of(
            new PlainCodec(KeyCodec.separatedHex('\0'), "\0", false),
            new PlainCodec(KeyCodec.separatedHex('!'), "!", false),
            new PlainCodec(KeyCodec.separatedHex('/'), "/", false),
            new PlainCodec(KeyCodec.separatedHex(':'), ":", false),
            new PlainCodec(KeyCodec.separatedHex('\uffff'), "\uffff", false),
            new PlainCodec(KeyCodec.lengthPrefixed(), "./", false),
            new PlainCodec(KeyCodec.delimited('\0'), "\0", true),
            new PlainCodec(KeyCodec.delimited('!'), "!", true),
            new PlainCodec(KeyCodec.delimited('~'), "~", true),
            new PlainCodec(KeyCodec.delimited('\u00ff'), "\u00ff", true));

    boolean takes(NamespacedKey key) {
        return takes(key.key()) && key.path().stream().allMatch(this::takes);
    }

    boolean takes(Name name) {
        String text = new String(name.bytes(), StandardCharsets.UTF_8);
        return !takesText
                || (Name.of(text.getBytes(StandardCharsets.UTF_8)).equals(name) && !text.contains(separators));
    }

    String encode(NamespacedKey key) {
        if (codec.equals(KeyCodec.lengthPrefixed())) {
            return key.path().stream()
                            .map(name -> "%08x".formatted(name.length()) + KeyText.BASE32HEX.encode(name.bytes()))
                            .collect(Collectors.joining("."))
                    + "/" + KeyText.BASE32HEX.encode(key.key().bytes());
        }
        return key.path().stream().map(this::plain).collect(Collectors.joining(separators + separators))
                + separators
                + plain(key.key());
    }

    private String plain(Name name) {
        return takesText ? new String(name.bytes(), StandardCharsets.UTF_8) : KeyText.HEX.encode(name.bytes());
    }

    /** The order that names have. */
    Comparator<Name> order() {
        return takesText
                ? Comparator.comparing(name -> new String(name.bytes(), StandardCharsets.UTF_8))
                : Comparator.naturalOrder();
    }

    @Override
    public String toString() {
        return codec.toString();
    }
}
