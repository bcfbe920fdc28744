package dev.pail.folder;

import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.Pail;
import java.util.LinkedHashMap;
import java.util.Map;

/** Makes the keys of names, and refuses names that cannot be keys: all of them at once, before any key changes. */
final class CheckedKeys {
    private final Pail pail;
    private final FolderKeys keys;
    private final Map<String, String> refused = new LinkedHashMap<>();

    CheckedKeys(Pail pail, FolderKeys keys) {
        this.pail = pail;
        this.keys = keys;
    }

    String key(String name) {
        String key = keys.key(pail, name);
        try {
            pail.format().checkKey(key);
            keys.refusal(pail, key).ifPresent(rule -> refuse(key, rule));
        } catch (KeyNotAllowedException e) {
            refuse(key, e.rule());
        }
        return key;
    }

    void refuse(String name, String why) {
        refused.put(name, why);
    }

    /** @throws FolderException if a name was refused */
    void requireAllowed() {
        if (!refused.isEmpty()) {
            throw new FolderException(
                    FolderException.Reason.NAMES,
                    refused.size() + (refused.size() == 1 ? " name cannot be a key" : " names cannot be keys")
                            + ", and nothing was changed; the first is "
                            + Escapes.brief(refused.keySet().iterator().next()),
                    refused,
                    null);
        }
    }
}
