// What a person does with the page, with the keyboard alone. Elements are found as a screen reader finds them: by role and name.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "./fixtures.mjs";
import { copied, facts, findings, gate, hashOf, link, press, repository, serve, settled, tabTo, tokens, type, visit } from "./harness.mjs";

const { town } = facts;
const url = await serve(repository("town"));
const heading = (page, name) => page.getByRole("heading", { level: 1, name });
const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
const region = (page, name) => page.getByRole("region", { name });

test("1: open the page, and find the branches and tags", async () => {
  await visit(url, "", {}, async (page) => {
    await heading(page, "Branches").waitFor();
    for (const name of ["main", "draft/ann", "colors", "v1.0"]) await page.getByRole("main").getByRole("link", { name, exact: true }).waitFor();
    assert.match(await page.title(), /Branches/);
    // The first Tab leads past the navigation.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.equal(await heading(page, "Branches").evaluate((element) => element === document.activeElement), true);
    for (const [name, title] of [["Keys", "Keys"], ["History", "History of main"], ["Diff", "Diff"], ["Shards", "Shards of main"], ["Tables", "Tables of main"], ["State", "State"], ["Branches", "Branches"]]) {
      await press(page, page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true }));
      await heading(page, title).waitFor();
      await settled(page);
      assert.equal(await page.getByRole("navigation", { name: "Views" }).locator("[aria-current=page]").textContent(), name);
    }
  });
});

test("2: walk through folders of keys to a value, and read it", async () => {
  await visit(url, "", {}, async (page) => {
    await press(page, page.getByRole("main").getByRole("link", { name: "main", exact: true }));
    await row(page, "notes/").waitFor();
    await press(page, page.getByRole("link", { name: "notes/", exact: true }));
    await press(page, page.getByRole("link", { name: "2026/", exact: true }));
    await press(page, page.getByRole("link", { name: "may", exact: true }));
    await heading(page, "notes/2026/may").waitFor();
    assert.equal(await region(page, "Text").textContent(), "swim");
    assert.match(await region(page, "Value").textContent(), /4 bytes/);
    await press(page, page.getByRole("navigation", { name: "Folders" }).getByRole("link", { name: "notes/", exact: true }));
    await row(page, "today").waitFor();
    await page.goBack();
    await heading(page, "notes/2026/may").waitFor();
  });
});

test("3: search keys by prefix, by a text in them, and by range", async () => {
  await visit(url, "#/keys/main", {}, async (page) => {
    const search = page.getByRole("search", { name: "Search keys" });
    await type(page, search.getByLabel("Begins with"), "notes/to");
    await page.keyboard.press("Enter");
    await row(page, "today").waitFor();
    assert.equal(hashOf(page), "#/keys/main?prefix=notes%2Fto");
    assert.equal(await page.getByRole("table").getByRole("row").count(), 2);

    await type(page, search.getByLabel("Begins with"), "");
    await type(page, search.getByLabel("Contains"), "raf");
    await page.keyboard.press("Enter");
    await row(page, "notes/draft").waitFor();
    assert.equal(await page.getByRole("table").getByRole("row").count(), 2);

    await press(page, search.getByRole("link", { name: "Clear" }));
    await row(page, "notes/").waitFor();
    await press(page, search.getByText("Range"));
    await type(page, search.getByLabel("From"), "numbers/010");
    await type(page, search.getByLabel("Before"), "numbers/013");
    await page.keyboard.press("Enter");
    await row(page, "numbers/010").waitFor();
    assert.deepEqual(await page.getByRole("table").getByRole("row").getByRole("link", { name: /^numbers/ }).allTextContents(), ["numbers/010", "numbers/011", "numbers/012"]);
  });
});

test("3: a list longer than a page continues", async () => {
  await visit(url, link(["keys", "main"], { prefix: "numbers/" }), {}, async (page) => {
    const rows = page.getByRole("table").getByRole("row");
    await row(page, "099").waitFor();
    assert.equal(await rows.count(), 101);
    await press(page, page.getByRole("button", { name: "More keys" }));
    await row(page, "199").waitFor();
    assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY", "the focus is lost while the page loads more");
    await press(page, page.getByRole("button", { name: "More keys" }));
    await row(page, "249").waitFor();
    assert.equal(await rows.count(), 251);
    assert.equal(await page.getByRole("button", { name: "More keys" }).count(), 0);
  });
});

test("4: look at JSON, an image, bytes, a folder of UnixFS, and a nested pail", async () => {
  await visit(url, "#/keys/main", {}, async (page) => {
    await press(page, page.getByRole("link", { name: "config.json", exact: true }));
    assert.equal(await region(page, "JSON").textContent(), JSON.stringify(JSON.parse('{"name":"town","open":true,"size":[1,2,3],"inner":{"deep":null}}'), null, 2));

    await page.goto(url + "/" + link(["value", "main"], { key: "pictures/dot.png" }));
    const image = page.getByRole("img", { name: /image/ });
    await page.getByText("24 × 16 pixels").waitFor();
    assert.deepEqual(await image.evaluate((element) => [element.naturalWidth, element.naturalHeight]), [24, 16]);

    await page.goto(url + "/" + link(["value", "main"], { key: "bytes.bin" }));
    assert.match(await region(page, "Bytes").textContent(), /^00000000 {2}00 07 0e 15 .*\n00000010 {2}70 77 /);

    await page.goto(url + "/#/keys/main");
    await press(page, page.getByRole("link", { name: "folder", exact: true }));
    await region(page, "Value").getByText("folder").first().waitFor();
    await press(page, page.getByRole("link", { name: "css", exact: true }));
    await press(page, page.getByRole("link", { name: "main.css", exact: true }));
    assert.equal(await region(page, "Text").textContent(), "h1 { color: teal }\n");

    await page.goto(url + "/#/keys/main");
    await press(page, page.getByRole("link", { name: "nested", exact: true }));
    await press(page, page.getByRole("link", { name: "Open this pail" }));
    await row(page, "red").waitFor();
    await press(page, page.getByRole("link", { name: "sea/", exact: true }));
    await press(page, page.getByRole("link", { name: "blue", exact: true }));
    assert.equal(await region(page, "Text").textContent(), "#00f");
  });
});

test("5: find the fork in the history, and open an event", async () => {
  await visit(url, "#/", {}, async (page) => {
    await press(page, page.getByRole("link", { name: "History of main", exact: true }));
    const events = page.getByRole("main").getByRole("list").last().getByRole("listitem");
    await page.getByRole("button", { name: /notes\/week/ }).waitFor();
    assert.match(await page.getByRole("button", { name: /notes\/week/ }).textContent(), /main/);
    await page.getByRole("button", { name: /draft\/ann/ }).waitFor();
    await page.getByRole("button", { name: /v1\.0/ }).waitFor();
    // Two lanes beside each other, seen as two columns of circles.
    const columns = await page.locator("main svg circle").evaluateAll((all) => new Set(all.map((each) => each.getAttribute("cx"))).size);
    assert.equal(columns, 2);
    const wine = page.getByRole("button", { name: "guests" });
    await press(page, wine);
    assert.equal(await wine.getAttribute("aria-expanded"), "true");
    const opened = page.locator(`#${await wine.getAttribute("aria-controls")}`);
    await opened.getByText("2 parents").waitFor();
    assert.equal(await opened.getByRole("link", { name: /^Diff with parent/ }).count(), 2);
    await press(page, opened.getByRole("link", { name: "notes/today" }));
    assert.equal(await region(page, "Text").textContent(), "buy wine");
    assert.ok((await events.count()) > 0);
  });
});

test("6: compare two versions by key, then by shard", async () => {
  await visit(url, "#/diff", {}, async (page) => {
    await type(page, page.getByRole("combobox", { name: "From" }), "v1.0");
    await page.keyboard.press("Enter");
    await row(page, "notes/draft").waitFor();
    const changes = await page.getByRole("table").getByRole("row").evaluateAll((rows) => rows.slice(1).map((each) => [...each.cells].slice(0, 2).map((cell) => cell.textContent.trim())));
    assert.deepEqual(changes, [["added", "notes/draft"], ["changed", "notes/today"], ["removed", "notes/week"]]);

    await press(page, page.getByRole("link", { name: "By shard" }));
    await page.getByText("shared", { exact: true }).first().waitFor();
    await settled(page);
    // The name of a shared shard has another color than that of a changed one.
    const color = (kind) => page.locator(`main li:has(> .shard > .change:text-is("${kind}")) > .shard bdi`).first().evaluate((name) => getComputedStyle(name).color);
    assert.notEqual(await color("shared"), await color("changed"));

    const from = await page.getByRole("combobox", { name: "From" }).inputValue();
    await press(page, page.getByRole("link", { name: "Swap" }));
    await page.waitForFunction((before) => document.querySelector("main input").value !== before, from);
    assert.equal(await page.getByRole("combobox", { name: "To" }).inputValue(), "v1.0");
  });
});

test("7: read the history of a key, and restore an old value with a token", async () => {
  const folder = copied("town");
  const server = await serve(folder, "--tokens", tokens("write"));
  const unauthorized = /status of 401/;
  await visit(server, link(["value", "main"], { key: "notes/today" }), { allow: [unauthorized] }, async (page) => {
    await press(page, page.getByRole("button", { name: "Enter a token" }).first());
    await page.getByRole("textbox", { name: "Token" }).waitFor();
    await type(page, page.getByRole("textbox", { name: "Token" }), "token-write");
    await page.keyboard.press("Enter");
    await region(page, "Text").waitFor();
    assert.equal(await region(page, "Text").textContent(), "buy wine");
    const versions = region(page, "History of this key").getByRole("listitem");
    await versions.nth(2).waitFor();
    assert.equal(await versions.count(), 3);
    assert.match(await versions.nth(0).textContent(), /the value now/);
    await press(page, versions.nth(2).getByRole("button", { name: "Restore" }));
    await page.getByRole("button", { name: "Yes, restore" }).waitFor();
    await press(page, page.getByRole("button", { name: "Yes, restore" }));
    await region(page, "Text").filter({ hasText: "buy milk" }).waitFor();
    assert.equal(await run(folder, "cat", "notes/today"), "buy milk");
  });
});

test("8: open the tree of shards to depth 2, and read size and depth", async () => {
  await visit(url, "#/keys/main", {}, async (page) => {
    await press(page, page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Shards" }));
    await settled(page);
    const shards = page.getByRole("main").getByRole("button", { expanded: false });
    for (const path of ["n", "o"]) {
      const shard = page.getByRole("main").getByRole("button", { name: path, exact: true, expanded: false }).first();
      await press(page, shard);
      await settled(page);
    }
    const item = page.getByRole("listitem").filter({ has: page.getByText("depth 2", { exact: true }) }).last();
    await item.waitFor();
    assert.match(await item.textContent(), /depth 2.*\d bytes.*entr(y|ies).*\d %/s);
    assert.ok((await shards.count()) > 0);
    await page.getByText("depth 3", { exact: true }).first().waitFor();
    await press(page, page.getByRole("button", { name: "o", exact: true, expanded: true }));
    await page.getByText("depth 3", { exact: true }).waitFor({ state: "detached" });
  });
});

test("9: filter the rows of a table, and see which index is used", async () => {
  await visit(url, "#/tables/main", { allow: [/status of 400/] }, async (page) => {
    await page.getByText("indexes: age").waitFor();
    await press(page, page.getByRole("link", { name: "people", exact: true }));
    const table = page.getByRole("table", { name: "Rows of people" });
    await table.waitFor();
    assert.equal(await table.getByRole("row").count(), 13);
    await type(page, page.getByRole("search", { name: "Filter rows" }).getByLabel("Filter"), 'age >= 48 and address.city == "Oslo"');
    await page.keyboard.press("Enter");
    await page.getByText("Uses the index of age.").waitFor();
    assert.equal(await table.getByRole("row").count(), 2);
    await press(page, table.getByRole("button", { name: "p9" }));
    assert.match(await region(page, "Document").textContent(), /"city": "Oslo"/);

    await type(page, page.getByRole("search", { name: "Filter rows" }).getByLabel("Filter"), 'name == "Ada"');
    await page.keyboard.press("Enter");
    await page.getByText("No index helps").waitFor();
    await table.getByRole("button", { name: "ada" }).waitFor();
    assert.equal(await table.getByRole("row").count(), 2);

    await type(page, page.getByRole("search", { name: "Filter rows" }).getByLabel("Filter"), "age >");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").textContent(), /filter/i);
  });
});

test("10: verify a version in the browser; a damaged block is named", async () => {
  await visit(url, "#/state", { allow: [/status of 404/] }, async (page) => {
    await press(page, page.getByRole("button", { name: "Verify" }));
    // The value of "elsewhere" is in no repository.
    await page.getByText("1 block missing or corrupt.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "elsewhere" }).waitFor();
    await press(page, page.getByRole("checkbox"), "Space");
    await press(page, page.getByRole("button", { name: "Verify" }));
    await page.getByText("All blocks are those of their CIDs.").waitFor();
  });
});

test("10: verify finds a bit that the server altered", async () => {
  await visit(url, "#/state", { allow: [/status of 404/] }, async (page) => {
    const shards = (await run(repository("town"), "tree", "--json")).split("\n").map((line) => JSON.parse(line));
    const altered = shards.find((each) => each.prefix === "notes/2026/");
    await page.route(`**/ipfs/${altered.shard}*`, async (route) => {
      const response = await route.fetch();
      const body = await response.body();
      body[body.length >> 1] ^= 1;
      await route.fulfill({ response, body });
    });
    await press(page, page.getByRole("button", { name: "Verify" }));
    await page.getByText("missing or corrupt.").waitFor();
    const named = page.getByRole("listitem").filter({ hasText: altered.shard.slice(-8) });
    await named.waitFor();
    assert.match(await named.textContent(), /notes\/2026\/.*The bytes are not those of the CID/);
  });
});

test("11: download a proof and a value", async () => {
  await visit(url, link(["value", "main"], { key: "notes/today" }), {}, async (page) => {
    const saved = async (name) => {
      const button = page.getByRole("link", { name }).or(page.getByRole("button", { name })).first();
      await tabTo(page, button);
      const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
      return download.path();
    };
    const answer = await run(repository("town"), "check", await saved("Download proof"), "--root", town.root, "--key", "notes/today");
    assert.equal(answer, "present\t" + (await run(repository("town"), "get", "notes/today")));
    assert.equal(readFileSync(await saved(/^Download$/), "utf8"), "buy wine");
  });
});

test("12: the page follows another process, without a reload", async () => {
  const folder = copied("town");
  const server = await serve(folder);
  await visit(server, link(["keys", "main"], { prefix: "notes/" }), {}, async (page) => {
    await page.getByText("live", { exact: true }).waitFor();
    await row(page, "today").waitFor();
    await page.evaluate(() => (window.__same = true));
    await run(folder, "put", "-q", "notes/new", "--text", "from elsewhere");
    await row(page, "new").waitFor();
    await page.getByRole("status").filter({ hasText: "put \"notes/new\"" }).waitFor();
    await press(page, page.getByRole("link", { name: "new", exact: true }));
    await region(page, "Text").filter({ hasText: "from elsewhere" }).waitFor();
    await run(folder, "put", "-q", "notes/new", "--text", "and again");
    await region(page, "Text").filter({ hasText: "and again" }).waitFor();
    await press(page, page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "History" }));
    await page.getByRole("button", { name: /notes\/new/ }).first().waitFor();
    await run(folder, "rm", "-q", "notes/new");
    await page.getByRole("button", { name: /delete notes\/new/ }).waitFor();
    assert.equal(await page.evaluate(() => window.__same), true);
    // Without a token, no view offers a change.
    await page.goto(server + "/" + link(["value", "main"], { key: "notes/today" }));
    await region(page, "Text").waitFor();
    assert.equal(await page.getByRole("heading", { name: "Change" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Restore" }).count(), 0);
  });
});

test("12: put and delete a key with a token; one that may only read is refused", async () => {
  const folder = copied("town");
  const server = await serve(folder, "--tokens", tokens("write", "read"));
  const useToken = async (page, token) => {
    await press(page, page.getByRole("banner").getByRole("button", { name: /^Token/ }));
    await type(page, page.getByRole("textbox", { name: "Token" }), token);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Token" }).waitFor({ state: "detached" });
  };
  await visit(server, "#/keys/main", { allow: [/status of 40[134]/] }, async (page) => {
    await page.getByRole("alert").first().waitFor();
    assert.equal(await page.getByRole("table").count(), 0);
    await useToken(page, "token-write");
    await type(page, page.getByRole("form", { name: "New key" }).getByLabel("New key"), "notes/mine");
    await page.keyboard.press("Enter");
    await page.getByText("This version has no such key.").waitFor();
    await type(page, page.getByLabel("New value, as text"), "written here");
    await press(page, page.getByRole("button", { name: "Put", exact: true }));
    await region(page, "Text").filter({ hasText: "written here" }).waitFor();
    assert.equal(await run(folder, "cat", "notes/mine"), "written here");

    await press(page, page.getByRole("button", { name: "Delete", exact: true }));
    await press(page, page.getByRole("button", { name: "Cancel" }));
    assert.equal(await region(page, "Text").textContent(), "written here");
    await press(page, page.getByRole("button", { name: "Delete", exact: true }));
    await press(page, page.getByRole("button", { name: "Yes, delete" }));
    await page.getByText("This version has no such key.").waitFor();
    await assert.rejects(run(folder, "get", "notes/mine"));

    await useToken(page, "token-read");
    await page.getByText("This version has no such key.").waitFor();
    const fields = page.getByLabel("New value, as text");
    if (await fields.count()) {
      await type(page, fields, "refused");
      await press(page, page.getByRole("button", { name: "Put", exact: true }));
      await page.getByRole("alert").waitFor();
      assert.match(await page.getByRole("alert").textContent(), /may|right|token/);
    }
    await assert.rejects(run(folder, "get", "notes/mine"));

    await useToken(page, "no token of this server");
    await page.getByRole("alert").first().waitFor();
  });
});

test("12: a change that another process made first is not overwritten", async () => {
  const folder = copied("town");
  const server = await serve(folder, "--tokens", tokens("write"));
  const { open, opened } = gate();
  await visit(server, "#/", { allow: [/status of 401/, /ERR_FAILED .*watch/] }, async (page) => {
    await press(page, page.getByRole("button", { name: "Enter a token" }).first());
    await type(page, page.getByRole("textbox", { name: "Token" }), "token-write");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "History of main", exact: true }).waitFor();
    // The page does not hear of the other change.
    await page.route("**/v1/watch*", async (route) => (await opened, route.abort()));
    await page.goto(server + "/" + link(["value", "main"], { key: "notes/today" }));
    await page.reload();
    await region(page, "Text").filter({ hasText: "buy wine" }).waitFor();
    await run(folder, "put", "-q", "notes/today", "--text", "from elsewhere");
    await type(page, page.getByLabel("New value, as text"), "written here");
    await press(page, page.getByRole("button", { name: "Put", exact: true }));
    await page.getByRole("alert").filter({ hasText: /changed/ }).waitFor();
    assert.equal(await run(folder, "cat", "notes/today"), "from elsewhere");
    open();
  });
});

test("13: see the conflict of two people, and decide it with a token; it is gone in a clone, too", async () => {
  const folder = copied("forked");
  const clone = join(folder, "..", "clone");
  await run(clone, "init", "-q", "--format", "v1");
  await run(clone, "remote", "add", "origin", folder);
  await run(clone, "pull", "-q", "origin");
  assert.match(await run(clone, "conflicts"), /menu\/tea/);
  const url = await serve(folder, "--tokens", tokens("write"));
  await visit(url, "#/conflicts/main", { allow: [/status of 401/] }, async (page) => {
    await press(page, page.getByRole("button", { name: "Enter a token" }).first());
    await type(page, page.getByRole("textbox", { name: "Token" }), "token-write");
    await page.keyboard.press("Enter");
    const side = (name) => page.getByRole("region", { name: `${name} of menu/tea`, exact: true });
    assert.equal(await region(page, "Text of Before of menu/tea").textContent(), "green");
    await region(page, "Text of Side 2").waitFor();
    await settled(page);
    const sides = await Promise.all(["Side 1", "Side 2"].map((name) => side(name).textContent()));
    const ann = sides.findIndex((each) => /white/.test(each)) + 1;
    assert.match(sides[ann - 1], /for guests.*by Ann/s);
    assert.match(sides[2 - ann], /for breakfast.*by Bob.*black/s);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      assert.deepEqual(await findings(page), []);
    }
    await press(page, page.getByRole("button", { name: `Take side ${ann}` }));
    await page.getByText("No conflict is open.").waitFor();
  });
  assert.equal(await run(folder, "cat", "menu/tea"), "white");
  await run(clone, "pull", "-q", "origin");
  assert.equal(await run(clone, "conflicts"), "");
  assert.equal(await run(clone, "cat", "menu/tea"), "white");
});

test("14: compare values side by side, by lines and by fields", async () => {
  const folder = copied("town");
  const lines = Array.from({ length: 9 }, (_, i) => `  line ${i + 1}`);
  await run(folder, "put", "-q", "text", "--text", lines.join("\n"));
  await run(folder, "tag", "before", "-q");
  await run(folder, "put", "-q", "text", "--text", lines.with(4, "  line <b>five</b>").join("\n"));
  await run(folder, "table", "put", "-q", "people", "ada", '{"name":"Ada","age":37}');
  const url = await serve(folder);
  await visit(url, link(["diff"], { from: "before", to: "main" }), {}, async (page) => {
    await press(page, page.getByRole("button", { name: "Compare text" }));
    const changed = page.getByRole("row", { name: /^5 / });
    await changed.waitFor();
    assert.deepEqual(await changed.getByRole("cell").allTextContents(), ["  line 5", "  line <b>five</b>"]);
    assert.equal(await page.getByRole("row", { name: /^9 / }).count(), 0);
    // The indexes of the row are not listed.
    assert.match(await page.getByRole("main").textContent(), /2 changed keys/);
    await press(page, page.getByRole("button", { name: "Compare people ada" }));
    await page.getByRole("row", { name: /^age / }).waitFor();
    assert.deepEqual(await page.getByRole("row", { name: /^age / }).getByRole("cell").allTextContents(), ["36", "37"]);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      assert.deepEqual(await findings(page), []);
    }
  });
  await visit(url, link(["history", "main"], { key: "text" }), {}, async (page) => {
    await press(page, page.getByRole("button", { name: /^Content after/ }).first());
    assert.match(await region(page, "Text").textContent(), /line 4\n {2}line <b>five<\/b>\n {2}line 6/);
    await page.getByRole("row", { name: /^5 / }).waitFor();
  });
});

test("15: change a row in place; a row that another process changed first is not overwritten", async () => {
  const folder = copied("town");
  const url = await serve(folder, "--tokens", tokens("write"));
  await visit(url, link(["table", "main", "people"]), { allow: [/status of 401/] }, async (page) => {
    await press(page, page.getByRole("button", { name: "Enter a token" }).first());
    await type(page, page.getByRole("textbox", { name: "Token" }), "token-write");
    await page.keyboard.press("Enter");
    assert.equal(await page.getByRole("textbox", { name: "Filter" }).getAttribute("placeholder"), 'age > 30 and city = "Oslo"');
    await press(page, page.getByRole("button", { name: "ada" }));
    await type(page, page.getByLabel("Document of ada"), '{"name":"Ada","age":99}');
    // The next sentence of the page may come at once, so the answer is waited for.
    const written = page.waitForResponse((response) => response.request().method() === "PUT" && response.status() === 200);
    await press(page, page.getByRole("button", { name: "Put", exact: true }));
    await written;
    assert.match(await run(folder, "table", "find", "people", "age", "99"), /ada +99 +Ada/);
  });
  // The other change comes between the answer of the branch and the write.
  const other = async (page) => {
    await page.route("**/v1/branches/main", async (route) => {
      const response = await route.fetch();
      await run(folder, "table", "put", "-q", "people", "ada", '{"age":1}');
      await route.fulfill({ response });
    });
  };
  await visit(url, link(["table", "main", "people"]), { allow: [/status of (401|412)/] }, async (page) => {
    await press(page, page.getByRole("button", { name: "Enter a token" }).first());
    await type(page, page.getByRole("textbox", { name: "Token" }), "token-write");
    await page.keyboard.press("Enter");
    await press(page, page.getByRole("button", { name: "ada" }));
    await type(page, page.getByLabel("Document of ada"), '{"age":2}');
    await other(page);
    const refused = page.waitForResponse((response) => response.status() === 412);
    await press(page, page.getByRole("button", { name: "Put", exact: true }));
    await refused;
  });
  assert.match(await run(folder, "table", "get", "people", "ada"), /"age":1[^0-9]/);
});

test("a link from the address bar opens the same view in a new page", async () => {
  for (const hash of [link(["keys", "main"], { prefix: "notes/" }), link(["keys", "draft/ann"], { contains: "da" }), link(["value", "main@{1}"], { key: "notes/today" }), link(["table", "main", "people"], { where: 'address.city == "Oslo"' }), link(["diff"], { from: "v1.0", to: "main", by: "shards" })]) {
    await visit(url, hash, {}, async (page) => {
      await settled(page);
      const text = await page.getByRole("main").innerText();
      const other = await page.context().newPage();
      await other.goto(page.url());
      await settled(other);
      assert.equal(await other.getByRole("main").innerText(), text);
      assert.equal(hashOf(other), hash);
    });
  }
});
