// A repository whose names and values are attacks: each view shows them as the text that they are. `visit` fails if anything runs or is fetched.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { run } from "./fixtures.mjs";
import { copied, facts, go, link, repository, serve, settled, visit } from "./harness.mjs";
import { vectors } from "./vectors.mjs";

const { hostile } = facts;
const { texts, table, rows, documentsBranch, tablesBranch } = hostile;
const url = await serve(repository("hostile"));
/** Answers to requests for keys and values that are folders or not there. */
const allow = [/status of 40[046]/];

/**
 * In the page: the texts that elements show, from what a reader sees: the spans of escapes are read as what they stand for. Fails if the
 * text outside of escapes has a character that cannot be seen, or changes the direction of the page.
 */
function read(selector) {
  return [...document.querySelectorAll(selector)].map((element) => {
    let text = "";
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        if (/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(node.data)) throw new Error("not escaped: " + JSON.stringify(node.data));
        text += node.data;
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.className !== "escape" || !/^(\\u[0-9a-f]{4})+$/.test(node.textContent)) throw new Error("an element within a text: " + element.outerHTML);
        text += JSON.parse('"' + node.textContent + '"');
      }
    }
    return text;
  });
}

const [, head] = /<head>(.*)<\/head>/s.exec(await (await fetch(url + "/")).text());
const headElements = head.match(/<(?!\/)/g).length;

/** What the page has that it never makes itself, or not as often. */
async function foreign(page) {
  return page.evaluate((heads) => {
    const found = [];
    for (const each of document.querySelectorAll("script, iframe, object, embed, link, meta, base, style, audio, video, template, math, marquee, form[action], svg :not(path, circle, line)")) {
      const isOwn = each.closest("head") || (each.localName === "script" && each.src === location.origin + "/explorer/app.js");
      if (!isOwn) found.push(each.outerHTML.slice(0, 200));
    }
    for (const each of document.querySelectorAll("*")) {
      for (const { name, value } of each.attributes) {
        if (/^on/i.test(name) || name === "style" || name === "srcdoc" || name.includes("<")) found.push(`${each.localName} ${name}=${value}`);
        if (["href", "src", "action", "formaction", "xlink:href", "data"].includes(name) && !/^(#|\/v1\/|\/ipfs\/|\/explorer\/|blob:)/.test(value)) found.push(`${each.localName} ${name}=${value}`);
      }
    }
    if (document.head.childElementCount !== heads) found.push(document.head.innerHTML);
    if (window.frames.length > 0) found.push("frames");
    return found;
  }, headElements);
}

async function clean(page) {
  await settled(page);
  assert.deepEqual(await foreign(page), []);
}

/** Opens a view over the hostile repository and looks for what is not of the page. */
const open = (hash, use = async () => {}) =>
  visit(url, hash, { allow }, async (page) => {
    await clean(page);
    await use(page);
  });

/** The beginning that a view shows of a long text. */
const start = (text, most = 200) => Array.from(text).slice(0, most).join("");

test("branches and tags", async () => {
  await open("#/", async (page) => {
    const names = await page.evaluate(read, "main bdi.text");
    for (const name of ["main", documentsBranch, tablesBranch, "valueOf"]) assert.ok(names.includes(start(name)), name);
  });
});

test("the list of keys shows each key as it is", async () => {
  await open(link(["keys", "main"], { prefix: "k/", flat: "yes" }), async (page) => {
    while (await page.getByRole("button", { name: "More keys" }).count()) {
      const before = await page.getByRole("row").count();
      await page.getByRole("button", { name: "More keys" }).press("Enter");
      await page.waitForFunction((count) => document.querySelectorAll("tr").length > count, before);
    }
    await clean(page);
    const shown = new Set(await page.evaluate(read, "table.keys td.name bdi.text"));
    const missing = texts.filter((each) => each !== texts[0] && !shown.has(start("k/" + each)) && !shown.has(start(each)));
    assert.deepEqual(missing, []);
  });
});

test("folders that hostile keys make", async () => {
  await open(link(["keys", "main"]));
  await open(link(["keys", "main"], { prefix: "k/" }), async (page) => {
    const links = await page.getByRole("table").getByRole("link").evaluateAll((all) => all.filter((each) => each.closest(".folder")).map((each) => each.getAttribute("href")));
    assert.ok(links.length > 5);
    for (const each of links.slice(0, 10)) {
      await page.goto(url + "/" + each);
      await clean(page);
    }
  });
});

test("the values of hostile keys are shown as texts", async () => {
  await visit(url, "#/", { allow }, async (page) => {
    for (const each of texts.filter((_, i) => i < 96)) {
      if (each === texts[0]) continue;
      await page.goto(url + "/" + link(["value", "main"], { key: "k/" + each }));
      await page.getByRole("heading", { level: 1 }).locator("bdi").waitFor();
      await clean(page);
      const [heading] = await page.evaluate(read, "h1 bdi.text");
      assert.equal(heading, start("k/" + each));
      if ((await page.getByRole("region", { name: "Text" }).count()) === 1 && each !== texts[11]) {
        const [value] = await page.evaluate(read, "pre.lines");
        assert.equal(value, each.replace(/\r\n/g, "\n"));
      }
      assert.equal(await page.getByRole("alert").count(), 0, JSON.stringify(each));
      assert.doesNotMatch(await page.title(), /[\p{Cc}\p{Cf}]/u);
    }
  });
});

test("documents, pages and drawings are shown as texts", async () => {
  await visit(url, "#/", { allow }, async (page) => {
    const numbers = Array.from({ length: 96 }, (_, i) => String(i).padStart(4, "0"));
    for (const key of [...numbers.map((each) => "json/" + each), ...numbers.slice(0, 40).map((each) => `page/${each}.html`), "drawing.svg", "page.xml"]) {
      await page.goto(url + "/" + link(["value", documentsBranch], { key }));
      await page.getByRole("heading", { level: 1, name: key }).waitFor();
      await page.locator("pre.lines").waitFor();
      await clean(page);
      assert.equal(await page.locator("main img").count(), 0);
      const [shown] = await page.evaluate(read, "pre.lines");
      if (key.startsWith("json/")) {
        const text = texts[Number(key.slice(5))];
        assert.deepEqual(JSON.parse(shown), JSON.parse(JSON.stringify({ [text]: text, list: [text, { [text]: [text] }] })));
      }
    }
  });
});

test("tables with hostile names, fields, rows and filters", async () => {
  await open(link(["tables", tablesBranch]), async (page) => {
    assert.deepEqual((await page.evaluate(read, "main h2 bdi.text")), [table]);
  });
  await open(link(["table", tablesBranch, table]), async (page) => {
    const ids = await page.evaluate(read, "th[scope=row] bdi.text");
    assert.deepEqual([...ids].sort(), rows.map((row) => start(row.id, 60)).sort());
    const cells = new Set(await page.evaluate(read, "td bdi.text"));
    for (const row of rows) assert.ok(cells.has(start(row.field, 80)), row.field);
    for (const each of await page.getByRole("table").getByRole("button").all()) {
      await each.press("Enter");
      await page.getByRole("region", { name: "Document" }).waitFor();
      await each.press("Enter");
    }
    await clean(page);
  });
  await visit(url, link(["table", tablesBranch, table]), { allow }, async (page) => {
    for (const text of texts.slice(0, 40)) {
      for (const where of [text, `field == ${JSON.stringify(text)}`]) {
        await go(page, link(["table", tablesBranch, table], { where }));
        await clean(page);
      }
    }
  });
});

test("histories, updates and differences with hostile keys, messages and authors", async () => {
  await open("#/history/main", async (page) => {
    const closed = page.getByRole("main").getByRole("button", { expanded: false });
    assert.ok((await closed.count()) > 5);
    while ((await closed.count()) > 0) await closed.first().press("Enter");
    await clean(page);
    await page.evaluate(read, "main bdi.text");
  });
  await open(link(["history", "main"], { all: "yes" }));
  await open(link(["history", "main"], { key: "k/" + texts[11] }));
  await open("#/log/main", async (page) => {
    const shown = await page.evaluate(read, "main bdi.text");
    assert.ok(shown.includes(hostile.message));
    assert.ok(shown.includes('<img src=x onerror=window.__xss=1>"'));
  });
  await open(link(["diff"], { from: "main@{5}", to: "main" }), async (page) => void (await page.evaluate(read, "main bdi.text")));
  await open(link(["diff"], { from: "main@{5}", to: "main", by: "shards" }), async (page) => void (await page.evaluate(read, "main bdi.text")));
  await open("#/shards/main", async (page) => void (await page.evaluate(read, "main bdi.text")));
  await open(link(["shards", documentsBranch]), async (page) => void (await page.evaluate(read, "main bdi.text")));
  await open("#/state");
});

test("hostile addresses", async () => {
  const addresses = ["#/toString", "#/hasOwnProperty", "#/__proto__", "#/keys/main?__proto__=x&constructor=y&at=z"];
  for (const each of texts.slice(0, 96)) {
    addresses.push(link([each]), link(["keys", each]), link(["node", each]), link(["log", each]), link(["diff"], { from: each, to: each }));
    addresses.push("#" + each, "#/keys/main?prefix=" + each, "#/value/main?key=" + each);
  }
  await visit(url, "#/", { allow: [...allow, /status of 42/] }, async (page) => {
    for (const address of addresses) {
      await go(page, address);
      await clean(page).catch((error) => assert.fail(`${JSON.stringify(address)}: ${error.message}`));
    }
  });
});

test("a hostile version and key are what the fields show", async () => {
  await open(link(["keys", "main"], { prefix: texts[17], contains: texts[19] }), async (page) => {
    assert.equal(await page.getByLabel("Begins with").inputValue(), texts[17]);
    assert.equal(await page.getByLabel("Contains").inputValue(), texts[19]);
  });
});

test("a branch with the name of a property that all objects have is followed as others are", async () => {
  const folder = copied("hostile");
  const server = await serve(folder);
  await visit(server, link(["keys", documentsBranch], { prefix: "live/" }), { allow }, async (page) => {
    await page.getByText("live", { exact: true }).waitFor();
    for (const name of ["a", "b"]) {
      await run(folder, "-b", documentsBranch, "put", "-q", "live/" + name, "--text", vectors[0]);
      await page.getByRole("link", { name, exact: true }).waitFor();
    }
    assert.equal(await page.getByRole("row").count(), 3);
    await clean(page);
  });
});
