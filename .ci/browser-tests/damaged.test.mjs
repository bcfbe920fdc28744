// Blocks that are missing or corrupt, a slow network and one that fails: each is said where a person looks, and nothing else breaks.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { facts, gate, link, press, repository, serve, settled, visit } from "./harness.mjs";

const { damaged } = facts;
const url = await serve(repository("damaged"));
const allow = [/status of (404|500)/];
const row = (page, name) => page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });

test("keys: values that are missing or corrupt are said to be so", async () => {
  await visit(url, link(["keys", "main"], { prefix: "values/" }), { allow }, async (page) => {
    await row(page, "good").getByText(/bytes/).waitFor();
    for (const name of ["lost", "torn"]) await row(page, name).getByText("missing or corrupt").waitFor();
  });
});

for (const [name, state] of [["lost", "missing"], ["torn", "corrupt"]]) {
  test(`keys, shards and diff: a shard that is ${state}`, async () => {
    const cid = damaged[name + "Shard"];
    const said = async (page) => {
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      const alert = page.getByRole("alert").filter({ hasText: cid }).first();
      await alert.waitFor();
      assert.match(await alert.textContent(), new RegExp(state === "missing" ? "missing|not in|absent" : "corrupt|not those"));
    };
    await visit(url, link(["keys", "main"], { prefix: name + "/" }), { allow }, said);
    await visit(url, link(["value", "main"], { key: name + "/1" }), { allow }, said);
    await visit(url, link(["shards", "main"], { prefix: name + "/" }), { allow }, said);
    await visit(url, link(["diff"], { from: "before", to: "main" }), { allow }, async (page) => {
      await settled(page);
      await page.getByRole("alert").first().waitFor();
      assert.match(await page.getByRole("alert").first().textContent(), new RegExp(`${damaged.lostShard}|${damaged.tornShard}`));
    });
    // The tree opens the shards that differ, one below the other; those that can be read are there.
    await visit(url, link(["diff"], { from: "before", to: "main", by: "shards" }), { allow }, async (page) => {
      await said(page);
      await page.getByRole("link", { name: "4", exact: true }).first().waitFor();
    });
    await visit(url, link(["shards", "main"], { key: name + "/1" }), { allow }, said);
    // Other keys are there as before.
    await visit(url, link(["value", "main"], { key: "good/1" }), { allow }, async (page) => {
      await page.getByRole("region", { name: "Text" }).filter({ hasText: "good 1" }).waitFor();
    });
  });

  test(`value: a block that is ${state}`, async () => {
    await visit(url, link(["value", "main"], { key: "values/" + name }), { allow }, async (page) => {
      const alert = page.getByRole("alert").filter({ hasText: damaged[name + "Value"] }).first();
      await alert.waitFor();
      await alert.getByRole("button", { name: "Retry" }).waitFor();
      await page.getByRole("heading", { name: "History of this key" }).waitFor();
    });
  });
}

test("verify names each block that is missing or corrupt", async () => {
  await visit(url, "#/state", { allow }, async (page) => {
    await press(page, page.getByRole("button", { name: "Verify" }));
    await page.getByText("4 blocks missing or corrupt.").waitFor();
    for (const each of ["lostShard", "tornShard", "lostValue", "tornValue"]) {
      await page.getByRole("listitem").filter({ hasText: damaged[each].slice(-8) }).waitFor();
    }
  });
});

test("a slow network: the page says that it loads, and stays as wide as it is", async () => {
  const { open, opened } = gate();
  const before = (page) => page.route("**/v1/keys*", async (route) => (await opened, route.continue()));
  await visit(url, link(["keys", "main"], { prefix: "good/" }), { before }, async (page) => {
    await page.getByRole("status").filter({ hasText: "Loading keys" }).waitFor();
    await page.getByRole("heading", { level: 1 }).waitFor();
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 900 });
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    }
    // Navigation works meanwhile.
    await press(page, page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Branches" }));
    await page.getByRole("link", { name: "main", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("status").filter({ hasText: "Loading keys" }).waitFor();
    open();
    await row(page, "4").waitFor();
    assert.equal(await page.getByText("Loading keys").count(), 0);
  });
});

for (const [name, hash, path, shown] of [
  ["branches", "#/", "**/v1/branches*", (page) => page.getByRole("main").getByRole("link", { name: "main", exact: true })],
  ["keys", link(["keys", "main"], { prefix: "good/" }), "**/v1/keys*", (page) => row(page, "4")],
  ["value", link(["value", "main"], { key: "values/good" }), "**/v1/value*", (page) => page.getByRole("region", { name: "Text" })],
  ["content", link(["value", "main"], { key: "values/good" }), "**/v1/node*", (page) => page.getByRole("region", { name: "Text" })],
  ["history", "#/history/main", "**/v1/history*", (page) => page.getByRole("button", { name: /good\/4/ })],
  ["updates", "#/log/main", "**/v1/log/*", (page) => page.getByRole("listitem").filter({ hasText: "3 changes" })],
  ["diff", link(["diff"], { from: "main", to: "main" }), "**/v1/diff*", (page) => page.getByText("Both are the same version.")],
  ["shards", "#/shards/main", "**/v1/shard*", (page) => page.getByRole("button", { name: "root" })],
  ["tables", "#/tables/main", "**/v1/tables*", (page) => page.getByText("This version has no tables.")],
  ["state", "#/state", "**/v1/state*", (page) => page.getByText("v1", { exact: true })],
]) {
  test(`a network that fails: ${name} says so, and Retry asks again`, async () => {
    const before = (page) => page.route(path, (route) => route.abort());
    await visit(url, hash, { before, allow: [/net::ERR_FAILED/] }, async (page) => {
      const alert = page.getByRole("main").getByRole("alert").filter({ hasText: "The server does not answer." }).last();
      await alert.waitFor();
      await page.unroute(path);
      await press(page, alert.getByRole("button", { name: "Retry" }));
      await shown(page).first().waitFor();
    });
  });
}
